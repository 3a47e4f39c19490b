// The demo as a whole, at any time: what one world says of another is there, is older than what came of it,
// and its sums agree; and a day later the past is what it was.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs } from '../../src/core/reading/spans.ts';
import { type DemoNow, demoAt } from '../../src/demo/demo.ts';
import { demoTime, weekMs } from '../../src/demo/world/calendar.ts';
import { demoProjects } from '../../src/demo/world/company.ts';
import { runs } from '../support/test-level.ts';

const seed = 'demo-1';
const goldenMs = Date.UTC(2026, 10, 21, 0, 5);
const projectIds = demoProjects.map(({ id }) => id);

/** Leap day, new year, clocks that are changed, the first minutes of a trouble and of a week. */
const odd = [
  '2028-02-29T12:00Z',
  '2026-12-31T23:55Z',
  '2027-01-01T00:00Z',
  '2027-03-28T01:30Z',
  '2027-10-31T01:30Z',
  '2027-06-07T00:20Z',
  '2027-06-07T00:25Z',
  '2027-06-06T18:25Z',
].map((text) => Date.parse(text));
const times = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
  { weight: 4, arbitrary: fc.integer({ min: goldenMs, max: Date.UTC(2034, 0, 1) }) },
);

/** Every member that is a moment, by where it stands; what is to come says so by its name. */
function momentsOf(value: unknown, at: string): Array<readonly [at: string, ms: number]> {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    // Until when an issue is ignored.
    if (name === 'ignore' || name === 'detail') return [];
    if (!/Ms$/.test(name) || typeof each !== 'number') return momentsOf(each, `${at}.${name}`);
    return isMoment(name) ? [[`${at}.${name}`, each] as const] : [];
  });
}

function isMoment(name: string): boolean {
  const isToCome = /^(next|expires|stateUntil|pausedUntil|plannedEnd|certificateEnds)/.test(name);
  return !isToCome && /([aA]t|Since|Seen)Ms$/.test(name);
}

/** Where an address of the demo leads, if what it names is there. */
function isThere({ world }: DemoNow, path: string): boolean {
  const [, kind = '', id = ''] = /^\/([a-z-]+)\/([^/?]+)$/.exec(path) ?? [];
  const { errors, delivery, uptime } = world;
  const has: Record<string, () => boolean> = {
    issues: () => errors.issueById(Number(id)) !== null,
    incidents: () => uptime.incidents.some((each) => String(each.id) === id),
    monitors: () => uptime.monitors.some(({ slug }) => slug === id),
    releases: () => delivery.releases.some((each) => String(each.id) === id),
    'test-runs': () => delivery.runs.some((each) => String(each.id) === id),
    reports: () => /^\d{4}-(W\d\d|\d\d)$/.test(id),
  };
  return has[kind]?.() ?? false;
}

function checkLinks(demo: DemoNow): void {
  const { errors, delivery, uptime } = demo.world;
  const runIds = new Map(delivery.runs.map(({ id, createdAtMs }) => [id, createdAtMs]));
  const deployIds = new Map(delivery.deploys.map(({ id, createdAtMs }) => [id, createdAtMs]));
  const releaseIds = new Map(delivery.releases.map(({ id, createdAtMs }) => [id, createdAtMs]));
  const components = uptime.statusPages.flatMap((each) => each.components);
  const missing: string[] = [];
  for (const incident of uptime.incidents) {
    for (const { kind, id, name, beforeMs } of [...incident.links, ...incident.affects]) {
      const said = `${incident.id} ${new Date(incident.startedAtMs).toISOString()}: ${kind} ${id} ${name}`;
      if (kind === 'monitor' && !uptime.monitors.some((each) => each.id === id)) missing.push(said);
      if (kind === 'component' && !components.some((each) => each.id === id)) missing.push(said);
      if (kind === 'issue' && errors.issueById(id) === null) missing.push(said);
      const known = { release: releaseIds, deploy: deployIds, test_run: runIds }[kind as 'release'];
      if (known === undefined) continue;
      const atMs = known.get(id);
      if (atMs === undefined) missing.push(said);
      else if (beforeMs !== null && atMs > incident.startedAtMs) missing.push(`${said}, which came later`);
    }
  }
  expect(missing).toEqual([]);
}

function checkReferences(demo: DemoNow): void {
  const { errors, uptime } = demo.world;
  const monitorIds = new Set(uptime.monitors.map(({ id }) => id));
  const ofComponents = uptime.statusPages.flatMap(({ components }) =>
    components.flatMap((each) => each.monitorIds),
  );
  expect(ofComponents.filter((id) => !monitorIds.has(id))).toEqual([]);
  const channels = new Set(uptime.channels.map(({ id }) => id));
  const lost = uptime.deliveries.filter(
    ({ channelId, path }) => !channels.has(channelId) || (path !== null && !isThere(demo, path)),
  );
  expect(lost.map(({ id, path }) => `${id} ${path}`)).toEqual([]);
  for (const { feedback } of errors.reports) {
    if (feedback.eventId === null) continue;
    expect(errors.storedById(feedback.eventId)?.issueId).toBe(feedback.issueId);
  }
}

