import { describe, expect, it } from '@jest/globals';
import { openDb } from '../../data/open-store.ts';
import { startMonitorLoop } from '../../src/core/monitors/runner.ts';
import { databases } from '../data/support/databases.ts';
import { openTestApp, withTestApp } from '../support/app.ts';
import { forEachTest, itForAll, sharedApp } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const namespace = '/wp-json/notifier/v1';

describe.each(databases)('heartbeats on $name', (database) => {
  let databaseUrl: string;
  const app = forEachTest(async () => {
    databaseUrl = await database.createMigrated();
    return openTestApp({ env: { DATABASE_URL: databaseUrl } });
  });
  const monitoring = forEachTest(() => startMonitorLoop(app.deps, { everyMs: hourMs }));

  const make = async (more: object = {}) => {
    const body = { type: 'heartbeat', name: 'Mail digest', interval: 3600, grace: 600, ...more };
    const { status, body: made } = await app.postSecret('/monitors', body);
    expect(status).toBe(201);
    return { id: made.monitor_id as number, path: new URL(made.heartbeat_url).pathname, made };
  };
  const read = async (id: number) => (await app.get(`/monitors/${id}`)).body;
  const pass = async (ms: number) => {
    app.advance(ms);
    await monitoring.runNow();
  };

  it('shows its URL once, and its secret is not stored', async () => {
    const { id, path, made } = await make();
    expect(made).toMatchObject({
      target: 'every 60 min, 10 min late allowed',
      expects: 'a call each 60 min',
      grace: 600,
      state: 'pending',
      next_check_at: null,
    });
    expect(path).toMatch(/^\/wp-json\/notifier\/v1\/heartbeats\/[\w-]{43}$/);
    const token = path.split('/').at(-1) ?? '';
    const { accepted: _accepted, heartbeat_url: _address, ...view } = made;
    expect(await read(id)).toEqual(view);
    const db = await openDb(databaseUrl, {});
    const rows = await db.all<Record<string, unknown>>('SELECT * FROM monitors', []);
    const entries = await db.all<Record<string, unknown>>('SELECT * FROM audit_entries', []);
    await db.close();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify([rows, entries])).not.toContain(token);
  });

  it('is up when called by GET or POST, down when late, and up again', async () => {
    const { id, path } = await make();
    await pass(5 * hourMs);
    expect(await read(id)).toMatchObject({ state: 'pending', last_check: null });
    const called = await app.agent.get(path);
    expect([called.status, called.body]).toEqual([200, { accepted: true }]);
    const firstAt = new Date(app.deps.now()).toISOString();
    expect(await read(id)).toMatchObject({ state: 'up', state_since: firstAt, last_check: { result: 'up' } });
    await pass(hourMs);
    expect(await app.agent.post(path).send('any body at all')).toHaveStatus(200);
    expect(await read(id)).toMatchObject({ state: 'up', state_since: firstAt });
    await pass(69 * minuteMs);
    expect((await read(id)).state).toBe('up');
    await pass(minuteMs);
    const down = { state: 'down', reason: 'was not called within 70 min', last_check: { result: 'down' } };
    expect(await read(id)).toMatchObject(down);
    await pass(hourMs);
    await app.agent.get(path);
    expect(await read(id)).toMatchObject({ state: 'up', reason: '' });
    const range = { fromMs: 0, toMs: app.deps.now() + hourMs };
    const sum = (await app.deps.store.monitorSums([id], range)).get(id);
    expect(sum).toMatchObject({ watchedMs: 190 * minuteMs, downMs: hourMs });
  });

  it('opens an incident when it is late, which its next call ends', async () => {
    const { path } = await make();
    await app.agent.get(path);
    await pass(70 * minuteMs);
    const [opened] = (await app.get('/incidents')).body;
    expect(opened).toMatchObject({
      title: 'Mail digest is down',
      state: 'investigating',
      updates: [{ message: 'Down: was not called within 70 min' }],
    });
    app.advance(hourMs);
    await app.agent.get(path);
    expect((await app.get(`/incidents/${opened.incident_id}`)).body).toMatchObject({ state: 'resolved' });
  });

  const calls = async (id: number) =>
    (await app.deps.store.lastChecks(id, 50))
      .toReversed()
      .map(({ result, code, message, body, durationMs }) => [code, result, message, body, durationMs]);

  it('is down at once when a call reports a failure, by /fail or its exit code', async () => {
    const { id, path } = await make();
    expect(await app.agent.get(`${path}/0`)).toHaveStatus(200);
    expect(await read(id)).toMatchObject({ state: 'up', last_check: { code: '0' } });
    await pass(minuteMs);
    expect(await app.agent.get(`${path}/fail`)).toHaveStatus(200);
    expect(await read(id)).toMatchObject({ state: 'down', reason: 'reported that it failed' });
    expect((await app.get('/incidents')).body).toMatchObject([{ title: 'Mail digest is down' }]);
    await pass(minuteMs);
    await app.agent.post(`${path}/137/`);
    expect(await read(id)).toMatchObject({ state: 'down', reason: 'ended with exit code 137' });
    await app.agent.get(path);
    expect(await read(id)).toMatchObject({ state: 'up', reason: '' });
    expect((await app.get('/incidents')).body).toMatchObject([{ state: 'resolved' }]);
    const sum = (await app.deps.store.monitorSums([id], { fromMs: 0, toMs: app.deps.now() + hourMs })).get(
      id,
    );
    expect(sum).toMatchObject({ watchedMs: 2 * minuteMs, downMs: minuteMs });
  });

  it('can fail at its first call, or at the same time as another call', async () => {
    const { id, path } = await make();
    await app.agent.get(`${path}/1`);
    expect((await read(id)).state).toBe('down');
    await app.agent.get(path);
    await app.agent.get(`${path}/2`);
    expect((await read(id)).state).toBe('down');
    expect((await calls(id)).map(([code]) => code)).toEqual(['1', '', '2']);
  });

  it('is late when a run that began does not end within the grace', async () => {
    const { id, path } = await make();
    await app.agent.get(path);
    await pass(20 * minuteMs);
    expect(await app.agent.get(`${path}/start`)).toHaveStatus(200);
    expect((await read(id)).state).toBe('up');
    await pass(9 * minuteMs);
    expect((await read(id)).state).toBe('up');
    await app.agent.get(path);
    expect((await calls(id)).at(-1)).toEqual(['', 'up', '', undefined, 9 * minuteMs]);
    await pass(30 * minuteMs);
    await app.agent.get(`${path}/start`);
    await pass(10 * minuteMs);
    const late = { state: 'down', reason: 'did not end within 10 min of its start' };
    expect(await read(id)).toMatchObject(late);
    await app.agent.get(`${path}/start`);
    expect(await read(id)).toMatchObject(late);
    await pass(minuteMs);
    await app.agent.get(path);
    expect((await read(id)).state).toBe('up');
  });

  it('waits for the end of its first run, at most for the interval', async () => {
    const first = await make();
    await app.agent.get(`${first.path}/start`);
    expect((await read(first.id)).state).toBe('pending');
    await pass(10 * minuteMs);
    expect((await read(first.id)).state).toBe('down');
    const second = await make({ interval: 600 });
    await app.agent.get(second.path);
    await pass(15 * minuteMs);
    await app.agent.get(`${second.path}/start`);
    await pass(5 * minuteMs);
    expect((await read(second.id)).reason).toBe('was not called within 20 min');
  });

  it('stores a log call, which changes nothing', async () => {
    const { id, path } = await make();
    await app.agent.post(`${path}/log`).type('text/plain').send('begins soon');
    await pass(3 * hourMs);
    expect((await read(id)).state).toBe('pending');
    await app.agent.get(path);
    await pass(69 * minuteMs);
    await app.agent.post(`${path}/log`).type('text/plain').send('still there');
    await pass(minuteMs);
    expect((await read(id)).state).toBe('down');
    expect((await calls(id)).map(([code, , , body]) => [code, body])).toEqual([
      ['log', 'begins soon'],
      ['', undefined],
      ['log', 'still there'],
      ['', undefined],
    ]);
  });

  it('stores the first 10 KiB of any call body, without secrets', async () => {
    const { id, path } = await make();
    const send = (to: string, body: string | Buffer, type = 'text/plain') =>
      app.agent
        .post(path + to)
        .set('Content-Type', type)
        .send(body);
    expect(await send('', 'x'.repeat(900_000))).toHaveStatus(200);
    expect(await send('/3', '{"broken": ', 'application/json')).toHaveStatus(200);
    expect(await send('', Buffer.from([0x61, 0x00, 0xff]), 'application/octet-stream')).toHaveStatus(200);
    expect(await send('', 'login with password=hunter2hunter2')).toHaveStatus(200);
    const bodies = (await calls(id)).map(([, , , body]) => body as string);
    expect(bodies.slice(0, 3)).toEqual(['x'.repeat(10_240), '{"broken": ', 'a\ufffd\ufffd']);
    expect(bodies[3]).toContain('login with password');
    expect(bodies[3]).not.toContain('hunter2hunter2');
    expect(JSON.stringify(await read(id))).not.toContain('login');
  });

  it('refuses an unknown signal, and changes nothing', async () => {
    const { id, path } = await make();
    for (const said of ['256', '-1', '1000', 'stop', 'Start', '1.0', '0x1']) {
      const refused = await app.agent.get(`${path}/${said}`);
      expect([said, refused.status]).toEqual([said, /^[\w-]+$/.test(said) ? 400 : 404]);
    }
    const { status, body } = await app.agent.get(`${path}/256`);
    expect([status, body.code]).toEqual([400, 'notifier_invalid_heartbeat']);
    expect(await app.agent.get(`${path.slice(0, -3)}abc/256`)).toHaveStatus(404);
    expect(await calls(id)).toEqual([]);
  });

  it('is not late because of a pause, a change, or an extra check', async () => {
    const { id, path } = await make();
    await app.agent.get(path);
    await app.postSecret(`/monitors/${id}`, { interval: 7200 });
    await pass(100 * minuteMs);
    expect(await read(id)).toMatchObject({ state: 'up', target: 'every 2 h, 10 min late allowed' });
    await app.postSecret(`/monitors/${id}`, { paused: true });
    await pass(24 * hourMs);
    expect(await app.agent.get(path)).toHaveStatus(200);
    expect((await read(id)).state).toBe('paused');
    await app.postSecret(`/monitors/${id}`, { paused: false });
    await monitoring.runNow();
    await pass(2 * hourMs);
    expect((await read(id)).state).toBe('pending');
    await pass(10 * minuteMs);
    expect((await read(id)).state).toBe('down');
  });

  it('counts concurrent calls as one, and loses none at the deadline', async () => {
    const { id, path } = await make();
    await Promise.all(Array.from({ length: 8 }, () => app.agent.get(path)));
    expect(await app.deps.store.lastChecks(id, 50)).toHaveLength(1);
    app.advance(70 * minuteMs);
    await Promise.all([monitoring.runNow(), app.agent.get(path)]);
    expect((await read(id)).state).toBe('up');
  });

  it('is 404 with a wrong or malformed secret', async () => {
    const { id, path } = await make();
    const other = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of [other, `${path}x`, `${namespace}/heartbeats/1`]) {
      const answer = await app.agent.get(wrong);
      expect([answer.status, answer.body.code]).toEqual([404, 'notifier_monitor_invalid_id']);
    }
    expect((await app.agent.get(`${namespace}/heartbeats/`)).body.code).toBe('rest_no_route');
    expect(await app.agent.delete(path)).toHaveStatus(404);
    expect((await read(id)).state).toBe('pending');
    await app.deleteSecret(`/monitors/${id}`);
    expect(await app.agent.get(path)).toHaveStatus(404);
  });

  it('is called at its new URL as soon as that is created', async () => {
    const { id, path } = await make();
    const renewed = await app.postSecret(`/monitors/${id}`, { new_address: true });
    const other = new URL(renewed.body.heartbeat_url).pathname;
    expect([renewed.status, other === path, renewed.body.state]).toEqual([200, false, 'pending']);
    expect([(await app.agent.get(path)).status, (await app.agent.get(other)).status]).toEqual([404, 200]);
    const page = await app.postSecret('/monitors', { type: 'tcp', name: 'a', host: 'a.example:1' });
    const refused = await app.postSecret(`/monitors/${page.body.monitor_id}`, {
      name: 'b',
      new_address: true,
    });
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['new_address']]);
    expect((await read(page.body.monitor_id)).name).toBe('a');
  });

  it('is in no description of the API', async () => {
    const index = await app.agent.get(`${namespace}/`);
    expect(index).toHaveStatus(200);
    expect(JSON.stringify(index.body)).toContain('/monitors');
    expect(JSON.stringify(index.body)).not.toContain('heartbeats');
  });
});

