// Contract suite: our decisions where the specification is silent. Differences are only reported.
import type { Check, Expectation, RequestTemplate, Suite } from '../check-types.ts';
import {
  contractMark,
  get,
  jsonType,
  post,
  postText,
  probeEvent,
  publicKey,
  secretKey,
} from './request-parts.ts';
import { probeProof, probeRelease } from './server.ts';

const forbidden = { is: 'error', status: 401, code: 'rest_forbidden' } as const;
const repeatEvent = { ...probeEvent, event_id: '{{event_id}}' };

export const decisionSuite: Suite = {
  requests: [
    post('store-with-id', '/store', [publicKey], repeatEvent),
    post('store-repeat', '/store', [publicKey], repeatEvent, { after: ['store-with-id'] }),
    post('store-bad-id', '/store', [publicKey], { ...probeEvent, event_id: 'not an id' }),
    post('store-explained', '/store', [publicKey, ['X-Notifier-Explain', '1']], repeatEvent, {
      after: ['store-with-id'],
    }),
    post('store-gzip', '/store', [publicKey], repeatEvent, { after: ['store-with-id'], encoding: 'gzip' }),
    postText('store-odd-encoding', '/store', [jsonType, publicKey, ['Content-Encoding', 'rot13']], '{}'),
    postText('store-no-type', '/store', [publicKey], JSON.stringify(repeatEvent), {
      after: ['store-with-id'],
    }),
    postText('store-too-large', '/store', [jsonType, publicKey], { repeat: ' ', times: 1_048_577 }),
    postText('no-key-not-json', '/store', [jsonType], '{"message":'),
    post('no-key-missing', '/releases', [], {}),
    postText('envelope-empty', '/envelope', [publicKey], ''),
    postText('envelope-not-json', '/envelope', [publicKey], contractMark),
    postText('envelope-header-only', '/envelope', [publicKey], '{}\n'),
    postText('envelope-two-events', '/envelope', [publicKey], twoEvents()),
    postText('envelope-session', '/envelope', [publicKey], '{}\n{"type":"session"}\n{}\n'),
    post('feedback-no-key', '/feedback', [], { message: contractMark }),
    post('sdk-verify-no-key', '/sdk-verify', [], { sdk: { name: contractMark, version: '1.0.0' } }),
    post('proof-no-key', '/domain-verifications', [], probeProof),
    post('proof-public-key', '/domain-verifications', [publicKey], probeProof),
    get('proof-read-no-key', '/domain-verifications/{{proof_id}}'),
    post('proof-check-no-key', '/domain-verifications/{{proof_id}}/check', [], {}),
    post('proof-again', '/domain-verifications', [secretKey], probeProof, { after: ['proof'] }),
    post('release-again', '/releases', [secretKey], probeRelease, { after: ['release'] }),
    post('release-slash', '/releases', [secretKey], { version: `${contractMark}/slash` }),
    post('artifacts-nothing', '/artifacts', [secretKey], {}),
    post('sentry-door', '/api/{{project_id}}/store/', [['X-Sentry-Auth', sentryAuth()]], repeatEvent, {
      after: ['store-with-id'],
    }),
    get('issues', '/issues?per_page=1', [secretKey]),
    get('issue', '/issues/{{issue_id}}', [secretKey]),
    get('issues-no-key', '/issues'),
    get('issue-unknown', '/issues/999999999', [secretKey]),
    get('event', '/events/{{stored_event_id}}', [secretKey]),
    get('releases', '/releases?per_page=1', [secretKey]),
    get('test-run-read', '/test-runs/{{test_run_id}}', [secretKey]),
    {
      name: 'foreign-nonce',
      method: 'GET',
      path: '/issues?per_page=1',
      headers: [secretKey, ['X-WP-Nonce', contractMark]],
    },
    ...floods(),
  ],
  checks: [
    decisionCheck(
      'D-10',
      'credential-before-json',
      'The credential comes before the body',
      'no-key-not-json',
      [forbidden],
    ),
    decisionCheck(
      'D-10',
      'credential-before-parameters',
      'and before required parameters',
      'no-key-missing',
      [forbidden],
    ),
    decisionCheck(
      'D-10',
      'nonce-ignored',
      'A nonce of the neighbouring WordPress is ignored',
      'foreign-nonce',
      [{ is: 'success' }],
    ),
    decisionCheck('D-11', 'store-created', 'A new event is 201', 'store-event', [
      { is: 'status', of: [201] },
    ]),
    decisionCheck(
      'D-11',
      'store-repeated',
      'The same event_id again is 200 with the first issue',
      'store-repeat',
      [
        { is: 'status', of: [200] },
        { is: 'equal', path: 'duplicate', value: true },
        { is: 'same-as', request: 'store-with-id', path: 'issue_id' },
      ],
    ),
    decisionCheck('D-11', 'envelope-created', 'A new event by envelope is 201', 'envelope-event', [
      { is: 'status', of: [201] },
    ]),
    decisionCheck(
      'D-11',
      'envelope-repeated',
      'An envelope that stores nothing new is 200',
      'envelope-event-again',
      [{ is: 'status', of: [200] }],
    ),
    decisionCheck('D-11', 'release-repeated', 'A release sent again is 200 and the same', 'release-again', [
      { is: 'status', of: [200] },
      { is: 'same-as', request: 'release', path: 'release_id' },
    ]),
    decisionCheck('D-11', 'sdk-verify-200', '/sdk-verify is 200', 'sdk-verify', [
      { is: 'status', of: [200] },
    ]),
    decisionCheck('D-11', 'check-200', 'A check is 200', 'proof-check', [{ is: 'status', of: [200] }]),
    decisionCheck('D-12', 'too-large', 'Too large is 400 rest_payload_too_large', 'store-too-large', [
      { is: 'error', status: 400, code: 'rest_payload_too_large' },
    ]),
    decisionCheck('D-12', 'odd-encoding', 'An unknown encoding is 400', 'store-odd-encoding', [
      { is: 'error', status: 400 },
    ]),
    decisionCheck('D-13', 'limit-words', '429 rest_too_many_requests with retry_after', 'limit-feedback', [
      { is: 'error', status: 429, code: 'rest_too_many_requests' },
      { is: 'member', path: 'data.retry_after', type: 'integer' },
      { is: 'header', name: 'Retry-After', pattern: '^[1-9][0-9]*$' },
      { is: 'header', name: 'RateLimit', pattern: '.' },
      { is: 'header', name: 'RateLimit-Policy', pattern: '.' },
    ]),
    decisionCheck('D-13', 'limit-categories', 'X-Sentry-Rate-Limits on the event routes', 'limit-store', [
      { is: 'header', name: 'X-Sentry-Rate-Limits', pattern: '^[0-9]+:error:' },
    ]),
    decisionCheck('D-14', 'message-type', 'A message of a wrong type is named', 'store-number', [
      { is: 'error', status: 400, code: 'rest_invalid_param' },
      { is: 'equal', path: 'data.params.message', value: 'message is not of type string,object.' },
    ]),
    decisionCheck(
      'D-14',
      'message-missing',
      'An event that says nothing lacks its message',
      'store-nothing',
      [
        { is: 'error', status: 400, code: 'rest_missing_callback_param' },
        { is: 'equal', path: 'data.params', value: ['message'] },
      ],
    ),
    decisionCheck('D-14', 'event-id-malformed', 'A malformed event_id is 400', 'store-bad-id', [
      { is: 'error', status: 400, code: 'rest_invalid_param' },
    ]),
    ...noKey('feedback-no-key', '/feedback'),
    ...noKey('sdk-verify-no-key', '/sdk-verify'),
    ...noKey('proof-no-key', '/domain-verifications'),
    ...noKey('proof-public-key', '/domain-verifications by the public key'),
    ...noKey('proof-read-no-key', '/domain-verifications/{id}'),
    ...noKey('proof-check-no-key', '/domain-verifications/{id}/check'),
    decisionCheck('D-16', 'sentry-door', 'A Sentry SDK’s address works', 'sentry-door', [{ is: 'success' }]),
    decisionCheck('D-17', 'gzip', 'gzip bodies are read', 'store-gzip', [{ is: 'success' }]),
    decisionCheck('D-17', 'no-content-type', 'JSON is read without a Content-Type', 'store-no-type', [
      { is: 'success' },
    ]),
    decisionCheck('D-20', 'limit-on-checks', 'Checks of a proof are limited', 'limit-checks', [
      { is: 'error', status: 429 },
    ]),
    decisionCheck('D-20', 'limit-on-bad-keys', 'Failing credentials are limited', 'limit-bad-keys', [
      { is: 'error', status: 429 },
    ]),
    decisionCheck('D-22', 'proof-again', 'The same domain again is the same proof', 'proof-again', [
      { is: 'status', of: [200] },
      { is: 'same-as', request: 'proof', path: 'id' },
    ]),
    decisionCheck(
      'D-22',
      'proof-record',
      'The record says domain, status, token and challenges',
      'proof-read',
      [
        { is: 'member', path: 'domain', type: 'string' },
        { is: 'match', path: 'status', pattern: '^(pending|verified|failing|lapsed|expired|revoked)$' },
        { is: 'member', path: 'token', type: 'string' },
        { is: 'member', path: 'challenges', type: 'list' },
      ],
    ),
    decisionCheck('D-23', 'unknown-domain', 'An unknown domain is 403 with its reason', 'feedback-disabled', [
      { is: 'error', status: 403, code: 'rest_forbidden' },
      { is: 'match', path: 'data.reason', pattern: '^(unknown_domain|bug_reports_disabled)$' },
    ]),
    decisionCheck(
      'D-23',
      'flag-is-the-switch',
      '/sdk-verify says what /feedback obeys',
      'sdk-verify-other-domain',
      [{ is: 'equal', path: 'flags.bug_reports', value: false }],
    ),
    decisionCheck('D-24', 'artifacts', 'Artifacts live at POST /artifacts', 'artifacts-nothing', [
      { is: 'error', status: 400 },
    ]),
    decisionCheck('D-25', 'issues', 'GET /issues is a list with its totals', 'issues', [
      { is: 'status', of: [200] },
      { is: 'text', pattern: '^\\[' },
      { is: 'header', name: 'X-WP-Total', pattern: '^[0-9]+$' },
      { is: 'header', name: 'X-WP-TotalPages', pattern: '^[0-9]+$' },
    ]),
    decisionCheck('D-25', 'issue', 'GET /issues/{id} reads the issue', 'issue', [{ is: 'success' }]),
    decisionCheck('D-25', 'issues-need-secret', 'Reading needs the secret key', 'issues-no-key', [forbidden]),
    decisionCheck('D-25', 'event', 'GET /events/{event_id} reads the event', 'event', [{ is: 'success' }]),
    decisionCheck('D-25', 'releases', 'GET /releases lists them', 'releases', [
      { is: 'status', of: [200] },
      { is: 'text', pattern: '^\\[' },
    ]),
    decisionCheck('D-25', 'test-run', 'GET /test-runs/{id} reads the run', 'test-run-read', [
      { is: 'success' },
    ]),
    decisionCheck('D-27', 'exposed', 'The limits’ headers are exposed', 'store-event', [
      { is: 'header', name: 'Access-Control-Expose-Headers', pattern: 'Retry-After' },
      { is: 'header', name: 'Cross-Origin-Resource-Policy', value: 'cross-origin' },
      { is: 'no-header', name: 'Access-Control-Allow-Credentials' },
    ]),
    decisionCheck('D-27', 'max-age', 'A preflight may be kept for ten minutes', 'preflight', [
      { is: 'header', name: 'Access-Control-Max-Age', value: '600' },
    ]),
    decisionCheck('D-28', 'event-id-form', 'event_id is 32 lower-case hex', 'store-event', [
      { is: 'match', path: 'event_id', pattern: '^[0-9a-f]{32}$' },
    ]),
    decisionCheck('D-28', 'event-id-kept', 'A client’s event_id is kept', 'store-with-id', [
      { is: 'equal', path: 'event_id', value: '{{event_id}}' },
    ]),
    decisionCheck('D-28', 'proof-id-form', 'Proofs are dv_ and 22 letters or digits', 'proof', [
      { is: 'match', path: 'id', pattern: '^dv_[A-Za-z0-9]{22}$' },
    ]),
    decisionCheck('D-28', 'verification-id-form', 'SDK verifications are sv_ and 22', 'sdk-verify', [
      { is: 'match', path: 'verification_id', pattern: '^sv_[A-Za-z0-9]{22}$' },
    ]),
    ...identifierChecks('release', 'release_id'),
    ...identifierChecks('deploy', 'deploy_id'),
    ...identifierChecks('test-run', 'test_run_id'),
    {
      ...decisionCheck('D-28', 'feedback-id', 'feedback_id is a positive integer', 'feedback-enabled', [
        { is: 'member', path: 'feedback_id', type: 'integer' },
      ]),
      unless: { status: 403, because: 'no report was taken', withoutOption: 'domain' },
    },
    decisionCheck('D-28', 'unknown-proof', 'An unknown proof has its own code', 'proof-unknown', [
      { is: 'error', status: 404, code: 'notifier_domain_verification_invalid_id' },
    ]),
    decisionCheck('D-28', 'unknown-issue', 'An unknown issue has its own code', 'issue-unknown', [
      { is: 'error', status: 404, code: 'notifier_issue_invalid_id' },
    ]),
    decisionCheck(
      'Events: What is answered',
      'explained',
      'X-Notifier-Explain shows the grouping',
      'store-explained',
      [{ is: 'member', path: 'grouping', type: 'object' }],
    ),
    decisionCheck('Events: Envelopes', 'envelope-empty', 'An empty envelope is refused', 'envelope-empty', [
      { is: 'error', status: 400 },
    ]),
    decisionCheck(
      'Events: Envelopes',
      'envelope-not-json',
      'An envelope without a header is refused',
      'envelope-not-json',
      [{ is: 'error', status: 400, code: 'notifier_invalid_envelope' }],
    ),
    decisionCheck(
      'Events: Envelopes',
      'envelope-header-only',
      'An envelope without items is refused',
      'envelope-header-only',
      [{ is: 'error', status: 400, code: 'notifier_empty_envelope' }],
    ),
    decisionCheck(
      'Events: Envelopes',
      'envelope-two-events',
      'Two events are a duplicate item',
      'envelope-two-events',
      [{ is: 'error', status: 400, code: 'notifier_duplicate_item' }],
    ),
    decisionCheck(
      'Events: Envelopes',
      'envelope-skipped',
      'What is not kept is counted',
      'envelope-session',
      [
        { is: 'status', of: [200] },
        { is: 'equal', path: 'accepted', value: true },
        { is: 'absent', path: 'issue_id' },
      ],
    ),
    decisionCheck(
      'Releases: Names',
      'version-character',
      'A version with a slash is refused',
      'release-slash',
      [{ is: 'error', status: 400, code: 'rest_invalid_param' }],
    ),
  ],
};

