import { describe, expect, it } from '@jest/globals';
import type { CompatibilityProfile } from '../../schemas/compatibility-profile.ts';
import { isSafePattern } from '../../schemas/compatibility-profile.ts';
import { defaultProfile } from '../../schemas/default-profile.ts';
import { applyProfile, applyProfileHeaders } from '../../src/compatibility/apply-profile.ts';
import {
  InvalidProfileError,
  parseProfile,
  profileArgumentsOf,
  profileRouteName,
} from '../../src/compatibility/profile-lookup.ts';
import { fullOrSome, rows } from '../support/test-level.ts';

function dialectOf(more: object): CompatibilityProfile {
  return parseProfile(JSON.stringify({ dialect: 1, name: 'test', ...more }));
}

function ruleOf(more: object): string {
  try {
    dialectOf(more);
    return 'none';
  } catch (error) {
    if (error instanceof InvalidProfileError) return error.rule;
    throw error;
  }
}

const forbidden = { code: 'rest_forbidden', message: 'No.' };

describe('a dialect that changes what the specification fixes', () => {
  const cases = [
    ['7-unauthorized', { refusals: { unauthorized: { ...forbidden, status: 403 } } }],
    ['7-unauthorized', { refusals: { unauthorized: { status: 401, code: 'no_key' } } }],
    [
      '7-unauthorized',
      { route_refusals: { 'POST /store': { unauthorized: { ...forbidden, status: 400 } } } },
    ],
    ['7-rate-limit', { refusals: { rate_limited: { status: 400, code: 'slow' } } }],
    ['7-statuses', { refusals: { payload_too_large: { status: 413, code: 'too_large' } } }],
    ['7-statuses', { refusals: { no_route: { status: 405, code: 'method' } } }],
    ['4-success', { success: { 'POST /store': { created: 302 } } }],
    ['4-success', { success: { 'POST /releases': { repeated: 409 } } }],
    ['4-identifiers', { members: { 'POST /store': { created: ['accepted', 'event_id'] } } }],
    ['4-identifiers', { members: { 'POST /test-runs': { created: ['accepted'] } } }],
    ['4-identifiers', { members: { 'POST /sdk-verify': { ok: ['accepted', 'flags'] } } }],
    ['2-identifiers', { identifiers: { 'POST /store': { issue_id: 'group_id' } } }],
    ['2-identifiers', { identifiers: { 'POST /store': { id: 'event_id' } } }],
    ['4-json', { headers: { omit: ['content-type'] } }],
    ['4-json', { headers: { values: { 'Content-Type': 'text/html' } } }],
    ['2-event', { arguments: { 'POST /store': { message: { type: 'integer', required: true } } } }],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 4)))('is refused as %s', (rule, more) => {
    expect(ruleOf(more)).toBe(rule);
  });

  it.each([
    ['no JSON', '{'],
    ['another form', '{"dialect":2,"name":"x"}'],
    ['an unknown member', '{"dialect":1,"name":"x","namespace":"other/v1"}'],
    ['a header that is none', '{"dialect":1,"name":"x","headers":{"add":{"A B":"c"}}}'],
    ['a header value that breaks the line', '{"dialect":1,"name":"x","headers":{"add":{"A":"b\\r\\nC: d"}}}'],
  ])('refuses %s', (_what, text) => {
    expect(() => parseProfile(text)).toThrow(expect.objectContaining({ name: 'DialectError', rule: 'form' }));
  });

  it('names the place in the file', () => {
    expect(() => dialectOf({ refusals: { no_route: { status: 405, code: 'x' } } })).toThrow(
      'The compatibility profile cannot be used: refusals.no_route: section 7 of the specification allows the error statuses 400, 401, 403, 404, 429, not 405.',
    );
  });
});

