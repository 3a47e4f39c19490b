// The errors of the demo: the numbers of the golden time, and what holds at any time.
import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs } from '../../../src/core/reading/spans.ts';
import { fiveMinutesMs } from '../../../src/demo/world/calendar.ts';
import type { LoneIssue } from '../../../src/demo/world/errors/issues.ts';
import { plans } from '../../../src/demo/world/errors/plans.ts';
import { templateOf } from '../../../src/demo/world/errors/templates/all.ts';
import { names } from '../../../src/demo/world/errors/told/names.ts';
import { plainEvent, preparedEvent } from '../../../src/demo/world/errors/told/prepared.ts';
import { type ErrorsWorld, errorsWorld } from '../../../src/demo/world/errors/world.ts';
import { checkoutApi, rememberedFromMs, shopWeb } from '../../../src/demo/world/story.ts';
import { nightlyOrFull } from '../../support/test-level.ts';
import { goldenMs, seed } from './visit.ts';

let golden: ErrorsWorld;
beforeAll(() => {
  golden = errorsWorld(seed, goldenMs);
});

function statesOf({ issues }: ErrorsWorld): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { issue } of issues) {
    const { status, substatus } = issue.state;
    const state = issue.mergedInto === null ? `${status} ${substatus ?? ''}`.trim() : 'merged';
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

it('has 64 issues at the golden time: 36 open, 18 resolved, 6 ignored, and 4 merged into others', () => {
  expect(statesOf(golden)).toEqual({
    'unresolved new': 9,
    'unresolved regressed': 5,
    'unresolved ongoing': 22,
    resolved: 18,
    ignored: 6,
    merged: 4,
  });
  expect(golden.issues.map(({ issue }) => issue.id)).toEqual(
    Array.from({ length: 64 }, (_, nth) => 1001 + nth),
  );
});

it('has nine issues of the last day, all new, and the trouble among them', () => {
  const fresh = golden.issues.filter(({ issue }) => issue.firstSeenMs >= goldenMs - dayMs);
  expect(fresh.map(({ issue }) => issue.state.substatus)).toEqual(new Array(9).fill('new'));
  const trouble = golden.issueById(1061);
  expect(trouble?.issue).toMatchObject({
    firstSeenMs: golden.trouble.firstEventAtMs,
    firstRelease: golden.trouble.version,
    assignedTo: 3,
    level: 'fatal',
  });
  expect(golden.storedOf(1061).at(-1)?.eventId).toBe(golden.trouble.eventId);
});

it('counts from 1 to about 18,400, and about 61,000 within 90 days', () => {
  const heads = golden.issues.filter(({ issue }) => issue.mergedInto === null);
  const counts = heads.map(({ issue }) => issue.eventsCount);
  const remembered = rememberedFromMs(goldenMs);
  const observed = heads.reduce(
    (sum, { issue }) => sum + golden.eventsOf(issue.id, remembered, goldenMs + 1),
    0,
  );
  expect(Math.min(...counts)).toBe(1);
  expect(Math.max(...counts)).toBe(golden.issueById(1043)?.issue.eventsCount);
  expect(Math.round(Math.max(...counts) / 200) * 200).toBe(18_400);
  expect(observed).toBeGreaterThan(59_000);
  expect(observed).toBeLessThan(63_000);
});

it('keeps about 540 events whole: at least the first and the last of each issue', () => {
  expect(golden.stored.length).toBeGreaterThan(500);
  expect(golden.stored.length).toBeLessThan(580);
  for (const { issue, group } of golden.issues) {
    for (const { plan, series } of group) {
      const nths = golden
        .storedOf(issue.mergedInto ?? issue.id)
        .filter(({ own }) => own.plan.id === plan.id)
        .map(({ nth }) => nth);
      expect([nths[0], nths.at(-1)]).toEqual([0, series.total - 1]);
    }
  }
});

it('lets #1043 come back with the release of its week', () => {
  const found = golden.issueById(1043);
  const back = found?.acts.findLast(({ kind }) => kind === 'regressed');
  expect(found?.issue).toMatchObject({ state: { substatus: 'regressed' }, projectId: shopWeb });
  expect(back).toMatchObject({ release: '4.18.0' });
  expect(golden.regressedIn('4.18.0', shopWeb)).toContain(1043);
  expect(golden.storedById(back?.eventId ?? '')?.issueId).toBe(1043);
});

it('has 12 reports, 5 of them of issues and one of spam', () => {
  const all = golden.reports.map(({ feedback }) => feedback);
  expect(all).toHaveLength(12);
  expect(all.filter(({ issueId }) => issueId !== null)).toHaveLength(5);
  expect(all.filter(({ spam }) => spam)).toHaveLength(1);
});

it('calls each issue as the program calls an event of it', () => {
  const said = plans.map(({ key }) => {
    const { title, culprit, level, platform } = plainEvent(templateOf(key));
    return { key, title, culprit, level, platform };
  });
  expect(
    golden.issues.map(({ plan: { key }, issue: { title, culprit, level, platform } }) => ({
      key,
      title,
      culprit,
      level,
      platform,
    })),
  ).toEqual(said);
  expect(Object.keys(names)).toHaveLength(64);
});

it('groups the events of an issue together, whatever else they say', () => {
  for (const { issue } of golden.issues) {
    const kept = golden.storedOf(issue.id).filter(({ own }) => own.plan.id === issue.id);
    for (const place of kept.slice(0, 2)) {
      const { eventId, own, projectId, atMs, release, environment } = place;
      const { template } = own;
      const made = preparedEvent({ eventId, template, projectId, atMs, release, environment });
      expect([made.grouping.hash, made.errors, made.eventId]).toEqual([issue.grouping.hash, [], eventId]);
    }
  }
});

/** Times from the demo's beginning on, among them leap days, turns of years and of daylight saving. */
const times = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: goldenMs, max: Date.UTC(2030, 0, 1) }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          Date.UTC(2028, 1, 29),
          Date.UTC(2027, 0, 1),
          Date.UTC(2028, 0, 1),
          Date.UTC(2027, 2, 28, 1),
          Date.UTC(2027, 9, 31, 1),
          Date.UTC(2027, 4, 3, 0, 23),
        ),
        fc.integer({ min: -3 * hourMs, max: 3 * hourMs }),
      )
      .map(([atMs, beside]) => atMs + beside),
  },
);