inFull(it)('is limited by address before the database is queried', async () => {
  await withTestApp({ env: { RATE_LIMITS: 'on' } }, async (app) => {
    let looked = 0;
    const { store } = app.deps;
    const find = store.findMonitorByToken.bind(store);
    store.findMonitorByToken = (hash) => {
      looked += 1;
      return find(hash);
    };
    const path = `${namespace}/heartbeats/${'a'.repeat(43)}`;
    const statuses: number[] = [];
    for (let call = 0; call < 125; call += 1) statuses.push((await app.agent.get(path)).status);
    expect([statuses[0], statuses.at(-1), looked]).toEqual([404, 429, 120]);
  });
});

it('keeps its URL out of error logs', async () => {
  const lines: string[] = [];
  const write = (...words: unknown[]): void => void lines.push(JSON.stringify(words));
  const log = { debug: write, info: write, warn: write, error: write };
  const token = 'a'.repeat(43);
  await withTestApp({ deps: { log } }, async (app) => {
    app.deps.store.findMonitorByToken = () => Promise.reject(new Error('the database is away'));
    expect(await app.agent.get(`${namespace}/heartbeats/${token}`)).toHaveStatus(500);
  });
  expect(lines.join()).toContain('/heartbeats/…');
  expect(lines.join()).not.toContain(token);
});

describe('a heartbeat with an invalid field', () => {
  const app = sharedApp();

  itForAll(
    [
      ['url', { url: 'https://a.example/' }],
      ['host', { host: 'a.example' }],
      ['timeout', { timeout: 5 }],
      ['confirmations', { confirmations: 2 }],
      ['grace', { grace: -1 }],
      ['grace', { grace: 86_401 }],
    ],
    'is refused with the name of the field',
    async (field, more) => {
      const refused = await app.postSecret('/monitors', { type: 'heartbeat', name: 'a', ...more });
      expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, [field]]);
    },
  );
});
