import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../support/shared.ts';
import { fullOrSome, rows } from '../support/test-level.ts';

const app = sharedApp();

const csp = (more: object = {}) => ({
  'csp-report': {
    'document-uri': 'https://shop.example/cart',
    referrer: 'https://www.google.com/',
    'violated-directive': 'script-src https://shop.example cdn.example',
    'effective-directive': 'script-src',
    'original-policy': "default-src 'self'",
    'blocked-uri': 'https://evil.example/x.js?a=1',
    'status-code': 200,
    ...more,
  },
});
const reporting = (type: string, body: object, more: object = {}) => ({
  type,
  age: 2_000,
  url: 'https://shop.example/cart',
  user_agent: 'Mozilla/5.0 (of the report)',
  body,
  ...more,
});

async function send(body: unknown, path = '/security', headers: Record<string, string> = {}) {
  const {
    status,
    headers: answered,
    body: answer,
  } = await app.agent
    .post(`/wp-json/notifier/v1${path}?sentry_key=${app.publicKey}`)
    .set({ 'Content-Type': 'application/csp-report', ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body));
  return { status, headers: answered as Record<string, string>, body: answer };
}

async function kept(body: unknown, path?: string) {
  const answer = await send(body, path);
  expect(answer.status).toBe(201);
  return (await app.get(`/events/${answer.body.event_id}`)).body;
}

const issueOf = async (body: unknown): Promise<number> => (await send(body)).body.issue_id;

describe('a report of a Content Security Policy', () => {
  it('is an event with title, culprit, tags and csp', async () => {
    const event = await kept(csp());
    expect(event).toMatchObject({
      type: 'csp',
      logger: 'csp',
      level: 'error',
      logentry: { message: "Blocked 'script' from 'evil.example'" },
      transaction: "script-src 'self' cdn.example",
      request: { url: 'https://shop.example/cart' },
      csp: { effective_directive: 'script-src', status_code: 200, original_policy: "default-src 'self'" },
      domain: 'shop.example',
    });
    expect(Object.fromEntries(event.tags)).toEqual({
      'effective-directive': 'script-src',
      'blocked-uri': 'https://evil.example/x.js?a=1',
      'blocked-host': 'evil.example',
    });
    const issue = (await app.get(`/issues/${event.issue_id}`)).body;
    expect([issue.title, issue.culprit]).toEqual([
      "Blocked 'script' from 'evil.example'",
      "script-src 'self' cdn.example",
    ]);
  });

  it.each([
    [{ 'blocked-uri': 'inline' }, "Blocked unsafe inline 'script'"],
    [{ 'blocked-uri': 'eval', 'effective-directive': 'script-src-elem' }, "Blocked unsafe eval() 'script'"],
    [{ 'blocked-uri': 'self' }, "Blocked unsafe (eval() or inline) 'script'"],
    [{ 'blocked-uri': undefined }, "Blocked unsafe (eval() or inline) 'script'"],
    [{ 'effective-directive': 'style-src', 'blocked-uri': '' }, "Blocked inline 'style'"],
    [{ 'effective-directive': 'img-src', 'blocked-uri': 'data' }, "Blocked 'image' from 'data:'"],
    [
      { 'effective-directive': 'connect-src', 'blocked-uri': 'wss://live.example:8443/a' },
      "Blocked 'connect' from 'wss://live.example:8443'",
    ],
    [
      { 'effective-directive': 'form-action', 'blocked-uri': 'http://evil.example:81/' },
      "Blocked 'form' action to 'evil.example:81'",
    ],
    [
      { 'effective-directive': undefined, 'violated-directive': 'default-src self' },
      "Blocked 'default-src' from 'evil.example'",
    ],
  ])('%j has the title: %s', async (more, message) => {
    expect((await kept(csp(more))).logentry.message).toBe(message);
  });

  it('is grouped by directive and blocked origin', async () => {
    const one = await issueOf(csp());
    expect(await issueOf(csp({ 'blocked-uri': 'https://evil.example/other.js' }))).toBe(one);
    expect(await issueOf(csp({ 'document-uri': 'https://shop.example/other', 'line-number': 7 }))).toBe(one);
    const body = {
      documentURL: 'https://shop.example/',
      blockedURL: 'https://evil.example/',
      effectiveDirective: 'script-src',
    };
    expect(await issueOf([reporting('csp-violation', body)])).toBe(one);
    const others = [
      await issueOf(csp({ 'blocked-uri': 'https://other.example/x.js' })),
      await issueOf(csp({ 'effective-directive': 'img-src' })),
      await issueOf(csp({ 'blocked-uri': 'inline' })),
      await issueOf(csp({ 'blocked-uri': 'eval' })),
    ];
    expect(new Set([one, ...others]).size).toBe(5);
  });
});