async function checkSums({ world, store, uptime, reports }: DemoNow): Promise<void> {
  const { errors, nowMs } = world;
  const toMs = nowMs - (nowMs % hourMs);
  const fromMs = toMs - 7 * dayMs;
  const moves = await reports.projectMoves(projectIds, { fromMs, toMs });
  for (const projectId of projectIds) {
    const ids = errors.issuesOf(projectId).map(({ issue }) => issue.id);
    const hours = await store.listIssueHours(projectId, ids, fromMs, toMs);
    const told = moves.find((each) => each.projectId === projectId)?.events ?? 0;
    expect([projectId, told]).toEqual([projectId, hours.reduce((sum, { events }) => sum + events, 0)]);
  }
  const dayStart = nowMs - (nowMs % dayMs);
  const ids = uptime.listMonitors().then((all) => all.map(({ id }) => id));
  const days = await uptime.monitorDays(await ids, dayStart - 3 * dayMs, dayStart);
  const sums = await uptime.monitorSums(await ids, { fromMs: dayStart - 3 * dayMs, toMs: dayStart });
  for (const [id, own] of days) {
    const whole = own.filter(({ atMs }) => atMs < dayStart);
    const down = whole.reduce((sum, each) => sum + each.downMs, 0);
    expect([id, down]).toEqual([id, sums.get(id)?.downMs ?? 0]);
  }
}

describe('at any time', () => {
  it('what one part says of another is there, came before, and adds up; nothing is to come', async () => {
    await fc.assert(
      fc.asyncProperty(times, async (atMs) => {
        const demo = demoAt(seed, atMs);
        const { errors, delivery, uptime } = demo.world;
        checkLinks(demo);
        checkReferences(demo);
        await checkSums(demo);
        const told = momentsOf(
          {
            issues: errors.issues.map(({ issue, acts, comments }) => ({
              issue: { ...issue, grouping: null },
              acts,
              comments,
            })),
            reports: errors.reports.map(({ feedback }) => feedback),
            releases: delivery.releases,
            deploys: delivery.deploys,
            audit: delivery.audit,
            ...{ incidents: uptime.incidents, monitors: uptime.monitors, deliveries: uptime.deliveries },
          },
          'demo',
        );
        expect(told.length).toBeGreaterThan(1_000);
        const planned = new Set(
          uptime.incidents.flatMap(({ severity, startedAtMs }) =>
            severity === 'planned' ? startedAtMs : [],
          ),
        );
        expect(told.filter(([, ms]) => ms > demo.nowMs && !planned.has(ms))).toEqual([]);
      }),
      { numRuns: runs(24), examples: odd.map((ms) => [ms] as [number]) },
    );
  });

  it('a day later the past is the same, but for what was under way', async () => {
    await fc.assert(
      fc.asyncProperty(times, async (atMs) => {
        const [early, late] = [demoAt(seed, atMs), demoAt(seed, atMs + dayMs)];
        const told = pastOf(early, early, late);
        expect(JSON.stringify(pastOf(late, early, late))).toBe(JSON.stringify(told));
        expect(told.incidents.length).toBeGreaterThan(8);
        expect(told.audit.length).toBeGreaterThan(60);
      }),
      { numRuns: runs(16), examples: odd.map((ms) => [ms] as [number]) },
    );
  });
});

/**
 * What lasts, told by either of two times. Left out is what was under way at the earlier one: the trouble and
 * the release that it came with, incidents that went on, deliveries that waited or told of either; and what
 * the later one no longer remembers.
 */
function pastOf({ world }: DemoNow, early: DemoNow, late: DemoNow) {
  const { errors, delivery, uptime } = world;
  const { trouble } = early.world.delivery;
  const calmMs = trouble.testRunAtMs - hourMs;
  const fromMs = late.nowMs - 11 * weekMs;
  const isPast = (ms: number): boolean => ms >= fromMs && ms < calmMs;
  const lasting = new Set(
    early.world.uptime.incidents.flatMap(({ id, state, resolvedAtMs }) =>
      state === 'resolved' && (resolvedAtMs ?? 0) < calmMs ? id : [],
    ),
  );
  return {
    incidents: uptime.incidents.filter(({ id, startedAtMs }) => lasting.has(id) && isPast(startedAtMs)),
    runs: delivery.runs
      .filter(({ createdAtMs }) => isPast(createdAtMs))
      .map(({ ofSuite: _left, ...run }) => run),
    audit: delivery.audit.filter(({ atMs }) => atMs < calmMs),
    reports: errors.reports
      .map(({ feedback }) => feedback)
      .filter(({ createdAtMs }) => isPast(createdAtMs))
      .map(({ id, message }) => ({ id, message })),
  };
}

it('times within the same five minutes have the same demo', () => {
  const [one, other] = [demoAt(seed, goldenMs), demoAt(seed, goldenMs + 5 * minuteMs - 1)];
  expect(JSON.stringify(other.world.uptime)).toBe(JSON.stringify(one.world.uptime));
  expect(demoTime(goldenMs + 5 * minuteMs)).toBe(goldenMs + 5 * minuteMs);
});
