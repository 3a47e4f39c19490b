import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { PeriodicJob } from '../../../src/core/periodic-job.ts';
import { startReportLoop } from '../../../src/core/reports/runner.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

let app: TestApp;
let reporting: PeriodicJob;
const open = async (at: string): Promise<void> => {
  app = await openTestApp({ nowMs: Date.parse(at) });
  reporting = startReportLoop(app.deps, { pagesUrl: null, everyMs: dayMs });
};
beforeEach(() => open('2026-11-21T12:00:00Z'));
afterEach(async () => {
  await reporting.stop();
  await app.close();
});

const goTo = async (at: string): Promise<string[]> => {
  app.advance(Date.parse(at) - app.deps.now());
  await reporting.runNow();
  return (await app.deps.store.listSavedReports(null)).map(({ period }) => period);
};

it('reports are created five minutes after the end of a week, and of a month', async () => {
  expect(await goTo('2026-11-21T12:00:00Z')).toEqual([]);
  expect(await goTo('2026-11-23T00:04:59Z')).toEqual([]);
  expect(await goTo('2026-11-23T00:05:00Z')).toEqual(['2026-W47']);
  expect(await goTo('2026-11-30T23:59:00Z')).toEqual(['2026-W48', '2026-W47']);
  expect(await goTo('2026-12-01T00:05:00Z')).toEqual(['2026-W48', '2026-W47', '2026-11']);
});

it('reports have the figures of the page, and their creator', async () => {
  await app.post('/store', { message: 'once', platform: 'php' });
  await goTo('2026-11-23T00:05:00Z');
  const kept = await app.deps.store.findReportOf(null, '2026-W47');
  expect(kept).toMatchObject({ madeBy: 'notifier', madeAtMs: Date.parse('2026-11-23T00:05:00Z') });
  expect(JSON.parse(kept?.sums ?? '')).toMatchObject({ events: 1, new_issues: 1, sent: 1 });
});

it('reports missed in a downtime are created later, as far as they can be counted', async () => {
  const made = await goTo('2027-03-30T00:05:00Z');
  expect(made.filter((period) => period.includes('W'))).toHaveLength(13);
  expect(made[0]).toBe('2027-W12');
  expect(made.filter((period) => !period.includes('W'))).toEqual(['2027-02']);
});

it('reports are created once by several servers', async () => {
  const other = startReportLoop(app.deps, { pagesUrl: null, everyMs: dayMs });
  app.advance(2 * dayMs);
  await Promise.all([reporting.runNow(), other.runNow()]);
  await other.stop();
  expect(await app.deps.store.listSavedReports(null)).toHaveLength(1);
});

it('a failed report does not delay the others, and is retried', async () => {
  const { store } = app.deps;
  let isBroken = true;
  const transaction: typeof store.transaction = (job) =>
    store.transaction((tx) => {
      const saveReport: typeof tx.saveReport = async (report, projectIds) => {
        if (isBroken && report.period === '2026-W47') throw new Error('This one cannot be kept.');
        return tx.saveReport(report, projectIds);
      };
      return job({ ...tx, saveReport });
    });
  await reporting.stop();
  const deps = { ...app.deps, store: { ...store, transaction } };
  reporting = startReportLoop(deps, { pagesUrl: null, everyMs: dayMs });
  expect(await goTo('2026-11-30T00:05:00Z')).toEqual(['2026-W48']);
  isBroken = false;
  expect(await goTo('2026-11-30T00:06:00Z')).toEqual(['2026-W48', '2026-W47']);
});

it('reports interrupted by a stop are created by the next start', async () => {
  const { store } = app.deps;
  for (const name of ['two', 'three']) await store.createProject({ name, createdAtMs: app.deps.now() });
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const counted: number[] = [];
  const warned: unknown[] = [];
  const affectedUsers: typeof store.affectedUsers = async (...asked) => {
    counted.push(asked[0]);
    begun.resolve();
    await ended.promise;
    return store.affectedUsers(...asked);
  };
  await reporting.stop();
  const log = { ...app.deps.log, warn: (...said: unknown[]) => warned.push(said) };
  const deps = { ...app.deps, store: { ...store, affectedUsers }, log };
  reporting = startReportLoop(deps, { pagesUrl: null, everyMs: dayMs });
  app.advance(Date.parse('2026-11-30T00:05:00Z') - app.deps.now());
  const looked = reporting.runNow();
  await begun.promise;
  const stopped = reporting.stop();
  ended.resolve();
  await Promise.all([stopped, looked]);
  expect([counted, warned, await store.listSavedReports(null)]).toEqual([[app.project.id], [], []]);
  reporting = startReportLoop(app.deps, { pagesUrl: null, everyMs: dayMs });
  expect(await goTo('2026-11-30T00:06:00Z')).toEqual(['2026-W48', '2026-W47']);
});

it('no report is created for a time before the first project', async () => {
  await app.deps.store.endProject(app.project.id, app.deps.now());
  expect(await goTo('2026-12-01T00:05:00Z')).toEqual([]);
});
