import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { closeAll, openOwn, serveHost } from '../mount/foreign-host.ts';
import { type TestApp, withTestApp } from '../support/app.ts';
import { sharedApp } from '../support/shared.ts';

const app = sharedApp({ domains: ['shop.example'] });

const newId = (): string => randomUUID().replaceAll('-', '');
const below = { namespace: '/wp-json/notifier/v1', root: '' };
const id = newId();
const item = (type: string, payload: object): string => `{"type":"${type}"}\n${JSON.stringify(payload)}\n`;
const envelope = (...items: string[]): string => `${JSON.stringify({ event_id: id })}\n${items.join('')}`;
const event = { event_id: id, message: 'x', platform: 'other', timestamp: 1_795_000_000 };
const session = {
  sid: newId(),
  init: true,
  started: '2026-11-21T12:00:00Z',
  status: 'ok',
  attrs: { release: 'a@1' },
};
const feedback = { contexts: { feedback: { message: 'It is slow', url: 'https://shop.example/' } } };
const job = { monitor_slug: 'nightly', status: 'ok', check_in_id: newId() };
const config = { schedule: { type: 'crontab', value: '0 3 * * *' } };
const csp = {
  'csp-report': {
    'document-uri': 'https://shop.example/',
    'effective-directive': 'img-src',
    'blocked-uri': 'data',
  },
};

