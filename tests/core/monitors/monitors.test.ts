import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import type { PeriodicJob } from '../../../src/core/periodic-job.ts';
import { databases } from '../../data/support/databases.ts';
import { openTestApp, startOfTests, type TestApp } from '../../support/app.ts';
import { type Monitored, nextChecks, startMonitored } from '../../support/monitored.ts';
import { inFull } from '../../support/test-level.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe.each(databases)('monitors on $name', (database) => {
  let databaseUrl: string;
  let app: TestApp;
  let server: Monitored;
  let monitoring: PeriodicJob;
  const open = (projectName = 'test') =>
    openTestApp({ projectName, env: { DATABASE_URL: databaseUrl, NOTIFIER_FETCH_ALLOW: '127.0.0.0/8' } });
  beforeEach(async () => {
    databaseUrl = await database.createMigrated();
    server = await startMonitored();
    app = await open();
    monitoring = startMonitorLoop(app.deps, { everyMs: hourMs });
  });
  afterEach(async () => {
    await monitoring.stop();
    await app.close();
    await server.close();
  });

  const make = async (more: object = {}): Promise<number> => {
    const url = `http://127.0.0.1:${server.port}/health`;
    const made = await app.postSecret('/monitors', {
      type: 'http',
      name: 'Front page',
      url,
      interval: 30,
      ...more,
    });
    expect(made).toHaveStatus(201);
    return made.body.monitor_id;
  };
  const read = async (id: number) => (await app.get(`/monitors/${id}`)).body;
  const next = async (id: number) => {
    await nextChecks(app, monitoring, 1, id);
    return read(id);
  };

  it('are checked at once, then at their offset in each interval', async () => {
    const id = await make();
    expect(await read(id)).toMatchObject({ state: 'pending', last_check: null, median_ms: null });
    await monitoring.runNow();
    const first = await read(id);
    expect(first).toMatchObject({
      state: 'up',
      reason: '',
      last_check: { at: '2026-11-21T12:00:00.000Z', result: 'up', code: '200', message: '' },
    });
    expect(first.median_ms).toBe(first.last_check.duration_ms);
    await monitoring.runNow();
    expect(server.asked).toEqual(['/health']);
    const second = Date.parse(first.next_check_at);
    await next(id);
    expect(Date.parse((await read(id)).next_check_at) - second).toBe(30 * secondMs);
    expect(server.asked).toHaveLength(2);
  });

  it('go down when a second check confirms it, and recover likewise', async () => {
    const id = await make();
    await monitoring.runNow();
    server.answer = 502;
    const doubted = await next(id);
    expect(doubted).toMatchObject({
      state: 'up',
      last_check: { result: 'down', message: 'returns status 502' },
    });
    expect(Date.parse(doubted.next_check_at) - app.deps.now()).toBe(10 * secondMs);
    const down = await next(id);
    expect(down).toMatchObject({
      state: 'down',
      reason: 'returns status 502',
      state_since: doubted.last_check.at,
    });
    server.answer = 200;
    expect((await next(id)).state).toBe('down');
    expect(await next(id)).toMatchObject({ state: 'up', reason: '' });
    server.answer = 502;
    await next(id);
    server.answer = 200;
    // One lost packet is nothing that anybody hears of.
    expect(await next(id)).toMatchObject({ state: 'up', state_since: (await read(id)).state_since });
  });

  inFull(it)('count time by state, by five minutes and by day', async () => {
    const id = await make();
    await monitoring.runNow();
    for (let checks = 0; checks < 20; checks += 1) await next(id);
    server.answer = 500;
    const downFromMs = Date.parse((await next(id)).last_check.at);
    while (app.deps.now() < startOfTests + 30 * minuteMs) await next(id);
    const toMs = Date.parse((await read(id)).last_check.at);
    const { store } = app.deps;
    const watchedMs = toMs - startOfTests;
    const downMs = toMs - downFromMs;
    const range = { fromMs: startOfTests, toMs: startOfTests + 35 * minuteMs };
    expect((await store.monitorSums([id], range)).get(id)).toMatchObject({
      watchedMs,
      downMs,
      degradedMs: 0,
    });
    const days = (await store.monitorDays([id], startOfTests, app.deps.now())).get(id) ?? [];
    expect(days).toHaveLength(1);
    expect(days[0]).toMatchObject({ atMs: startOfTests - 12 * hourMs, watchedMs, downMs });
    const slices = await store.monitorSlices(id, { ...range, stepMs: 5 * minuteMs });
    expect(slices.map(({ atMs }) => atMs - startOfTests)).toEqual(
      [0, 5, 10, 15, 20, 25, 30].map((of) => of * minuteMs),
    );
    expect(slices[1]).toMatchObject({ watchedMs: 5 * minuteMs, downMs: 0 });
    expect(slices[4]).toMatchObject({ watchedMs: 5 * minuteMs, downMs: 5 * minuteMs, medianMs: null });
    const checks = slices.reduce((sum, each) => sum + each.checks, 0);
    expect([checks, days[0]?.checks]).toEqual([server.asked.length, server.asked.length]);
    expect((await store.lastChecks(id, 3)).map(({ result }) => result)).toEqual(['down', 'down', 'down']);
    expect(await store.lastChecks(id, 500)).toHaveLength(server.asked.length);
  });

  it('count a time over midnight on both days', async () => {
    const id = await make({ interval: 86_400 });
    await monitoring.runNow();
    const { last_check: last } = await next(id);
    const days = (await app.deps.store.monitorDays([id], startOfTests, app.deps.now())).get(id) ?? [];
    const midnight = startOfTests + 12 * hourMs;
    expect(days.slice(0, 2)).toMatchObject([
      { atMs: midnight - dayMs, watchedMs: 12 * hourMs },
      { atMs: midnight, watchedMs: Math.min(dayMs, Date.parse(last.at) - midnight) },
    ]);
  });

  it('are neither checked nor counted while paused', async () => {
    const id = await make();
    await monitoring.runNow();
    const paused = await app.postSecret(`/monitors/${id}`, { paused_until: '2026-11-21T14:00:00Z' });
    expect(paused.body).toMatchObject({ state: 'paused', paused_until: '2026-11-21T14:00:00.000Z' });
    app.advance(hourMs);
    await monitoring.runNow();
    expect(server.asked).toHaveLength(1);
    app.advance(hourMs);
    await monitoring.runNow();
    expect(await read(id)).toMatchObject({
      state: 'up',
      state_since: '2026-11-21T14:00:00.000Z',
      paused_until: null,
    });
    expect(server.asked).toHaveLength(2);
    await next(id);
    const range = { fromMs: startOfTests, toMs: startOfTests + 3 * hourMs };
    const sum = (await app.deps.store.monitorSums([id], range)).get(id);
    expect(sum?.watchedMs).toBe(app.deps.now() - startOfTests - 2 * hourMs);
    // A line has a gap where nobody watched.
    const slices = await app.deps.store.monitorSlices(id, { ...range, stepMs: 5 * minuteMs });
    expect(slices.map(({ watchedMs }) => watchedMs > 0)).toEqual([...Array(24).fill(false), true]);
    expect(slices.map(({ checks }) => checks)).toEqual([1, ...Array(23).fill(0), 2]);
    await app.postSecret(`/monitors/${id}`, { paused: true });
    app.advance(dayMs);
    await monitoring.runNow();
    expect(await read(id)).toMatchObject({ state: 'paused', next_check_at: null });
    await app.postSecret(`/monitors/${id}`, { paused: false });
    expect((await read(id)).state).toBe('pending');
    await monitoring.runNow();
    expect((await read(id)).state).toBe('up');
  });

  it('check the changed URL, and drop an answer for the old one', async () => {
    const id = await make();
    const held = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    server.answer = (response) => {
      came.resolve();
      void held.promise.then(() => response.writeHead(500).end());
    };
    const looking = monitoring.runNow();
    await came.promise;
    const changed = await app.postSecret(`/monitors/${id}`, { url: `http://127.0.0.1:${server.port}/ready` });
    expect(changed.body).toMatchObject({ target: `http://127.0.0.1:${server.port}/ready` });
    held.resolve();
    await looking;
    expect(await read(id)).toMatchObject({ state: 'pending', last_check: null });
    server.answer = 200;
    await monitoring.runNow();
    expect(await read(id)).toMatchObject({ state: 'up', last_check: { code: '200' } });
    expect(server.asked).toEqual(['/health', '/ready']);
  });

  inFull(it)('run each check on one of several instances', async () => {
    for (let number = 0; number < 30; number += 1) {
      await make({ url: `http://127.0.0.1:${server.port}/${number}` });
    }
    const other = await open('other');
    const others = startMonitorLoop(other.deps, { everyMs: hourMs });
    await Promise.all([monitoring.runNow(), others.runNow(), monitoring.runNow(), others.runNow()]);
    await Promise.all([monitoring.runNow(), others.runNow()]);
    expect(server.asked).toHaveLength(30);
    expect(new Set(server.asked).size).toBe(30);
    await others.stop();
    await other.close();
  });

  it('are checked again after the checking process died', async () => {
    const id = await make();
    const nowMs = app.deps.now();
    const [taken] = await app.deps.store.claimMonitors(nowMs, { graceMs: 5_000, limit: 10 });
    expect(taken?.id).toBe(id);
    await monitoring.runNow();
    expect(server.asked).toHaveLength(0);
    app.advance(15 * secondMs);
    await monitoring.runNow();
    expect([server.asked.length, (await read(id)).state]).toEqual([1, 'up']);
  });

  inFull(it)('keep checks for two days, five-minute slots for a month, days for ever', async () => {
    const id = await make({ interval: 86_400 });
    await monitoring.runNow();
    for (let day = 0; day < 40; day += 1) await next(id);
    await app.deps.store.sweep(app.deps.now());
    const { store } = app.deps;
    const left = async () => {
      const range = { fromMs: 0, toMs: app.deps.now() + 5 * minuteMs, stepMs: 5 * minuteMs };
      const slices = await store.monitorSlices(id, range);
      const days = (await store.monitorDays([id], 0, app.deps.now())).get(id) ?? [];
      return { checks: (await store.lastChecks(id, 500)).length, first: slices[0]?.atMs, days: days.length };
    };
    const kept = await left();
    expect([kept.checks, kept.days]).toEqual([3, 41]);
    expect(kept.first).toBeGreaterThanOrEqual(app.deps.now() - 31 * dayMs);
    expect(kept.first).toBeLessThan(app.deps.now() - 31 * dayMs + 5 * minuteMs);
    // What a deleted one measured goes with it.
    expect(await app.deleteSecret(`/monitors/${id}`)).toHaveStatus(200);
    await store.sweep(app.deps.now());
    expect(await left()).toEqual({ checks: 0, first: undefined, days: 0 });
  });
});