function floods(): RequestTemplate[] {
  const flood = (name: string, request: string, requestsMax: number): RequestTemplate => ({
    name,
    method: 'POST',
    path: '/',
    headers: [],
    flood: [{ request, requestsMax }],
  });
  return [flood('limit-checks', 'proof-check-no-body', 30), flood('limit-bad-keys', 'no-key-missing', 200)];
}

function noKey(request: string, subject: string): Check[] {
  return [decisionCheck('D-15', `key-for-${request}`, `${subject} needs its key`, request, [forbidden])];
}

function identifierChecks(request: string, member: string): Check[] {
  return [
    decisionCheck('D-28', `${request}-id`, `${member} is a positive integer`, request, [
      { is: 'member', path: member, type: 'integer' },
    ]),
  ];
}

function decisionCheck(
  section: string,
  name: string,
  title: string,
  request: string,
  expect: readonly Expectation[],
): Check {
  const limits = request.startsWith('limit-');
  return {
    name: `decision-${name}`,
    title,
    request,
    expect,
    section,
    group: 'Our own decisions',
    severity: 'decision',
    statements: [],
    ...(limits ? { limits } : {}),
  };
}

function twoEvents(): string {
  const item = `{"type":"event"}\n${JSON.stringify(probeEvent)}\n`;
  return `{}\n${item}${item}`;
}

function sentryAuth(): string {
  return 'Sentry sentry_version=7, sentry_client=notifier-contract/1.0, sentry_key={{public_key}}';
}