async function send(start: string, path: string, body?: string, method = 'POST') {
  const mark = path.includes('?') ? '&' : '?';
  const url = `${app.origin}${start}/api/${app.project.id}${path}${mark}sentry_key=${app.publicKey}`;
  const answer = await fetch(url, { method, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

describe.each(Object.entries(below))('below a DSN, at the %s', (_where, start) => {
  it.each<[string, string, string]>([
    ['an event', '/store/', JSON.stringify(event)],
    ['it again', '/store/', JSON.stringify(event)],
    ['an event in an envelope', '/envelope/', envelope(item('event', event))],
    ['a feedback', '/envelope/', envelope(item('feedback', feedback))],
    ['a feedback again', '/envelope/', envelope(item('feedback', feedback))],
    [
      'a transaction, which is not kept',
      '/envelope/',
      envelope(item('transaction', { type: 'transaction' })),
    ],
    ['a session', '/envelope/', envelope(item('session', session))],
    ['a check-in', '/envelope/', envelope(item('check_in', { ...job, monitor_config: config }))],
    ['a client report', '/envelope/', envelope(item('client_report', { discarded_events: [] }))],
  ])('%s is answered 200 with its id first', async (_what, path, body) => {
    const answer = await send(start, path, body);
    expect([answer.status, Object.entries(answer.body)[0]]).toEqual([200, ['id', id]]);
  });

  it.each<[string, string, string | undefined]>([
    ['a report of a browser', '/security/', JSON.stringify(csp)],
    ['the same at its older address', '/csp-report/', JSON.stringify(csp)],
    ['a list of events', '/envelope/', '{"events":[{"message":"x","platform":"other"}]}'],
    ['a check-in by its address', `/cron/nightly/?status=ok&check_in_id=${newId()}`, ''],
  ])('%s is answered 200 with an id first', async (_what, path, body) => {
    const answer = await send(start, path, body);
    expect([answer.status, Object.entries(answer.body)[0]]).toEqual([
      200,
      ['id', expect.stringMatching(/^[\da-f]{32}$/)],
    ]);
  });

  it('a check-in that names no id, by GET, is 200', async () => {
    const answer = await send(start, '/cron/nightly/?status=ok', undefined, 'GET');
    expect([answer.status, answer.body]).toEqual([200, { accepted: true }]);
  });

  it('a session without an id has none, and is 200', async () => {
    const answer = await send(start, '/envelope/', `{}\n${item('session', session)}`);
    expect([answer.status, answer.body.id]).toEqual([200, undefined]);
  });

  it.each<[string, string, string | undefined, number, string]>([
    ['a body that is none', '/store/', '{', 400, 'rest_invalid_json'],
    [
      'one too large',
      '/store/',
      JSON.stringify({ message: 'x'.repeat(1_100_000) }),
      413,
      'rest_payload_too_large',
    ],
    ['what there is not', '/nothing/', '{}', 404, 'rest_no_route'],
    ['the number alone', '/', '{}', 404, 'rest_no_route'],
  ])('%s is refused in WordPress’s shape', async (_what, path, body, status, code) => {
    const answer = await send(start, path, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('x-robots-tag')).toBe('noindex');
  });

  it('an unknown key and another project are refused', async () => {
    const path = `${app.origin}${start}/api`;
    const body = JSON.stringify({ message: 'x' });
    const statuses = [
      `${app.project.id}/store/?sentry_key=${'0'.repeat(32)}`,
      `${app.project.id + 1}/store/?sentry_key=${app.publicKey}`,
    ].map(async (rest) => (await fetch(`${path}/${rest}`, { method: 'POST', body })).status);
    expect(await Promise.all(statuses)).toEqual([401, 401]);
  });

  it('a page of another origin may send', async () => {
    const preflight = await fetch(`${app.origin}${start}/api/${app.project.id}/envelope/`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' },
    });
    const names = ['allow-origin', 'allow-headers', 'expose-headers', 'max-age'];
    const headers = Object.fromEntries(
      names.map((name) => [name, preflight.headers.get(`access-control-${name}`)]),
    );
    expect([preflight.status, headers]).toEqual([
      200,
      {
        'allow-origin': 'https://shop.example',
        'allow-headers': expect.stringContaining('X-Sentry-Auth'),
        'expose-headers': expect.stringContaining('X-Sentry-Rate-Limits'),
        'max-age': '600',
      },
    ]);
  });
});

describe('at the root of the server’s own host', () => {
  const post = (server: TestApp, target: string) =>
    server.agent
      .post(target)
      .query({ sentry_key: server.publicKey })
      .send({ message: 'by the short DSN', platform: 'other' });

  it('requests are counted and limited with those below the namespace', async () => {
    await withTestApp({ env: { RATE_LIMITS: 'on', RATE_LIMIT_EVENTS_PER_MINUTE: '2' } }, async (server) => {
      const path = `/api/${server.project.id}/store/`;
      const statuses = [];
      for (const start of [below.root, below.namespace, below.root]) {
        statuses.push((await post(server, start + path)).status);
      }
      expect(statuses).toEqual([200, 200, 429]);
      const metrics = await server.metrics();
      expect(metrics).toContain('route="/notifier/v1/api/{project}/store"');
      expect(metrics).not.toMatch(/route="\/api\/\{?[\dp]/u);
    });
  });

  it('they are served whatever folder the site has, in any form of the address', async () => {
    await withTestApp({ env: { WP_PATH: '/blog' } }, async (server) => {
      const { id: project } = server.project;
      for (const target of [`/api/${project}/store/`, `/API/${project}/Store`, `//api//${project}/store/`]) {
        expect([target, (await post(server, target)).status]).toEqual([target, 200]);
      }
    });
  });

  it('pages are still served, and an invalid project id is 404', async () => {
    for (const path of [
      '/api',
      '/api/x/store/',
      '/api/0/store/',
      '/apis/1/store/',
      `/x/api/${app.project.id}/store/`,
    ]) {
      const answer = await post(app, path);
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, undefined]);
    }
    expect((await app.agent.get('/sign-in')).text).toMatch(/^<!doctype html>/i);
  });
});

describe('a router in a host application', () => {
  afterAll(closeAll);
  const event_ = { message: 'x', platform: 'other' };

  it('serves the routes at the root of the host, and no others', async () => {
    const { notifier, publicKey } = await openOwn();
    const host = await serveHost((program) => program.use(notifier.router));
    const at = (path: string) => host.agent.post(path).set('X-Notifier-Key', publicKey).send(event_);
    expect([(await at('/api/1/store/')).status, (await at('/api/1/Envelope/')).status]).toEqual([200, 200]);
    expect((await at('/api/1/orders/')).text).toContain('Cannot POST');
    expect((await at('/api/1/')).text).toContain('Cannot POST');
  });

  it('serves none of them when mounted below a folder', async () => {
    const { notifier, publicKey } = await openOwn();
    const host = await serveHost((program) => program.use('/api', notifier.router));
    for (const path of ['/api/1/store/', '/api/api/1/store/']) {
      const answer = await host.agent.post(path).set('X-Notifier-Key', publicKey).send(event_);
      expect([path, answer.text]).toEqual([path, expect.stringContaining('Cannot POST')]);
    }
  });
});

it('native routes answer 201 for new events', async () => {
  expect(await app.post('/store', { message: 'native', platform: 'other' })).toHaveStatus(201);
});
