// Contract suite, sections 7 to 9: error body, rate limits, version in the path.
import type { Check, EveryExpectation, Suite } from '../check-types.ts';
import { get, jsonType, post, probeEvent, publicKey, secretKey } from './request-parts.ts';

export const errorSuite: Suite = {
  requests: [
    post('unknown-route', '/notifier-contract-nothing-here', [publicKey], {}),
    get('wrong-method', '/store', [publicKey]),
    get('proof-unknown', '/domain-verifications/{{unknown_proof_id}}', [secretKey]),
    post('proof-unknown-check', '/domain-verifications/{{unknown_proof_id}}/check', [secretKey], {}),
    {
      name: 'no-version',
      method: 'POST',
      apiPath: '/notifier/store',
      headers: [jsonType, publicKey],
      body: { json: probeEvent },
    },
  ],
  checks: [
    error('unknown-route-is-an-error', 'An unknown route answers the error body', 'unknown-route'),
    error(
      'wrong-method-is-an-error',
      'A known route by another method answers the error body',
      'wrong-method',
    ),
    error(
      'unknown-proof-is-an-error',
      'Reading a proof that is not there answers the error body',
      'proof-unknown',
    ),
    error(
      'unknown-proof-check-is-an-error',
      'Checking a proof that is not there is an error',
      'proof-unknown-check',
    ),
    every('errors-are-json', 'Every error is a JSON object', 'error-is-json', '7.error-object'),
    every('errors-have-code', 'Every error has code, a string', 'error-has-code', '7.code'),
    every('errors-have-message', 'Every error has message, a string', 'error-has-message', '7.message'),
    every(
      'errors-have-data-status',
      'data.status is the HTTP status, an integer',
      'error-has-status',
      '7.data-status',
    ),
    every(
      'errors-keep-to-five-statuses',
      'Errors are 400, 401, 403, 404 or 429',
      'error-status-allowed',
      '7.statuses',
    ),
    {
      ...every('answers-are-json', 'Every success is JSON', 'success-is-json', '4.json-answers'),
      section: '4',
    },
    {
      ...every(
        'answers-say-json',
        'Every answer says application/json',
        'json-content-type',
        '4.json-answers',
      ),
      section: '4',
    },
    {
      ...error('version-in-the-path', 'A path without the version accepts nothing', 'no-version'),
      section: '9',
      statements: ['9.version-in-path'],
      expect: [{ is: 'refused' }],
    },
    {
      ...error('namespace-answers', 'The API answers under /wp-json/notifier/v1', 'store-event'),
      section: '9',
      statements: ['9.namespace'],
      expect: [{ is: 'success' }],
    },
  ],
};

/** Repeats requests that create nothing, where possible. */
export const limitSuite: Suite = {
  requests: [
    flood('limit-feedback', '/feedback', [
      { request: 'feedback-disabled', requestsMax: 200 },
      { request: 'feedback-enabled', requestsMax: 20 },
    ]),
    flood('limit-sdk-verify', '/sdk-verify', [{ request: 'sdk-verify', requestsMax: 200 }]),
    flood('limit-store', '/store', [{ request: 'store-repeat', requestsMax: 1500 }]),
    flood('limit-envelope', '/envelope', [{ request: 'envelope-event', requestsMax: 1500 }]),
  ],
  checks: [
    limit('limit-on-feedback', '/feedback has a rate limit', 'limit-feedback', '8.public-surfaces'),
    limit('limit-on-sdk-verify', '/sdk-verify has a rate limit', 'limit-sdk-verify', '8.public-surfaces'),
    limit('limit-on-store', '/store has a rate limit', 'limit-store', '8.ingestion'),
    limit('limit-on-envelope', '/envelope has a rate limit', 'limit-envelope', '8.ingestion'),
    {
      ...limit('limit-has-error-body', 'A 429 has the error body', 'limit-feedback', '7.rate-limit'),
      section: '7',
    },
  ],
};

function flood(
  name: string,
  path: string,
  each: ReadonlyArray<{ readonly request: string; readonly requestsMax: number }>,
): Suite['requests'][number] {
  return { name, method: 'POST', path, headers: [], flood: each };
}

function error(name: string, title: string, request: string): Check {
  return {
    name,
    title,
    request,
    group: 'Errors',
    severity: 'required',
    section: '7',
    statements: ['7.error-object', '7.code', '7.message', '7.data-status', '7.statuses'],
    expect: [{ is: 'error' }],
  };
}

function every(name: string, title: string, expectation: EveryExpectation, statement: string): Check {
  return {
    name,
    title,
    group: 'Errors',
    severity: 'required',
    section: '7',
    statements: [statement],
    every: expectation,
  };
}

function limit(name: string, title: string, request: string, statement: string): Check {
  return {
    name,
    title,
    request,
    group: 'Limits',
    severity: 'required',
    section: '8',
    statements: [statement, '7.rate-limit', '7.statuses'],
    limits: true,
    expect: [{ is: 'error', status: 429 }],
  };
}
