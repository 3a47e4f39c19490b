import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import type { PeriodicJob } from '../../../src/core/periodic-job.ts';
import type { TestApp } from '../../support/app.ts';
import { itForAll } from '../../support/shared.ts';
import { fullOrSome, rows } from '../../support/test-level.ts';
import { openEmptyWorkspace, type TestGuests } from '../../support/workspace.ts';

interface Heard {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

let workspace: TestGuests;
let app: TestApp;
let monitoring: PeriodicJob;
let server: Server;
let other: Server;
let heard: Heard[];
let redirect: { status: number; to: string } | null;

const portOf = (of: Server): number => (of.address() as AddressInfo).port;
const listen = async (answers: () => { status: number; to: string } | null): Promise<Server> => {
  const made = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      heard.push({ method: request.method, url: request.url, headers: request.headers, body });
      const away = request.url === '/' ? answers() : null;
      if (away === null) response.end('ok');
      else response.writeHead(away.status, { location: away.to }).end();
    });
  });
  await new Promise<void>((done) => made.listen(0, '127.0.0.1', done));
  return made;
};

beforeEach(async () => {
  heard = [];
  redirect = null;
  server = await listen(() => redirect);
  other = await listen(() => null);
  workspace = await openEmptyWorkspace({ env: { NOTIFIER_FETCH_ALLOW: '127.0.0.1' } });
  app = workspace.app;
  monitoring = startMonitorLoop(app.deps, { everyMs: 3_600_000 });
});
afterEach(async () => {
  await monitoring.stop();
  await workspace.close();
  for (const each of [server, other]) {
    each.closeAllConnections();
    await new Promise((done) => each.close(done));
  }
});

const page = () => ({ type: 'http', name: 'Front page', url: `http://127.0.0.1:${portOf(server)}/` });
const make = async (more: object) => {
  const made = await app.postSecret('/monitors', { ...page(), ...more });
  expect(made).toHaveStatus(201);
  return made.body;
};

it.each(rows(() => fullOrSome(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 3)))(
  'sends %s',
  async (method) => {
    await make({ method });
    await monitoring.runNow();
    expect(heard.map((each) => [each.method, each.body])).toEqual([[method, '']]);
    expect((await app.get('/monitors/1')).body).toMatchObject({ state: 'up' });
  },
);

it('sends headers and a body, and never shows them', async () => {
  const headers = {
    Authorization: 'Bearer s3cret-of-theirs',
    'X-Shop': 'caf\u00e9',
    Accept: 'application/json',
  };
  const made = await make({ method: 'POST', headers, body: '{"q":"s3cret-question"}' });
  expect(made).toMatchObject({
    method: 'POST',
    target: `POST http://127.0.0.1:${portOf(server)}/`,
    header_names: ['Authorization', 'X-Shop', 'Accept'],
    body_bytes: 23,
  });
  await monitoring.runNow();
  expect(heard).toMatchObject([
    {
      method: 'POST',
      body: '{"q":"s3cret-question"}',
      headers: {
        authorization: headers.Authorization,
        'x-shop': 'caf\u00e9',
        accept: 'application/json',
        'content-type': 'application/json',
      },
    },
  ]);
  const shown = [
    JSON.stringify(made),
    JSON.stringify((await app.get('/monitors')).body),
    ...(await Promise.all(
      ['/monitors', '/monitors/front-page', '/monitors/front-page/settings', '/audit'].map(
        async (path) => (await workspace.admin.get(path)).text,
      ),
    )),
  ].join();
  expect(shown).not.toContain('s3cret');
});

it('changes the given fields, and an empty text removes one', async () => {
  await make({ method: 'POST', headers: 'X-One: 1\nX-Two: 2', body: 'hello' });
  await app.postSecret('/monitors/1', { headers: { 'x-one': '3' } });
  await monitoring.runNow();
  await app.postSecret('/monitors/1', { headers: '', body: '', method: 'PUT' });
  await monitoring.runNow();
  expect(
    heard.map(({ method, headers, body }) => [method, headers['x-one'], headers['x-two'], body]),
  ).toEqual([
    ['POST', '3', undefined, 'hello'],
    ['PUT', undefined, undefined, ''],
  ]);
});

