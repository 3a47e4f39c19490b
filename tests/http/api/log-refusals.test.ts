import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Log } from '../../../src/core/ports/log.ts';
import { createKey } from '../../../src/core/projects/keys.ts';
import { createLogSampler } from '../../../src/http/api/log-refusals.ts';
import { sharedApp } from '../../support/shared.ts';
import { until } from '../../support/until.ts';

type Line = Record<string, unknown>;
let lines: Line[] = [];
const log: Log = {
  debug: (fields, message) => void (message === 'refused' && lines.push(fields as Line)),
  info() {},
  warn() {},
  error() {},
};

async function linesOf(count: number): Promise<Line[]> {
  await until(() => lines.length >= count);
  return lines;
}

beforeEach(() => {
  lines = [];
});

describe('at debug a refusal', () => {
  const app = sharedApp({ env: { LOG_LEVEL: 'debug' }, deps: { log } });

  it('of an unknown key names its first characters', async () => {
    const key = `ntf_pk_${'x'.repeat(38)}`;
    await app.post('/store', { message: 'm' }, { 'X-Notifier-Key': key }).expect(401);
    expect(await linesOf(1)).toEqual([
      {
        method: 'POST',
        route: '/notifier/v1/store',
        status: 401,
        code: 'rest_forbidden',
        reason: 'key_unknown',
        key: 'ntf_pk_xxxxxxxx…',
      },
    ]);
  });

  it('of an expired key says so, in the log and to sentry-cli', async () => {
    const { key, text } = await createKey(app.deps, app.project.id, 'secret');
    await app.deps.store.revokeKey(app.project.id, key.id, app.deps.now());
    const bearer = { Authorization: `Bearer ${text}` };
    await app.get('/issues').set(bearer).expect(401);
    const path = '/api/0/organizations/o/releases/1/';
    const plain = await app.agent.get(path).set(bearer).expect(401);
    const explained = await app.agent
      .get(path)
      .set({ ...bearer, 'X-Notifier-Explain': '1' })
      .expect(401);
    expect([plain.body.reason, explained.body.reason]).toEqual([undefined, 'key_revoked']);
    expect((await linesOf(3)).map(({ reason }) => reason)).toEqual(Array(3).fill('key_revoked'));
    expect(JSON.stringify(lines)).not.toContain(text.slice(20));
  });

  it('of a known key names its project, and the reason', async () => {
    await app.post('/feedback', { message: 'm', url: 'https://elsewhere.example/' }).expect(403);
    expect(await linesOf(1)).toMatchObject([
      {
        route: '/notifier/v1/feedback',
        status: 403,
        code: 'rest_forbidden',
        reason: 'unknown_domain',
        key: expect.stringMatching(/^ntf_pk_\w{8}…\w{4}$/),
        projectId: app.project.id,
      },
    ]);
  });

  it('names a route by its template, never by client input', async () => {
    await app.get('/issues/987654?search=their-words').expect(404);
    await app.get('/their-words/\u00e4').expect(404);
    const said = await linesOf(2);
    expect(said).toMatchObject([
      { route: '/notifier/v1/issues/{id}', status: 404, code: 'notifier_issue_invalid_id' },
      { route: null, status: 404, code: 'rest_no_route' },
    ]);
    expect(JSON.stringify(said)).not.toMatch(/987654|their-words/);
  });

  it('logs the real status where the envelope hides it', async () => {
    await app.get('/issues/987654?_envelope=1').expect(200);
    expect(await linesOf(1)).toMatchObject([{ status: 404, code: 'notifier_issue_invalid_id' }]);
  });

  it.each([
    ['a header', { 'X-Notifier-Key': 'not a key\tat all' }, null],
    ['a bearer', { Authorization: 'Bearer deployed-secret-1' }, 'depl…'],
    [
      'a Sentry header',
      { 'X-Sentry-Auth': 'Sentry sentry_version=7, sentry_key=deployed-public-1' },
      'depl…',
    ],
    ['nothing', {}, null],
  ])('shows only the beginning of a key in %s', async (_what, headers, key) => {
    await app.post('/store', { message: 'm' }, headers as Record<string, string>).expect(401);
    expect(await linesOf(1)).toMatchObject([{ key }]);
    expect(JSON.stringify(lines)).not.toMatch(/deployed|all/);
  });

  it('at the sentry-cli endpoints is logged as well', async () => {
    const path = '/api/0/organizations/o/releases/their-version/';
    await app.agent.get(path).set('Authorization', 'Bearer unknown-secret-1').expect(401);
    await app.agent.get(path).set('Authorization', `Bearer ${app.secretKey}`).expect(404);
    await app.agent.get('/api/0/their-path/').expect(404);
    const said = await linesOf(3);
    const route = '/api/0/organizations/:organisation/releases/:version';
    expect(said).toMatchObject([
      { method: 'GET', route, status: 401, code: 'rest_forbidden', key: 'unkn…' },
      { method: 'GET', route, status: 404, code: 'not_found', projectId: app.project.id },
      { method: 'GET', route: null, status: 404 },
    ]);
    expect(JSON.stringify(said)).not.toContain('their-');
  });

  it('of a request that is not HTTP is logged as well', async () => {
    const { port } = new URL(app.origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /their-words HTTP/9.9\r\nX: "msg":"forged"\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    expect(await linesOf(1)).toMatchObject([{ route: null, status: 400, code: 'rest_bad_request' }]);
    expect(JSON.stringify(lines)).not.toMatch(/their-words|forged/);
  });

  it('has one log line, and an accepted request none', async () => {
    await app.post('/store', { message: 'm' }).expect(201);
    await app.post('/store', { message: 5 }).expect(400);
    expect(await linesOf(1)).toMatchObject([{ status: 400, code: 'rest_invalid_param' }]);
    await app.post('/store', { message: 'm' }).expect(201);
    expect(lines).toHaveLength(1);
  });
});

describe('a refusal has the id of its request', () => {
  const app = sharedApp({ env: { LOG_LEVEL: 'debug' }, deps: { log } });
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

  it.each<[string, Record<string, string>, object]>([
    ['as it is called', { 'X-Request-Id': 'edge-7.a_B' }, { requestId: 'edge-7.a_B' }],
    ['by the trace that it is of', { traceparent: trace }, { traceparent: trace }],
    ['by neither', {}, {}],
    ['by no name of 65 characters', { 'X-Request-Id': 'a'.repeat(65) }, {}],
    ['by no name with other characters', { 'X-Request-Id': 'a","level":60,"x":"' }, {}],
    ['by no trace of zeros', { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }, {}],
    ['by no trace in another form', { traceparent: `${trace}-more` }, {}],
  ])('%s', async (_what, headers, names) => {
    await app.post('/store', { message: 'm' }, headers).expect(401);
    const [line = {}] = await linesOf(1);
    const { requestId, traceparent } = line;
    expect(JSON.parse(JSON.stringify({ requestId, traceparent }))).toEqual(names);
  });
});

describe('at info', () => {
  const told: Array<[level: string, fields: Line]> = [];
  const sampled: Log = {
    debug() {},
    info: (fields) => void told.push(['info', fields as Line]),
    warn: (fields) => void told.push(['warn', fields as Line]),
    error() {},
  };
  const app = sharedApp({ env: { LOG_LEVEL: 'info' }, deps: { log: sampled } });

  it('logs ten refusals for each reason', async () => {
    for (let sent = 0; sent < 25; sent += 1) await app.post('/store', { message: 'm' }, {}).expect(401);
    await app.get('/issues/987654').expect(404);
    await app.post('/store', { message: 'm' }).expect(201);
    await until(() => told.length >= 11);
    expect(told.map(([level, { status, code }]) => [level, status, code])).toEqual([
      ...Array.from({ length: 10 }, () => ['info', 401, 'rest_forbidden']),
      ['info', 404, 'notifier_issue_invalid_id'],
    ]);
  });
});

describe('sampled log lines', () => {
  it('are ten of each kind a minute, followed by the number left out', () => {
    const more: Array<[string, number]> = [];
    const waits: Array<() => void> = [];
    const lines = createLogSampler(
      (kind, count) => void more.push([kind, count]),
      (milliseconds, then) => {
        expect(milliseconds).toBe(60_000);
        waits.push(then);
      },
    );
    const written = (kind: string, times: number): number =>
      Array.from({ length: times }, () => lines.mayWrite(kind)).filter(Boolean).length;
    expect([written('a', 1_000), written('b', 3)]).toEqual([10, 3]);
    expect([more, waits.length]).toEqual([[], 1]);
    waits.shift()?.();
    expect(more).toEqual([['a', 990]]);
    expect([written('a', 11), waits.length]).toEqual([10, 1]);
  });

  it('have a bounded number of kinds', () => {
    const lines = createLogSampler(
      () => {},
      () => {},
    );
    const written = Array.from({ length: 5_000 }, (_, index) => lines.mayWrite(`kind ${index}`));
    expect(written.filter(Boolean)).toHaveLength(210);
  });
});