it('at any time: nothing in the future, sums that agree, references that resolve', () => {
  fc.assert(
    fc.property(times, (atMs) => {
      const world = errorsWorld(seed, atMs);
      for (const each of world.issues) expectWhole(world, each);
      const rows = world.stored.map(({ row }) => row);
      expect(rows).toEqual([...new Set(rows)].sort((one, other) => one - other));
      for (const { feedback } of world.reports) {
        expect(feedback.createdAtMs).toBeLessThanOrEqual(world.nowMs);
        expect(feedback.stateAtMs ?? 0).toBeLessThanOrEqual(world.nowMs);
        if (feedback.eventId === null) continue;
        expect(world.storedById(feedback.eventId)?.issueId).toBe(feedback.issueId);
      }
      expect(world.issueById(1061)?.issue.state.substatus).toBe('new');
    }),
    { numRuns: nightlyOrFull(12, 3) },
  );
});

function expectWhole(
  world: ErrorsWorld,
  { issue, acts, comments, group, series }: ErrorsWorld['issues'][number],
) {
  const { nowMs } = world;
  expect(world.nowMs % fiveMinutesMs).toBe(0);
  expect(issue.lastSeenMs).toBeLessThanOrEqual(nowMs);
  expect(issue.firstSeenMs).toBeLessThanOrEqual(issue.lastSeenMs);
  expect(issue.eventsCount).toBe(
    group.reduce((sum, own) => sum + own.series.counts.reduce((one, other) => one + other, 0), 0),
  );
  expect(world.eventsOf(issue.id, 0, nowMs + 1)).toBe(issue.eventsCount);
  expect(issue.usersCount).toBeLessThanOrEqual(issue.eventsCount);
  const times = acts.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(Math.max(...times, ...comments.map(({ atMs }) => atMs))).toBeLessThanOrEqual(nowMs);
  expect(acts[0]).toMatchObject({ kind: 'first_seen', atMs: series.momentOf(0), from: '' });
  const changes = acts.filter(({ to }) => to !== '');
  expect(changes.slice(1).map(({ from }) => from)).toEqual(changes.slice(0, -1).map(({ to }) => to));
  const kept = world.storedOf(issue.id);
  const moments = kept.map(({ atMs }) => atMs);
  expect(moments).toEqual(moments.toSorted((one, other) => one - other));
  expect(kept.map(({ own, atMs }) => own.series.before(atMs))).toEqual(kept.map(({ nth }) => nth));
  expect(Math.max(...moments)).toBeLessThanOrEqual(nowMs);
}

