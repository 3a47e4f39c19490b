import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore } from '../../data/open-store.ts';
import { seedDemo } from '../../scripts/seed-demo.ts';
import { silentLog } from '../../src/app/log.ts';
import { getKeyState } from '../../src/core/projects/change-keys.ts';
import { hashKey } from '../../src/core/projects/keys.ts';
import { retentionDisabledSetting } from '../../src/core/store/setting-names.ts';
import type { Store } from '../../src/core/store/store.ts';
import { demoIssues } from '../../src/demo/faults/issues.ts';
import { slugs } from '../../src/demo/shared/company.ts';
import { databases, sqliteDatabase } from '../data/support/databases.ts';
import { golden, goldenMs } from '../demo/look.ts';
import { isNightly } from '../support/test-level.ts';
import { eventsOfIssues, type Whole, wholeOf } from './support/whole-store.ts';

const dayMs = 86_400_000;
const unheard = { tell: () => undefined };

describe.each(databases)('the demo world on $name', (database) => {
  const isSqlite = database.name === 'SQLite';
  // An unusual time, and that of the demo's own file, which is on SQLite.
  const nowMs = isSqlite ? Date.UTC(2028, 1, 29, 23, 59) : goldenMs;
  let address = '';
  let said = '';
  let whole: Whole;
  let store: Store;
  beforeAll(async () => {
    address = await database.create();
    said = await seedDemo({ DATABASE_URL: address }, { ...unheard, nowMs });
    store = await openStore(address, { now: () => nowMs, log: silentLog });
    whole = await wholeOf(store, nowMs);
  });
  afterAll(() => store.close());

  it('has the documented number of each kind, and prints it', () => {
    const count = (of: (each: Whole['projects'][number]) => readonly unknown[]) =>
      whole.projects.reduce((sum, each) => sum + of(each).length, 0);
    const counts = {
      issues: count((each) => each.issues),
      releases: count((each) => each.releases),
      deploys: count((each) => each.deploys),
      runs: count((each) => each.runs),
      artifacts: count((each) => each.artifacts),
      reports: count((each) => each.reports),
    };
    expect(counts).toEqual({ issues: 64, releases: 18, deploys: 46, runs: 40, artifacts: 64, reports: 12 });
    expect(whole.projects.map(({ project }) => project.name)).toEqual(slugs);
    const events = demoIssues.reduce((sum, issue) => sum + issue.events.count, 0);
    expect(events).toBeGreaterThan(2_500);
    expect(said).toMatch(`5 projects, 64 issues of ${events} events, 18 releases,\n46 deploys, 40 test runs`);
  });

  it('prints working keys for every project', async () => {
    const rows = [...said.matchAll(/^ {2}(\S+) +(ntf_pk_\w+) +(ntf_sk_\w+)$/gm)];
    expect(rows.map(([, name]) => name)).toEqual(slugs);
    for (const [, name, ...texts] of rows) {
      for (const text of texts) {
        const found = await store.findKeyByHash(hashKey(text));
        expect([found?.project.name, found && getKeyState(found.key, nowMs)]).toEqual([name, 'live']);
      }
    }
  });

  it('is kept by retention, whatever the clock of the server is', async () => {
    expect(await store.findSetting(retentionDisabledSetting)).toBe('demo');
  });

  it('has issues in every state', () => {
    const states: Record<string, number> = {};
    for (const { state } of whole.projects.flatMap(({ issues }) => issues)) {
      const name = state.substatus ?? state.status;
      states[name] = (states[name] ?? 0) + 1;
    }
    // Of those that go on, four are the texts that a page must survive.
    expect(states).toEqual({ new: 9, regressed: 5, ongoing: 26, resolved: 18, ignored: 6 });
    const ends = whole.projects.flatMap(({ issues }) =>
      issues.flatMap(({ state }) => state.ignore?.until ?? []),
    );
    expect(new Set(ends)).toEqual(new Set(['forever', 'date', 'count', 'users']));
    const resolutions = whole.projects.flatMap(({ issues }) =>
      issues.flatMap(({ state }) => state.resolution?.in ?? []),
    );
    expect(new Set(resolutions)).toEqual(new Set(['now', 'next_release', 'release']));
  });

  it('has matching counts, hours and events for every issue', async () => {
    for (const { project, issues } of whole.projects) {
      const ids = issues.map(({ id }) => id);
      const hours = await store.listIssueHours(project.id, ids, 0, nowMs + 1);
      for (const issue of issues) {
        const sum = hours
          .filter(({ issueId }) => issueId === issue.id)
          .reduce((all, hour) => all + hour.events, 0);
        const events = await eventsOfIssues(store, project.id, [issue]);
        expect([issue.title, sum, events.length]).toEqual([
          issue.title,
          issue.eventsCount,
          issue.eventsCount,
        ]);
      }
    }
  });

  it('refers only to existing records', () => {
    for (const { releases, deploys, runs, artifacts, reports, issues, events, domains } of whole.projects) {
      const versions = new Set<string | null>([null, ...releases.map(({ version }) => version)]);
      const named = [...deploys.map(({ version }) => version), ...runs.map(({ release }) => release)];
      named.push(...artifacts.map(({ release }) => release), ...reports.map(({ release }) => release));
      named.push(...events.map(({ release }) => release), ...issues.map(({ firstRelease }) => firstRelease));
      expect(named.filter((version) => !versions.has(version))).toEqual([]);
      const eventIds = new Set(events.map(({ eventId }) => eventId));
      expect(reports.filter(({ eventId }) => eventId !== null && !eventIds.has(eventId))).toEqual([]);
      const hosts = new Set(domains.map(({ host }) => host));
      expect(reports.filter(({ domain }) => !hosts.has(domain ?? ''))).toEqual([]);
    }
    expect(
      whole.projects.flatMap(({ reports }) => reports).filter(({ eventId }) => eventId !== null),
    ).toHaveLength(5);
  });

  it('has channels that send nothing, and monitors that check nothing', async () => {
    const channels = await store.listChannels();
    expect(channels.map(({ state }) => state)).toEqual(new Array(7).fill('paused'));
    const monitors = await store.listMonitors(null);
    expect(monitors.map(({ state }) => state)).toEqual(new Array(18).fill('paused'));
    expect(monitors.filter(({ nextCheckAtMs }) => nextCheckAtMs !== null)).toEqual([]);
  });

  it('has open incidents, some with a postmortem, and maintenance', async () => {
    const incidents = await store.listIncidents(0);
    const states: Record<string, number> = {};
    for (const { state } of incidents) states[state] = (states[state] ?? 0) + 1;
    expect(states).toEqual({ investigating: 1, monitoring: 1, planned: 1, resolved: 13 });
    expect(incidents.filter(({ postMortem }) => postMortem !== null)).toHaveLength(10);
    expect(incidents.filter(({ links }) => links.some(({ kind }) => kind === 'release'))).toHaveLength(5);
    expect(incidents.filter(({ links }) => links.some(({ kind }) => kind === 'issue'))).toHaveLength(6);
    for (const { updates } of incidents) {
      expect(updates.toSorted((one, other) => other.atMs - one.atMs)).toEqual(updates);
    }
  });

  it('has daily counts of monitors that match their slots', async () => {
    const dayMs = 86_400_000;
    const today = nowMs - (nowMs % dayMs);
    for (const { id, slug } of await store.listMonitors(null)) {
      const range = { fromMs: today - dayMs, toMs: today, stepMs: dayMs };
      const slices = await store.monitorSlices(id, range);
      const days = (await store.monitorDays([id], today - dayMs, today - 1)).get(id) ?? [];
      expect([slug, days.map(({ downMs }) => downMs)]).toEqual([slug, slices.map(({ downMs }) => downMs)]);
    }
  });

  it('has a public status page and one for members', async () => {
    const pages = (await store.listStatusPages(null)).map(({ slug, isPublic, components }) => [
      slug,
      isPublic,
      components.length,
      new Set(components.map(({ group }) => group)).size,
    ]);
    expect(pages).toEqual([
      ['harbour-pine', true, 11, 4],
      ['inside', false, 17, 4],
    ]);
  });

  it('has no events in the future, and goes a year back', () => {
    const moments = whole.projects.flatMap(
      ({ project, releases, deploys, runs, events, artifacts, proofs }) => [
        project.createdAtMs,
        ...events.map(({ receivedAtMs }) => receivedAtMs),
        ...[...releases, ...deploys, ...runs, ...artifacts, ...proofs].map(({ createdAtMs }) => createdAtMs),
      ],
    );
    expect(Math.max(...moments)).toBeLessThanOrEqual(nowMs);
    expect(Math.min(...moments)).toBe(nowMs - 365 * dayMs);
    const oldest = Math.min(
      ...whole.projects.flatMap(({ events }) => events.map(({ receivedAtMs }) => receivedAtMs)),
    );
    expect(oldest).toBeLessThan(nowMs - 280 * dayMs);
  });

  it('symbolicates the stack of the minified shop, and leaves none pending', () => {
    const events = whole.projects.flatMap((each) => each.events);
    const built = events.filter(({ title }) => title.includes("reading 'total'"));
    expect(built.length).toBeGreaterThan(100);
    expect(built.filter(({ needsMapping }) => needsMapping)).toEqual([]);
    const issues = whole.projects[0]?.issues.filter(({ title }) => title.includes("reading 'total'"));
    expect(issues?.map(({ culprit }) => culprit)).toEqual(['renderTotals (src/cart/summary.ts)']);
  });

  it('has domains in every state, all kinds of runs, bug reports with screenshots', () => {
    const all = <T>(of: (each: Whole['projects'][number]) => readonly T[]) => whole.projects.flatMap(of);
    const proofs = all((each) => each.proofs).map(({ status }) => status);
    expect(new Set(proofs)).toEqual(
      new Set(['verified', 'failing', 'pending', 'expired', 'lapsed', 'revoked']),
    );
    const runs = all((each) => each.runs);
    expect(runs.filter(({ status }) => status === 'failed')).toHaveLength(8);
    expect(runs.filter(({ flaky }) => flaky > 0).length).toBeGreaterThanOrEqual(8);
    const reports = all((each) => each.reports);
    expect(reports.filter(({ spam }) => spam)).toHaveLength(1);
    expect(reports.filter(({ screenshotCount }) => screenshotCount > 0)).toHaveLength(4);
  });

  it('ends the failed runs of the shop with a release', () => {
    const runs = whole.projects[0]?.runs ?? [];
    const inOrder = [...runs].sort((one, other) => (one.finishedAtMs ?? 0) - (other.finishedAtMs ?? 0));
    const red = inOrder.findIndex(({ status }) => status === 'failed');
    expect(inOrder.slice(red, red + 4).map(({ status, release }) => [status, release])).toEqual([
      ['failed', null],
      ['failed', null],
      ['failed', null],
      ['passed', '4.17.2'],
    ]);
  });

  it('is refused where one of its projects exists, and changes nothing', async () => {
    const again = await seedDemo({ DATABASE_URL: address }, { ...unheard, nowMs: nowMs + dayMs });
    expect(again).toMatch(/^The project "shop-web" is there already \(\d+\); nothing was changed\.\n/);
    expect(await wholeOf(store, nowMs)).toEqual(whole);
  });

  (isSqlite ? it.skip : it)('is the same for the same time, on both databases', async () => {
    const demo = await golden();
    expect(withoutNumbers(whole)).toEqual(withoutNumbers(await wholeOf(demo.store, nowMs)));
  });
});

(isNightly ? describe : describe.skip)('the demo world', () => {
  it.each(['2026-11-22T00:02', '2026-11-22T07:31', '2026-11-22T23:42', '2027-01-01T00:00'])(
    'can be created at any time: %s',
    async (moment) => {
      const database = sqliteDatabase();
      const address = { DATABASE_URL: await database.create() };
      const said = await seedDemo(address, { ...unheard, nowMs: Date.parse(`${moment}:00Z`) });
      expect(said).toContain('64 issues');
      await database.end();
    },
  );
});

/** PostgreSQL leaves numbers out where two wanted one. */
function withoutNumbers(whole: Whole): unknown {
  const left = new Set(['id', 'issueId', 'releaseId', 'mergedInto', 'statistics']);
  return JSON.parse(JSON.stringify(whole, (name, value) => (left.has(name) ? undefined : value)));
}
