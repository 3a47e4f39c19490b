// All requests and checks of the suite in running order: requests that create first, rate limits last.
import type { Check, RequestTemplate, Suite } from '../check-types.ts';
import { credentialSuite } from './credentials.ts';
import { decisionSuite } from './decisions.ts';
import { errorSuite, limitSuite } from './errors.ts';
import {
  contractMark,
  envelopeType,
  jsonType,
  post,
  postText,
  probeEvent,
  publicKey,
} from './request-parts.ts';
import { serverSuite } from './server.ts';
import { wordpressSuite } from './wordpress.ts';

const envelope = [
  '{"event_id":"{{envelope_event_id}}"}',
  '{"type":"event"}',
  JSON.stringify({ ...probeEvent, event_id: '{{envelope_event_id}}' }),
  '',
].join('\n');

const eventSuite: Suite = {
  requests: [
    post('store-event', '/store', [publicKey], probeEvent, {
      captures: { issue_id: ['issue_id'], stored_event_id: ['event_id'] },
    }),
    post('store-event-again', '/store', [publicKey], probeEvent, { after: ['store-event'] }),
    post('store-other-event', '/store', [publicKey], {
      message: `${contractMark}: cannot open the ledger, an unrelated probe`,
      platform: 'php',
    }),
    postText('envelope-event', '/envelope', [envelopeType, publicKey], envelope),
    postText('envelope-event-again', '/envelope', [envelopeType, publicKey], envelope, {
      after: ['envelope-event'],
    }),
    postText('store-not-json', '/store', [jsonType, publicKey], '{"message": "notifier-contract",'),
  ],
  checks: [
    event('store-accepts-event', 'POST /store takes an event of message and platform', '4', 'store-event', {
      statements: ['4.store', '4.store-credential', '4.json-requests', '2.event-message', '2.event-platform'],
      expect: [{ is: 'success' }],
    }),
    event('store-takes-public-key-header', 'X-Notifier-Key is the credential of /store', '5', 'store-event', {
      statements: ['5.public-key-header', '5.store-public'],
      expect: [{ is: 'success' }],
    }),
    event('store-answers-accepted', '/store answers accepted, a boolean', '2', 'store-event', {
      statements: ['2.accepted-object', '2.accepted-boolean', '4.store'],
      expect: [
        { is: 'member', path: 'accepted', type: 'boolean' },
        { is: 'equal', path: 'accepted', value: true },
      ],
    }),
    event('store-answers-event-id', '/store answers event_id, a string', '2', 'store-event', {
      statements: ['2.event-id', '6.event-id', '2.accepted-identifiers', '4.store', '4.identifiers'],
      expect: [
        { is: 'member', path: 'event_id', type: 'string' },
        { is: 'match', path: 'event_id', pattern: '\\S' },
      ],
    }),
    event('store-answers-issue-id', '/store answers issue_id, an integer', '2', 'store-event', {
      statements: ['2.issue-id', '2.accepted-identifiers', '4.store', '4.identifiers'],
      expect: [{ is: 'member', path: 'issue_id', type: 'integer' }],
    }),
    event('event-ids-differ', 'Each accepted event yields its own event_id', '6', 'store-event-again', {
      statements: ['6.event-id'],
      expect: [{ is: 'success' }, { is: 'not-same-as', request: 'store-event', path: 'event_id' }],
    }),
    event('same-error-same-issue', 'The same error twice is one issue', '6', 'store-event-again', {
      statements: ['6.grouped'],
      expect: [{ is: 'success' }, { is: 'same-as', request: 'store-event', path: 'issue_id' }],
    }),
    event('other-error-other-issue', 'An unrelated error is another issue', '6', 'store-other-event', {
      statements: ['6.grouped'],
      expect: [{ is: 'success' }, { is: 'not-same-as', request: 'store-event', path: 'issue_id' }],
    }),
    event(
      'envelope-accepts-event',
      'POST /envelope takes an envelope with one event',
      '4',
      'envelope-event',
      {
        statements: ['4.envelope', '4.envelope-credential', '5.public-key-header'],
        expect: [{ is: 'success' }],
      },
    ),
    event('envelope-answers-accepted', '/envelope answers accepted, a boolean', '2', 'envelope-event', {
      statements: ['2.accepted-object', '2.accepted-boolean'],
      expect: [
        { is: 'member', path: 'accepted', type: 'boolean' },
        { is: 'equal', path: 'accepted', value: true },
      ],
    }),
    event('envelope-answers-event-id', '/envelope answers event_id, a string', '4', 'envelope-event', {
      statements: ['4.envelope', '2.event-id', '6.event-id', '4.identifiers'],
      expect: [
        { is: 'member', path: 'event_id', type: 'string' },
        { is: 'match', path: 'event_id', pattern: '\\S' },
      ],
    }),
    event('envelope-answers-issue-id', '/envelope answers issue_id, an integer', '4', 'envelope-event', {
      statements: ['4.envelope', '2.issue-id', '4.identifiers'],
      expect: [{ is: 'member', path: 'issue_id', type: 'integer' }],
    }),
    event(
      'envelope-and-store-group-alike',
      'The same error by either door is one issue',
      '6',
      'envelope-event',
      {
        statements: ['6.grouped'],
        expect: [{ is: 'success' }, { is: 'same-as', request: 'store-event', path: 'issue_id' }],
      },
    ),
    event('store-refuses-what-is-not-json', 'A body that is not JSON is refused', '4', 'store-not-json', {
      statements: ['4.json-requests', '7.error-object'],
      expect: [{ is: 'refused' }, { is: 'error' }],
    }),
  ],
};