describe('a redirect', () => {
  const sent = { method: 'POST', headers: { 'X-Key': 's3cret', 'Content-Type': 'text/x' }, body: 'hello' };

  it.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'hello'],
    [308, 'POST', 'hello'],
  ])('%i is followed with %s', async (status, method, body) => {
    redirect = { status, to: '/next' };
    await make(sent);
    await monitoring.runNow();
    const [, next] = heard;
    expect([next?.method, next?.body, next?.headers['x-key']]).toEqual([method, body, 's3cret']);
    expect(next?.headers['content-type']).toBe(body === '' ? undefined : 'text/x');
  });

  it('to another origin gets no headers', async () => {
    redirect = { status: 307, to: `http://127.0.0.1:${portOf(other)}/next` };
    await make(sent);
    await monitoring.runNow();
    expect(heard.map(({ headers }) => headers['x-key'])).toEqual(['s3cret', undefined]);
  });
});

itForAll(
  [
    ['method', { method: 'TRACE' }],
    ['method', { method: 'HEAD', contains: 'ok' }],
    ['body', { body: 'x' }],
    ['body', { method: 'HEAD', body: 'x' }],
    ['body', { method: 'POST', body: 'x'.repeat(65_537) }],
    ['body', { method: 'POST', body: '\u20ac'.repeat(30_000) }],
    ['headers', { headers: { Connection: 'close' } }],
    ['headers', { headers: { 'transfer-encoding': 'chunked' } }],
    ['headers', { headers: { 'Content-Length': '1' } }],
    ['headers', { headers: { 'X A': '1' } }],
    ['headers', { headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['headers', { headers: { 'X-A': '\u20ac' } }],
    ['headers', { headers: { 'X-A': '1', 'x-a': '2' } }],
    ['headers', { headers: 'no colon' }],
    ['headers', { headers: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`X-${at}`, '1'])) }],
    ['method', { type: 'tcp', url: undefined, host: 'a.example:1', method: 'POST' }],
    ['headers', { type: 'tcp', url: undefined, host: 'a.example:1', headers: 'X: 1' }],
  ],
  'refuses what is wrong',
  async (field, more) => {
    const refused = await app.postSecret('/monitors', { ...page(), ...more });
    expect([refused.status, refused.body.code, Object.keys(refused.body.data.params)]).toEqual([
      400,
      'rest_invalid_param',
      [field],
    ]);
  },
);

it('is explained in the forms, which show secret headers by name alone', async () => {
  const { member } = workspace;
  const form = page();
  const asked = { method: 'POST', headers: 'X-Key: s3cret\r\nX-Two: 2', body: 'hello' };
  expect(await member.post('/monitors', { ...form, interval: '30', ...asked })).toHaveStatus(303);
  await monitoring.runNow();
  const settings = '/monitors/front-page/settings';
  expect(await member.json(settings)).toMatchObject({
    method: 'POST',
    header_names: ['X-Key', 'X-Two'],
    has_body: true,
  });
  const common = { name: 'Front page', interval: '60', timeout: '5', slow_ms: '0', retries: '0' };
  const change = { ...common, status: '200', certificate_days: '14', method: 'POST' };
  expect(await member.post(settings, change)).toHaveStatus(303);
  await monitoring.runNow();
  expect(await member.post(settings, { ...change, headers: '-', body: '-' })).toHaveStatus(303);
  await monitoring.runNow();
  expect(heard.map(({ headers, body }) => [headers['x-key'], body])).toEqual([
    ['s3cret', 'hello'],
    ['s3cret', 'hello'],
    [undefined, ''],
  ]);
});
