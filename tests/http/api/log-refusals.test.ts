// LOG_LEVEL=debug says of each refusal what an operator looks for, and nothing of what was sent.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Log } from '../../../src/core/ports/log.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { until } from '../../support/until.ts';

type Line = Record<string, unknown>;
let lines: Line[] = [];
const log: Log = {
  debug: (fields, message) => void (message === 'refused' && lines.push(fields as Line)),
  info() {},
  warn() {},
  error() {},
};

/** The lines, once there are so many; the last one is written when the answer has gone. */
async function linesOf(count: number): Promise<Line[]> {
  await until(() => lines.length >= count);
  return lines;
}

beforeEach(() => {
  lines = [];
});

describe('G14: at debug a refusal', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ env: { LOG_LEVEL: 'debug' }, deps: { log } });
  });
  afterAll(() => app.close());

  it('of an unknown key names its first characters', async () => {
    const key = `ntf_pk_${'x'.repeat(38)}`;
    await app.post('/store', { message: 'm' }, { 'X-Notifier-Key': key }).expect(401);
    expect(await linesOf(1)).toEqual([
      {
        method: 'POST',
        route: '/notifier/v1/store',
        status: 401,
        code: 'rest_forbidden',
        key: 'ntf_pk_xxxxxxxx…',
      },
    ]);
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

  it('names a route by its template, never by what the client wrote', async () => {
    await app.get('/issues/987654?search=their-words').expect(404);
    await app.get('/their-words/\u00e4').expect(404);
    const said = await linesOf(2);
    expect(said).toMatchObject([
      { route: '/notifier/v1/issues/{id}', status: 404, code: 'notifier_issue_invalid_id' },
      { route: null, status: 404, code: 'rest_no_route' },
    ]);
    expect(JSON.stringify(said)).not.toMatch(/987654|their-words/);
  });

  it('says the status of the refusal where the envelope hides it', async () => {
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
  ])('shows of a key in %s no more than its beginning', async (_what, headers, key) => {
    await app.post('/store', { message: 'm' }, headers as Record<string, string>).expect(401);
    expect(await linesOf(1)).toMatchObject([{ key }]);
    expect(JSON.stringify(lines)).not.toMatch(/deployed|all/);
  });

  it('by the doors of sentry-cli is told as well', async () => {
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

  it('of what is no HTTP is told as well', async () => {
    const { port } = new URL(app.origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /their-words HTTP/9.9\r\nX: "msg":"forged"\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    expect(await linesOf(1)).toMatchObject([{ route: null, status: 400, code: 'rest_bad_request' }]);
    expect(JSON.stringify(lines)).not.toMatch(/their-words|forged/);
  });

  it('is one line, and what is taken is none', async () => {
    await app.post('/store', { message: 'm' }).expect(201);
    await app.post('/store', { message: 5 }).expect(400);
    expect(await linesOf(1)).toMatchObject([{ status: 400, code: 'rest_invalid_param' }]);
    await app.post('/store', { message: 'm' }).expect(201);
    expect(lines).toHaveLength(1);
  });
});

describe('G14: at info', () => {
  it('nothing is said of a refusal', async () => {
    const app = await openTestApp({ env: { LOG_LEVEL: 'info' }, deps: { log } });
    await app.post('/store', { message: 'm' }, {}).expect(401);
    await app.close();
    expect(lines).toEqual([]);
  });
});