describe('patterns of another server', () => {
  it.each([
    '^[a-z0-9-]+$',
    '^\\d+\\.\\d+$',
    '(ab){2}',
    '^(a|b)$',
    '([a-z]+)x',
    '[(+*|]+',
    '\\(+',
    '^(?:dv_)?[\\w-]+$',
  ])('accepts %s', (pattern) => expect(isSafePattern(pattern)).toBe(true));

  it.each(['^(a+)+$', '(a|aa)*', '((a*)b)+', '([a-z]+,?){1,}', '(x(y+)){2,99}', 'a'.repeat(501)])(
    'refuses the pattern %s',
    (pattern) => expect(isSafePattern(pattern)).toBe(false),
  );

  it.each([
    { type: 'string', pattern: '^(a+)+$' },
    { type: 'array', items: { type: 'object', properties: { a: { type: 'string', pattern: '(a*)*' } } } },
    { type: 'object', patternProperties: { '^(x+)+$': { type: 'string' } } },
  ])('are refused in %j', (version) => {
    expect(ruleOf({ arguments: { 'POST /releases': { version } } })).toBe('safe-pattern');
  });

  it.each([
    { type: 'string', pattern: '^[a-z]{1,9}$' },
    { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
    { type: 'string', description: '^(a+)+$' },
  ])('are taken in %j', (version) => {
    expect(ruleOf({ arguments: { 'POST /releases': { version } } })).toBe('none');
  });
});

describe('an answer in a dialect', () => {
  const store = { method: 'POST', path: '/store' };
  const stored = { accepted: true, event_id: 'a', issue_id: 1, id: 'a', is_new: true };

  it('has the status and the members of the dialect, in their order', () => {
    const dialect = dialectOf({
      success: { 'POST /store': { created: 202 } },
      members: { 'POST /store': { created: ['issue_id', 'accepted', 'event_id', 'never'] } },
    });
    const answer = applyProfile(dialect, store, { status: 201, data: stored });
    expect(answer).toHaveStatus(202);
    expect([...(answer.data as Map<string, unknown>)]).toEqual([
      ['issue_id', 1],
      ['accepted', true],
      ['event_id', 'a'],
    ]);
  });

  it('names identifiers of a route as the other server does', () => {
    const dialect = dialectOf({ identifiers: { 'POST /feedback': { feedback_id: 'report_id' } } });
    const data = { accepted: true, feedback_id: 7 };
    const worded = applyProfile(
      dialect,
      { method: 'POST', path: '/notifier/v1/feedback' },
      { status: 201, data },
    );
    expect([...(worded.data as Map<string, unknown>).keys()]).toEqual(['accepted', 'report_id']);
    const untouched = { status: 200, data };
    expect(applyProfile(dialect, { method: 'GET', path: '/feedback' }, untouched).data).toBe(data);
  });

  it('words a refusal by its reason', () => {
    const dialect = dialectOf({
      refusals: { bug_reports_disabled: { status: 400, code: 'off', message: 'Off.', data: [] } },
    });
    const refusal = (reason: string) => ({
      status: 403,
      data: { ...forbidden, data: { status: 403, reason } },
    });
    const route = { method: 'POST', path: '/feedback' };
    const worded = applyProfile(dialect, route, refusal('bug_reports_disabled'));
    expect(worded).toHaveStatus(400);
    expect([...(worded.data as Map<string, unknown>)]).toEqual([
      ['code', 'off'],
      ['message', 'Off.'],
      ['data', new Map([['status', 400]])],
    ]);
    const other = refusal('unknown_domain');
    expect(applyProfile(dialect, route, other)).toBe(other);
  });

  it('prefers the entry of a route', () => {
    const dialect = dialectOf({
      refusals: { unauthorized: { ...forbidden, status: 401 } },
      route_refusals: {
        'POST /releases': { unauthorized: { ...forbidden, status: 401, message: 'Secret?' } },
      },
    });
    const refusal = {
      status: 401,
      data: { code: 'rest_forbidden', message: 'Sorry.', data: { status: 401 } },
    };
    const said = (path: string) =>
      (applyProfile(dialect, { method: 'POST', path }, refusal).data as Map<string, unknown>).get('message');
    expect([said('/store'), said('/releases')]).toEqual(['No.', 'Secret?']);
  });

  it('keeps texts without an entry', () => {
    const dialect = dialectOf({});
    for (const answer of [
      { status: 201, data: stored },
      { status: 200, data: [1, 2] },
      { status: 400, data: { code: 'rest_invalid_param', message: 'x', data: { status: 400 } } },
      { status: 500, data: { code: 'internal_server_error', message: 'x', data: { status: 500 } } },
    ]) {
      expect(applyProfile(dialect, store, answer).data).toBe(answer.data);
      expect(applyProfile(dialect, { method: 'GET', path: null }, answer)).toBe(answer);
    }
  });

  it('is unchanged in our own dialect', () => {
    const refusal = {
      status: 401,
      data: { code: 'rest_forbidden', message: 'Sorry.', data: { status: 401 } },
    };
    expect(applyProfile(defaultProfile, store, { status: 201, data: stored })).toEqual({
      status: 201,
      data: stored,
    });
    expect(applyProfile(defaultProfile, store, refusal)).toHaveStatus(401);
  });
});

describe('headers in a dialect', () => {
  const headers = [
    ['Content-Type', 'application/json'],
    ['Allow', 'POST'],
    ['Vary', 'Origin'],
    ['RateLimit', 'x'],
  ] as const;

  it('removes, rewords and adds headers in their place', () => {
    const dialect = dialectOf({
      headers: {
        omit: ['ratelimit'],
        values: { allow: 'GET' },
        add: { 'X-Own': '1' },
        add_with_origin: { 'Access-Control-Allow-Credentials': 'true' },
        order: ['Allow', 'Access-Control-Allow-Credentials', 'Vary'],
      },
    });
    expect(applyProfileHeaders(dialect, true, headers)).toEqual([
      ['Content-Type', 'application/json'],
      ['Allow', 'GET'],
      ['Access-Control-Allow-Credentials', 'true'],
      ['Vary', 'Origin'],
      ['X-Own', '1'],
    ]);
    expect(applyProfileHeaders(dialect, false, headers).map(([name]) => name)).toEqual([
      'Content-Type',
      'Allow',
      'Vary',
      'X-Own',
    ]);
  });

  it('changes nothing without entries', () => {
    expect(applyProfileHeaders(dialectOf({}), true, headers)).toEqual(headers);
  });
});

describe('the name of a route', () => {
  it.each([
    ['POST', '/store', 'POST /store'],
    ['get', '/domain-verifications/{id}', 'GET /domain-verifications/{id}'],
    ['GET', '/issues/{id:\\d+}/events', 'GET /issues/{id}/events'],
    ['GET', '/a/{sha:[0-9a-f]{32}}/b', 'GET /a/{id}/b'],
    ['POST', '/domain-verifications/(?P<id>[\\w-]+)/check', 'POST /domain-verifications/{id}/check'],
  ])('%s %s is %s', (method, path, name) => {
    expect(profileRouteName(method, path)).toBe(name);
  });

  it('looks arguments up as own properties only', () => {
    const dialect = dialectOf({
      arguments: { 'POST /deploys': { version: { type: 'string', required: true } } },
    });
    expect(profileArgumentsOf(dialect, 'POST', '/deploys')).toEqual({
      version: { type: 'string', required: true },
    });
    expect(profileArgumentsOf(dialect, 'POST', '/releases')).toBeNull();
  });
});