it('shares the events of an issue out over the values of each of its tags', () => {
  for (const { issue, group } of golden.issues) {
    if (issue.mergedInto !== null) continue;
    for (const own of group) {
      const tags = Map.groupBy(golden.tagsOf(own), ({ tag }) => tag);
      for (const name of ['level', 'environment', 'release']) expect([...tags.keys()]).toContain(name);
      for (const [tag, values] of tags) {
        const sum = values.reduce((all, { events }) => all + events, 0);
        expect([issue.id, tag, sum]).toEqual([issue.id, tag, own.series.total]);
        for (const { firstSeenMs, lastSeenMs } of values) {
          expect(firstSeenMs).toBeGreaterThanOrEqual(own.bare.firstSeenMs);
          expect(lastSeenMs).toBeLessThanOrEqual(own.bare.lastSeenMs);
          expect(firstSeenMs).toBeLessThanOrEqual(lastSeenMs);
        }
      }
    }
  }
});

/** What does not change any more, told of a life that both times know. */
function pastOf(
  { series, acts, comments, projectId }: LoneIssue,
  early: ErrorsWorld,
  fromMs: number,
): unknown {
  const { nowMs, trouble } = early;
  const hours: number[] = [];
  for (let atMs = fromMs; atMs < nowMs; atMs += hourMs) hours.push(series.before(atMs));
  const isPast = ({ atMs }: { readonly atMs: number }): boolean => atMs <= nowMs;
  // The release that the trouble came with goes with it.
  const named = acts.filter(isPast).map(({ release, detail, ...act }) => {
    const isUnderWay = projectId === checkoutApi && act.atMs >= trouble.deployedAtMs;
    return isUnderWay ? act : { ...act, release, detail };
  });
  return { hours, acts: named, comments: comments.filter(isPast) };
}

it('tells the same of the past a day later, but for what was under way', () => {
  fc.assert(
    fc.property(times, (atMs) => {
      const [early, late] = [errorsWorld(seed, atMs), errorsWorld(seed, atMs + dayMs)];
      const fromMs = rememberedFromMs(late.nowMs);
      for (const [nth, one] of early.issues.entries()) {
        const other = late.issues[nth];
        // The trouble is another by then, and what is new begins anew every week.
        if (other === undefined || other.life.number !== one.life.number) {
          const wasOver = one.plan.lives === 'done' && one.issue.lastSeenMs < fromMs;
          expect(wasOver || ['trouble', 'weekly'].includes(one.plan.lives)).toBe(true);
          continue;
        }
        expect(pastOf(other, early, fromMs)).toEqual(pastOf(one, early, fromMs));
      }
    }),
    { numRuns: nightlyOrFull(8, 1) },
  );
});

it('is the same for the same seed and time, and another for another seed', () => {
  const told = (world: ErrorsWorld) =>
    world.issues.map(({ issue: { eventsCount, lastSeenMs } }) => [eventsCount, lastSeenMs]);
  expect(told(errorsWorld(seed, goldenMs + minuteMs))).toEqual(told(golden));
  expect(told(errorsWorld('demo-2', goldenMs))).not.toEqual(told(golden));
});
