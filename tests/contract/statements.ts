// Every statement of the specification's sections 2 to 9 that can be seen from outside, with its section.
// A test holds the suite against this table: none without a check, no check without its section.

export interface Statement {
  /** Section and a word or two: what checks refer to. */
  readonly id: string;
  readonly section: string;
  /** What must hold, in our words. */
  readonly text: string;
}

/**
 * The table. What the specification calls "not shown" is no statement; its third section shows nothing at
 * all.
 */
export const statements: readonly Statement[] = [
  s('2.event-message', 'An event has a message, a string'),
  s('2.event-platform', 'An event has a platform, a string'),
  s('2.event-id', 'The answer to an event gives event_id, a string'),
  s('2.issue-id', 'The answer to an event gives issue_id, an integer'),
  s('2.test-run-id', 'An accepted test run is identified by test_run_id'),
  s('2.proof-in-path', 'A domain verification is addressed by its id in the path'),
  s('2.accepted-object', 'An accepted write is answered with a JSON object'),
  s('2.accepted-boolean', 'An accepted write answers accepted, a boolean'),
  s('2.accepted-identifiers', 'An accepted write carries the identifiers that apply'),
  s('4.json-requests', 'Request bodies are JSON with Content-Type: application/json'),
  s('4.json-answers', 'Answers are JSON'),
  s('4.store', 'POST /store creates an event and answers accepted, event_id, issue_id'),
  s('4.store-credential', '/store takes the project public key in a header'),
  s('4.envelope', 'POST /envelope creates events and answers their identifiers'),
  s('4.envelope-credential', '/envelope takes the project public key in a header'),
  s('4.feedback', 'POST /feedback creates a visitor bug report'),
  s('4.feedback-enabled', 'Bug reports are allowed only when enabled for the domain'),
  s('4.sdk-verify', 'POST /sdk-verify verifies a running browser SDK'),
  s('4.sdk-verify-flags', '/sdk-verify answers the feature flags of the domain'),
  s('4.sdk-verify-statistics', '/sdk-verify answers basic SDK statistics'),
  s('4.proof-create', 'POST /domain-verifications creates a domain proof'),
  s('4.proof-reusable', 'A domain proof can be used again'),
  s('4.proof-read', 'GET /domain-verifications/{id} answers the proof record'),
  s('4.proof-check', 'POST /domain-verifications/{id}/check answers the result of the check'),
  s('4.releases', 'POST /releases creates a release'),
  s('4.releases-credential', '/releases takes the server secret key as bearer'),
  s('4.deploys', 'POST /deploys creates a deploy'),
  s('4.deploys-credential', '/deploys takes the server secret key as bearer'),
  s('4.test-runs', 'POST /test-runs creates a result and answers test_run_id'),
  s('4.test-runs-credential', '/test-runs takes the server secret key as bearer'),
  s('4.identifiers', 'A successful write carries the identifiers that apply to its endpoint'),
  s('4.artifacts-credential', 'Artifact calls use the server secret key'),
  s('5.public-key-header', 'Browser calls carry the public key in X-Notifier-Key'),
  s('5.secret-key-bearer', 'Server calls carry the secret key in Authorization: Bearer'),
  s('5.store-public', '/store is called with the public key header'),
  s('5.server-secret', '/releases, /deploys and /test-runs are called with the bearer secret key'),
  s('5.missing-key', 'A missing project key is answered 401'),
  s('5.invalid-key', 'An invalid project key is answered 401'),
  s('5.unauthorized-body', 'That 401 has the error body of section 7'),
  s('6.event-id', 'Each accepted event yields an event_id'),
  s('6.grouped', 'Each accepted event is grouped under an issue_id'),
  s('7.error-object', 'Error answers are JSON objects'),
  s('7.code', 'Errors have code, a string'),
  s('7.message', 'Errors have message, a string'),
  s('7.data-status', 'Errors have data.status, the HTTP status as an integer'),
  s('7.statuses', 'The error statuses are 400, 401, 403, 404 and 429'),
  s('7.unauthorized-code', 'An invalid or missing project key has the code rest_forbidden'),
  s('7.rate-limit', 'A rate limit exceeded is answered 429 with the error body'),
  s('8.public-surfaces', 'Sensitive public surfaces are rate limited with HTTP 429'),
  s('8.ingestion', 'Project-key ingestion is rate limited with HTTP 429'),
  s('9.namespace', 'The API stands under /wp-json/notifier/v1'),
  s('9.version-in-path', 'The version is part of the path: without it nothing is accepted'),
];

function s(id: string, text: string): Statement {
  return { id, section: id.slice(0, id.indexOf('.')), text };
}