describe('a list of the Reporting API', () => {
  it('creates one event for each report, with its time, page and browser', async () => {
    const { status, body } = await send(
      [
        reporting('csp-violation', {
          documentURL: 'https://shop.example/list',
          blockedURL: 'https://ads.example/a.gif',
          effectiveDirective: 'img-src',
          sample: '',
          disposition: 'report',
        }),
        reporting('deprecation', { id: 'websql', message: 'WebSQL is deprecated.' }),
        reporting('network-error', { type: 'ok', phase: 'application', status_code: 200 }),
        reporting('network-error', {
          type: 'http.error',
          phase: 'application',
          status_code: 503,
          method: 'GET',
        }),
        reporting('network-error', { type: 'dns.name_not_resolved', phase: 'dns', status_code: 0 }),
        'no report',
      ],
      '/security',
      { 'Content-Type': 'application/reports+json' },
    );
    expect([status, body.items, body.skipped]).toEqual([201, { event: 4 }, { event: 1, network_success: 1 }]);
    const events = await Promise.all(
      body.events
        .filter((each: { event_id: string | null }) => each.event_id !== null)
        .map(async ({ event_id }: { event_id: string }) => (await app.get(`/events/${event_id}`)).body),
    );
    expect(events.map((event) => [event.type, event.level, event.logentry.message])).toEqual([
      ['csp', 'error', "Blocked 'image' from 'ads.example'"],
      ['deprecation', 'warning', 'deprecation: WebSQL is deprecated.'],
      ['nel', 'error', "Network error http.error (503) at 'shop.example'"],
      ['nel', 'error', "Network error dns.name_not_resolved at 'shop.example'"],
    ]);
    expect(new Set(events.map((event) => event.issue_id)).size).toBe(4);
    expect(events[0].request.headers['User-Agent']).toContain('of the report');
    expect(app.deps.now() - Date.parse(events[0].timestamp)).toBe(2_000);
  });

  it('of successes only is accepted, and stores nothing', async () => {
    const { status, body } = await send([reporting('network-error', { type: 'ok' })]);
    expect([status, body]).toEqual([200, { accepted: true, skipped: { network_success: 1 } }]);
  });
});

it('a report of pinned keys, Expect-CT or Expect-Staple is one issue for its host', async () => {
  const pins = {
    'date-time': '2026-11-21T12:00:00Z',
    hostname: 'www.example',
    port: 443,
    'known-pins': ['x'],
  };
  expect(await kept(pins)).toMatchObject({
    type: 'hpkp',
    logentry: { message: "Public key pinning failed for 'www.example'" },
  });
  const ct = (hostname: string) => ({
    'expect-ct-report': { hostname, port: 443, 'served-certificate-chain': ['x'] },
  });
  const event = await kept(ct('www.example'));
  expect(event).toMatchObject({
    type: 'expectct',
    logentry: { message: "Expect-CT failed for 'www.example'" },
  });
  expect(Object.fromEntries(event.tags)).toEqual({ hostname: 'www.example', port: '443' });
  expect(await issueOf(ct('www.example'))).toBe(event.issue_id);
  expect(await issueOf(ct('api.example'))).not.toBe(event.issue_id);
  expect(await issueOf({ 'expect-staple-report': { hostname: 'www.example' } })).not.toBe(event.issue_id);
});

describe('the routes', () => {
  it.each(rows(() => fullOrSome(['/security', '/security/', '/api/1/security/', '/api/1/csp-report/'], 4)))(
    '%s',
    async (path) => {
      const { status, body } = await send(csp(), path);
      expect([status < 300, body.accepted, typeof body.issue_id]).toEqual([true, true, 'number']);
    },
  );

  it('read release and environment from the URL, and the site from Origin', async () => {
    const url = `${app.api}/api/1/security/?sentry_key=${app.publicKey}&sentry_release=shop@2&sentry_environment=live`;
    const headers = { Origin: 'https://pages.example', 'Content-Type': 'application/expect-ct-report+json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(csp()) });
    const { event_id } = (await answer.json()) as { event_id: string };
    expect((await app.get(`/events/${event_id}`)).body).toMatchObject({
      release: 'shop@2',
      environment: 'live',
      domain: 'pages.example',
    });
  });

  it('answer the preflight that a list of reports has', async () => {
    const answer = await fetch(`${app.api}/api/1/security/?sentry_key=${app.publicKey}`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');
  });

  it.each([
    ['no JSON', '{', 'rest_invalid_json'],
    ['another object', { message: 'x' }, 'notifier_invalid_report'],
    ['an empty list', [], 'notifier_invalid_report'],
    [
      'a report without a directive',
      { 'csp-report': { 'blocked-uri': 'inline' } },
      'notifier_invalid_report',
    ],
    ['more reports than a body may hold', Array(501).fill(csp()), 'notifier_invalid_report'],
  ])('refuse %s', async (_what, sent, code) => {
    const { status, body } = await send(sent);
    expect([status, body.code, body.data.status]).toEqual([400, code, 400]);
  });

  it('charge one event for each report', async () => {
    const left = (headers: Record<string, string>) => Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
    const before = left((await send(csp())).headers);
    expect(left((await send([csp(), csp(), csp()])).headers)).toBe(before - 3);
    const success = reporting('network-error', { type: 'ok' });
    expect(left((await send([success, success])).headers)).toBe(before - 5);
    await app.deps.outcomes.flush();
    const counted = await app.deps.store.listOutcomes(app.project.id, 0, app.deps.now() + 1);
    expect(counted.filter(({ category }) => category === 'network_success')).toMatchObject([
      { outcome: 'filtered', reason: 'unsupported' },
    ]);
  });
});