const origin = ['Origin', 'https://{{domain}}'] as const;
const otherOrigin = ['Origin', 'https://{{domain_off}}'] as const;

const report = {
  message: `${contractMark}: probe bug report, safe to delete`,
  url: 'https://{{domain}}/',
  domain: '{{domain}}',
};

const sdk = {
  sdk: { name: contractMark, version: '1.0.0' },
  domain: '{{domain}}',
  url: 'https://{{domain}}/',
};

const reportSwitch = '^(bug.?reports?|feedback|visitor.?reports?)(.?enabled)?$';

const needsDomain = {
  status: 403,
  because: 'bug reports are not enabled for {{domain}}: name a domain with --domain',
  withoutOption: 'domain',
} as const;

const publicSuite: Suite = {
  requests: [
    post('feedback-enabled', '/feedback', [publicKey, origin], report),
    post('feedback-disabled', '/feedback', [publicKey, otherOrigin], {
      ...report,
      url: 'https://{{domain_off}}/',
      domain: '{{domain_off}}',
    }),
    post('sdk-verify', '/sdk-verify', [publicKey, origin], sdk, {
      after: ['store-event'],
      captures: { project_id: ['project.id'] },
    }),
    post('sdk-verify-other-domain', '/sdk-verify', [publicKey, otherOrigin], {
      ...sdk,
      domain: '{{domain_off}}',
      url: 'https://{{domain_off}}/',
    }),
  ],
  checks: [
    surface('feedback-accepts-report', 'POST /feedback takes a report where they are enabled', '4', {
      request: 'feedback-enabled',
      statements: ['4.feedback', '4.feedback-enabled'],
      expect: [{ is: 'success' }],
      unless: needsDomain,
    }),
    surface('feedback-answers-accepted', '/feedback answers accepted, a boolean', '2', {
      request: 'feedback-enabled',
      statements: ['2.accepted-boolean', '2.accepted-object', '4.feedback'],
      expect: [
        { is: 'member', path: 'accepted', type: 'boolean' },
        { is: 'equal', path: 'accepted', value: true },
      ],
      unless: needsDomain,
    }),
    surface('feedback-refused-when-off', 'A report is refused where they are not enabled', '4', {
      request: 'feedback-disabled',
      statements: ['4.feedback-enabled'],
      expect: [{ is: 'refused' }, { is: 'error' }],
    }),
    surface('sdk-verify-answers', 'POST /sdk-verify answers JSON', '4', {
      request: 'sdk-verify',
      statements: ['4.sdk-verify', '4.json-answers'],
      expect: [{ is: 'success' }],
    }),
    surface('sdk-verify-has-flags', '/sdk-verify answers feature flags', '4', {
      request: 'sdk-verify',
      statements: ['4.sdk-verify-flags'],
      expect: [{ is: 'success' }, { is: 'flags' }],
    }),
    surface('sdk-verify-flags-of-domain', 'The flags of a domain are what its reports meet', '4', {
      request: 'sdk-verify',
      statements: ['4.sdk-verify-flags', '4.feedback-enabled'],
      expect: [{ is: 'success' }, { is: 'switch', pattern: reportSwitch, request: 'feedback-enabled' }],
    }),
    surface('sdk-verify-flags-of-other-domain', 'Those of another domain are its own', '4', {
      request: 'sdk-verify-other-domain',
      statements: ['4.sdk-verify-flags', '4.feedback-enabled'],
      expect: [{ is: 'success' }, { is: 'switch', pattern: reportSwitch, request: 'feedback-disabled' }],
    }),
    surface('sdk-verify-has-statistics', '/sdk-verify answers SDK statistics', '4', {
      request: 'sdk-verify',
      statements: ['4.sdk-verify-statistics'],
      expect: [{ is: 'success' }, { is: 'statistics' }],
    }),
  ],
};

const suites: readonly Suite[] = [
  eventSuite,
  publicSuite,
  serverSuite,
  credentialSuite,
  errorSuite,
  wordpressSuite,
  decisionSuite,
  limitSuite,
];

export const wholeSuite: Suite = {
  requests: suites.flatMap((part): readonly RequestTemplate[] => part.requests),
  checks: inRunningOrder(suites.flatMap((part): readonly Check[] => part.checks)),
};

function inRunningOrder(checks: readonly Check[]): Check[] {
  const rank = (check: Check) => (check.limits === true ? 2 : check.every === undefined ? 0 : 1);
  return checks.toSorted((a, b) => rank(a) - rank(b));
}

function surface(
  name: string,
  title: string,
  section: string,
  rest: Pick<Check, 'statements' | 'expect' | 'request' | 'unless'>,
): Check {
  return { name, title, section, group: 'Public surface', severity: 'required', ...rest };
}

function event(
  name: string,
  title: string,
  section: string,
  request: string,
  rest: Pick<Check, 'statements' | 'expect'>,
): Check {
  return { name, title, section, request, group: 'Events', severity: 'required', ...rest };
}
