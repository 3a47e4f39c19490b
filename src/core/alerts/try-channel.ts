import type { ChannelFields } from '../../../schemas/alert-channel-fields.ts';
import { type AuditSource, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError } from '../errors.ts';
import {
  type GivenFields,
  readChannelFields,
  refuseUnavailableType,
  refuseWithoutRecipient,
} from './channels.ts';
import { buildDelivery } from './message-bodies.ts';
import { channelTypeOf } from './messages/channel-types.ts';
import { buildTestMessage } from './messages/message.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'config' | 'reach' | 'notificationSender'>;

export type ChannelTrial = Awaited<ReturnType<typeof tryChannel>>;

interface TriedChannel {
  readonly type: string;
  readonly name: string;
  /** Stored fields that empty ones of `given` keep. */
  readonly before: ChannelFields;
  readonly given: GivenFields;
  readonly projectId: number | null;
}

/** Tests settings that are not saved yet: sent once, not retried. Throws 400 for invalid fields. */
export async function tryChannel(
  deps: ServiceDeps,
  { type, name, before, given, projectId }: TriedChannel,
  pagesUrl: string | null,
  by: AuditSource,
) {
  refuseUnavailableType(deps, type);
  if (deps.notificationSender === undefined) {
    throw createBadRequestError('notifier_no_messages', 'This process sends no notifications.');
  }
  if (type === 'webpush') {
    throw createBadRequestError(
      'notifier_no_recipient',
      'Create the alert channel, enable notifications on its page, then send a test there.',
    );
  }
  const stored = readChannelFields(deps, type, before, given);
  refuseWithoutRecipient({ type, address: stored.address });
  await runAudited(deps, by, async () => {
    const object = { kind: 'alert_channel' as const, id: null, name };
    const summary = `before saving, ${type} to ${stored.target}`;
    return { result: null, auditEvent: { action: 'channel.tested' as const, object, projectId, summary } };
  });
  const channel = { id: 0, name, type, ...stored, state: 'on' as const, lastError: '' };
  const noLinks = { path: null, url: null, stopUrl: null, unsubscribeUrl: null };
  const message = { ...buildTestMessage({ deps, pagesUrl }, channel), ...noLinks };
  const atMs = deps.now();
  const delivery = {
    ...{ id: 0, tries: 0, html: null, ...buildDelivery(channel, message, projectId) },
    ...{ recipients: null, threadTs: null },
  };
  const startedMs = performance.now();
  const sent = { ...delivery, channel, nowMs: atMs, pagesUrl };
  // The answer is one line, at most 200 characters.
  const {
    ok,
    status,
    detail,
    answer = detail,
  } = await channelTypeOf(type).send(deps.notificationSender, sent);
  return { delivered: ok, atMs, durationMs: Math.round(performance.now() - startedMs), status, answer };
}
