import { describe, expect, it } from '@jest/globals';
import { startMonitorLoop } from '../../src/core/monitors/runner.ts';
import { databases } from '../data/support/databases.ts';
import { openTestApp, type TestApp, withTestApp } from '../support/app.ts';
import { forEachTest, itForAll, sharedApp } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const ids = { a: 'a'.repeat(32), b: 'b'.repeat(32), c: 'c'.repeat(32) };
const config = {
  schedule: { type: 'crontab', value: '0 * * * *' },
  timezone: 'UTC',
  checkin_margin: 5,
  max_runtime: 30,
};
const checkIn = (more: object = {}) => ({ monitor_slug: 'nightly-import', status: 'ok', ...more });

async function send(app: TestApp, ...items: Array<readonly [type: string, payload: unknown]>) {
  const lines = items.map(([type, payload]) => `${JSON.stringify({ type })}\n${JSON.stringify(payload)}\n`);
  const answer = await fetch(`${app.api}/envelope`, {
    method: 'POST',
    headers: { 'X-Notifier-Key': app.publicKey },
    body: `{}\n${lines.join('')}`,
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at member by member.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
}

describe.each(databases)('check-ins on $name', (database) => {
  const app = forEachTest(async () =>
    openTestApp({ env: { DATABASE_URL: await database.createMigrated() } }),
  );
  const monitoring = forEachTest(() => startMonitorLoop(app.deps, { everyMs: hourMs }));

  const says = (...all: object[]) => send(app, ...all.map((each) => ['check_in', checkIn(each)] as const));
  const listed = async () => (await app.get('/monitors')).body;
  const only = async () => (await listed())[0];
  const pass = async (minutes: number) => {
    app.advance(minutes * minuteMs);
    await monitoring.runNow();
  };

  it('create a monitor by the first one with a schedule', async () => {
    const first = await says({ check_in_id: ids.a, status: 'in_progress', monitor_config: config });
    expect([first.status, first.body]).toEqual([200, { accepted: true, items: { check_in: 1 } }]);
    expect(await only()).toMatchObject({
      slug: 'nightly-import',
      name: 'nightly-import',
      type: 'cron',
      target: '0 * * * * in UTC',
      expects: 'a run begun within 5 min, over within 30 min',
      interval: 3600,
      monitor_slug: 'nightly-import',
      environment: 'production',
      schedule: '0 * * * *',
      checkin_margin: 5,
      max_runtime: 30,
      state: 'pending',
      next_check_at: '2026-11-21T13:00:00.000Z',
      created_by: 'a check-in',
    });
    app.advance(4 * minuteMs);
    await says({ check_in_id: ids.a, status: 'ok' });
    expect(await only()).toMatchObject({
      state: 'up',
      last_check: { code: 'ok', duration_ms: 4 * minuteMs },
    });
    // After an hour its time is counted, although nothing happened.
    await pass(60);
    expect((await only()).state).toBe('up');
    await pass(1);
    expect(await only()).toMatchObject({
      state: 'down',
      state_since: '2026-11-21T13:05:00.000Z',
      reason: 'did not start within 5 min of its schedule',
      next_check_at: '2026-11-21T14:00:00.000Z',
    });
    const [incident] = (await app.get('/incidents')).body;
    expect(incident).toMatchObject({
      title: 'nightly-import is down',
      state: 'investigating',
      updates: [{ message: 'Down: did not start within 5 min of its schedule' }],
    });
    await says({ check_in_id: ids.b, status: 'in_progress' });
    await pass(30);
    expect((await only()).reason).toBe('ran longer than 30 min');
    await says({ check_in_id: ids.c });
    expect(await only()).toMatchObject({ state: 'up', reason: '' });
    expect((await app.get(`/incidents/${incident.incident_id}`)).body.state).toBe('resolved');
    const { monitor_id: id } = await only();
    const codes = (await app.deps.store.lastChecks(id, 50)).map(({ code }) => code);
    expect(codes).toEqual(['ok', 'timeout', 'missed', 'ok']);
    const sum = (await app.deps.store.monitorSums([id], { fromMs: 0, toMs: app.deps.now() + hourMs })).get(
      id,
    );
    expect(sum).toMatchObject({ watchedMs: 91 * minuteMs, downMs: 30 * minuteMs, checks: 4 });
  });

  it('work with curl too, with the key in the URL', async () => {
    const job = `${app.api}/api/1/cron/nightly-import`;
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${job}${path}`, init);
      return [answer.status, await answer.json()];
    };
    const config_ = JSON.stringify({ monitor_config: config, status: 'in_progress' });
    const key = `/${app.publicKey}`;
    const made = await ask(`${key}/`, {
      method: 'POST',
      body: config_,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(made).toEqual([200, { accepted: true }]);
    expect(await ask(`${key}/?status=ok`)).toEqual([200, { accepted: true }]);
    expect(await only()).toMatchObject({ state: 'up', last_check: { code: 'ok' } });
    const staging = `check_in_id=${ids.a}&environment=staging`;
    await ask(`${key}?${staging}`, { method: 'POST', body: config_ });
    const ended = await ask(`${key}/?status=error&duration=2.5&${staging}`, { method: 'POST' });
    expect(ended).toEqual([200, { id: ids.a, accepted: true }]);
    const stands = Object.fromEntries(
      (await listed()).map((each: { environment: string }) => [each.environment, each]),
    );
    expect(stands.staging.last_check).toMatchObject({ code: 'error', duration_ms: 2_500 });
    expect(stands.production.state).toBe('up');
    // A name is written in an address as addresses write it, and is the same job.
    for (const name of ['Nightly%20import', 'n%C3%ADghtly-import']) {
      const answer = await fetch(`${app.api}/api/1/cron/${name}${key}/?status=ok`);
      expect([name, answer.status]).toEqual([name, 200]);
    }
    expect(await listed()).toHaveLength(2);
    // Without the key in the address, a DSN's credentials do.
    const dsn = { 'X-Sentry-Auth': `Sentry sentry_key=${app.publicKey}, sentry_version=7` };
    expect(await ask('/?status=ok', { headers: dsn })).toEqual([200, { accepted: true }]);
    expect(await ask(`?status=ok&sentry_key=${app.publicKey}`)).toEqual([200, { accepted: true }]);
    const refused = [['/'], [`/${'0'.repeat(32)}/?status=ok`], [`${key}/?status=odd`], [`${key}/`]] as const;
    const codes = [];
    for (const [path] of refused) codes.push(((await ask(path)) as [number, { code: string }])[1].code);
    expect(codes).toEqual([
      ...['rest_forbidden', 'rest_forbidden'],
      ...['notifier_invalid_check_in', 'notifier_invalid_check_in'],
    ]);
  });

  it('count once, however often and however many at a time they are sent', async () => {
    const made = { monitor_config: { ...config, failure_issue_threshold: 3 } };
    await Promise.all(
      Array.from({ length: 6 }, () => says({ ...made, check_in_id: ids.a, status: 'error' })),
    );
    expect(await listed()).toHaveLength(1);
    const { monitor_id: id, state } = await only();
    expect([state, (await app.deps.store.lastChecks(id, 50)).length]).toEqual(['pending', 1]);
    const others = [ids.b, ids.c].map((each) => says({ check_in_id: each, status: 'error' }));
    await Promise.all(others);
    expect((await app.deps.store.lastChecks(id, 50)).length).toBe(3);
    expect((await only()).state).toBe('down');
  });

  it('that end a run may arrive before the one that starts it', async () => {
    const { store } = app.deps;
    const find = store.findJob.bind(store);
    const looked = new Promise<void>((resolve) => {
      store.findJob = (...of) => find(...of).finally(resolve);
    });
    const end = says({ check_in_id: ids.a, status: 'ok' });
    await looked;
    const begin = says({ check_in_id: ids.a, status: 'in_progress', monitor_config: config });
    expect([(await end).status, (await begin).status]).toEqual([200, 200]);
    expect(await only()).toMatchObject({ state: 'up', last_check: { code: 'ok' } });
    const { monitor_id: id } = await only();
    expect((await app.deps.store.findMonitorRecord(id))?.runs?.inProgress).toEqual([]);
  });

  it('have one monitor for each environment, with the latest schedule', async () => {
    await says(
      { monitor_config: config },
      { monitor_config: config, environment: 'staging' },
      { monitor_config: { ...config, schedule: { type: 'interval', value: 2, unit: 'hour' } } },
    );
    expect(
      (await listed()).map((each: { name: string; schedule: string }) => [each.name, each.schedule]),
    ).toEqual([
      ['nightly-import', '2 hours'],
      ['nightly-import (staging)', '0 * * * *'],
    ]);
    expect((await only()).next_check_at).toBe('2026-11-21T14:00:00.000Z');
  });

  it('match a monitor created by a member, with its schedule', async () => {
    const settings = {
      schedule: '30 2 * * *',
      timezone: 'Europe/Berlin',
      checkin_margin: 10,
      max_runtime: 60,
    };
    const made = await app.postSecret('/monitors', { type: 'cron', name: 'Nightly import', ...settings });
    const { monitor_id: id } = made.body;
    expect([made.status, made.body]).toMatchObject([
      201,
      { ...settings, monitor_slug: 'nightly-import', state: 'pending', next_check_at: null },
    ]);
    const again = await app.postSecret('/monitors', { type: 'cron', name: 'Nightly  Import', ...settings });
    expect([again.status, again.body.code]).toEqual([400, 'notifier_monitor_exists']);
    await says({ status: 'ok' });
    expect(await listed()).toMatchObject([{ state: 'up', next_check_at: '2026-11-22T01:30:00.000Z' }]);
    await app.postSecret(`/monitors/${id}`, { schedule: '0 14 * * *' });
    expect((await only()).next_check_at).toBe('2026-11-21T13:00:00.000Z');
    await app.postSecret(`/monitors/${id}`, { paused: true });
    expect(await says({ status: 'error' })).toHaveStatus(200);
    expect(await only()).toMatchObject({ state: 'paused', next_check_at: null });
    await pass(90);
    await app.postSecret(`/monitors/${id}`, { paused: false });
    await pass(1);
    expect(await only()).toMatchObject({ state: 'pending', next_check_at: '2026-11-22T13:00:00.000Z' });
  });

  it('are stored beside other items of an envelope, and refused separately', async () => {
    const event = ['event', { message: 'x', platform: 'php' }] as const;
    const answer = await send(
      app,
      event,
      ['check_in', checkIn()],
      ['check_in', checkIn({ monitor_config: config })],
    );
    expect([answer.status, answer.body]).toMatchObject([
      201,
      {
        items: { event: 1, check_in: 1 },
        skipped: { check_in: 1 },
        errors: [{ type: 'notifier_unknown_monitor', name: 'check_in' }],
      },
    ]);
    expect(answer.headers.get('x-sentry-rate-limits')).toBeNull();
    for (const [wrong, code] of [
      [{ status: 'done' }, 'notifier_invalid_check_in'],
      [{ monitor_slug: '…' }, 'notifier_invalid_check_in'],
      [{ monitor_slug: 'other' }, 'notifier_unknown_monitor'],
      [
        { monitor_slug: 'other', monitor_config: { schedule: { type: 'crontab', value: 'often' } } },
        'notifier_unknown_monitor',
      ],
      [{ notes: 'x'.repeat(17_000) }, 'rest_payload_too_large'],
    ] as const) {
      const refused = await says(wrong);
      expect([wrong, refused.body.code, refused.status >= 400]).toEqual([wrong, code, true]);
    }
    const ofNoZone = { monitor_slug: 'other', monitor_config: { ...config, timezone: 'Mars/Olympus' } };
    expect((await says(ofNoZone)).body.message).toBe(
      'There is no monitor other in production, and it cannot be created: ' +
        'monitor_config.timezone must be the name of a time zone such as Europe/Berlin.',
    );
    expect(await listed()).toHaveLength(1);
    await app.deps.outcomes.flush();
    const { outcomes } = (await app.get('/outcomes')).body[0];
    expect(outcomes.filter(({ category }: { category: string }) => category === 'monitor')).toContainEqual(
      expect.objectContaining({ outcome: 'accepted', quantity: 1 }),
    );
  });
});

inFull(it).each([
  ['on', 75],
  ['off', 100],
] as const)('costs one item, and with limits %s one address creates %i monitors', async (limits, made) => {
  const env = { RATE_LIMITS: limits, RATE_LIMIT_EVENTS_PER_MINUTE: '200' };
  await withTestApp({ env }, async (app) => {
    const jobs = Array.from({ length: 101 }, (_, at) => {
      const item = checkIn({ monitor_slug: `job-${at}`, monitor_config: config });
      return ['check_in', item] as const;
    });
    const answer = await send(app, ...jobs);
    expect(answer.body).toMatchObject({
      items: { check_in: made },
      errors: jobs.slice(made).map(() => ({ type: 'notifier_too_many_monitors' })),
    });
    expect(await send(app, ...jobs.slice(0, 99))).toHaveStatus(200);
    const further = await send(app, ['check_in', checkIn({ monitor_slug: 'job-1' })]);
    expect(further).toHaveStatus(limits === 'on' ? 429 : 200);
  });
});

inFull(it)('opens at most 50 incidents a day for a monitor that keeps failing', async () => {
  await withTestApp({}, async (app) => {
    const turns = Array.from({ length: 104 }, (_, at) => {
      const item = checkIn({ status: at % 2 === 0 ? 'error' : 'ok', monitor_config: config });
      return ['check_in', item] as const;
    });
    expect((await send(app, ...turns)).body.items).toEqual({ check_in: 104 });
    const opened = async () => (await app.deps.store.listIncidentRecords(null)).length;
    expect(await opened()).toBe(50);
    app.advance(24 * hourMs);
    await send(app, ['check_in', checkIn({ status: 'error' })]);
    expect(await opened()).toBe(51);
  });
});

it('shows no secret that a check-in contains', async () => {
  await withTestApp({}, async (app) => {
    const key = `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`;
    expect(
      (await send(app, ['check_in', checkIn({ monitor_slug: key, monitor_config: config })])).status,
    ).toBe(400);
    await send(app, ['check_in', checkIn({ environment: `of ${key}`, monitor_config: config })]);
    const { body } = await app.get('/monitors');
    expect([body.length, JSON.stringify(body).toLowerCase().includes('4ec39hq')]).toEqual([1, false]);
  });
});

describe('a cron monitor with an invalid field', () => {
  const app = sharedApp();

  itForAll(
    [
      ['schedule', { schedule: undefined }],
      ['schedule', { schedule: 'often' }],
      ['schedule', { schedule: '0 0 30 2 *' }],
      ['timezone', { timezone: 'Mars/Olympus' }],
      ['interval', { interval: 60 }],
      ['url', { url: 'https://a.example/' }],
      ['grace', { grace: 5 }],
      ['max_runtime', { max_runtime: 0 }],
      ['monitor_slug', { monitor_slug: '…' }],
      ['environment', { type: 'heartbeat', schedule: undefined, environment: 'live' }],
    ],
    'is refused with the name of the field',
    async (field, more) => {
      const refused = await app.postSecret('/monitors', {
        type: 'cron',
        name: 'a',
        schedule: '@daily',
        ...more,
      });
      const { params } = refused.body.data;
      expect([refused.status, Array.isArray(params) ? params : Object.keys(params)]).toEqual([400, [field]]);
    },
  );
});
