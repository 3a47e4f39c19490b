import { type AlertMessage, buildMessage, type IssueDetails } from './messages/message.ts';
import { createRuleDefinition } from './rule-definitions.ts';

const projectId = 1;
const kind = 'issue.is_new';

const subject = {
  ...{ pendingNotificationId: 0, projectId, objectId: 42, atMs: 0, note: '', isOverflow: false },
  title: 'PaymentCaptureError: gateway answered 502 after 3 attempts',
  culprit: 'capturePayment in src/payments/capture.ts',
  ...{ level: 'error', events: 44, users: 41, waitMs: 0, notifiedEvents: 0, path: null, incident: null },
} as const;

function detailsOf(pagesUrl: string): IssueDetails {
  return {
    type: 'PaymentCaptureError',
    text: 'gateway answered 502 after 3 attempts',
    environment: 'production',
    release: 'checkout-api@2.31.0',
    firstSeenMs: 0,
    assignee: '#payments',
    frames: [
      { function: 'capturePayment', place: 'src/payments/capture.ts:64', source: '' },
      { function: 'placeOrder', place: 'src/orders/place.ts:118', source: '' },
    ],
    framesCount: 2,
    resolveUrl: pagesUrl,
    ignoreUrl: pagesUrl,
    muteUrl: pagesUrl,
  };
}

/** A message about a new issue that does not exist, to show how messages of a channel look. */
export function buildExampleMessage(pagesUrl: string, channelName: string): AlertMessage {
  const deps = { now: () => 0, randomBytes: (count: number) => Buffer.alloc(count) };
  return buildMessage(
    { deps, projects: new Map([[projectId, 'checkout-api']]), pagesUrl },
    {
      kind,
      rule: { id: 1, ...createRuleDefinition(kind) },
      channel: { id: 0, name: channelName },
      ...{ count: 1, named: [subject], overflow: [], projectId },
      incidents: { count: 0, named: [] },
      details: detailsOf(pagesUrl),
    },
  );
}
