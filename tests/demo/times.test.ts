import { describe, expect, it } from '@jest/globals';
import { timesOf } from '../../src/demo/errors/errors.ts';
import { demoIssues } from '../../src/demo/faults/issues.ts';
import { createRandom } from '../../src/demo/shared/random.ts';

const nowMs = Date.UTC(2026, 10, 21, 14, 35);
const dayMs = 86_400_000;
const world = demoIssues.map((issue) => ({
  issue,
  times: timesOf(nowMs, issue, createRandom(issue.key)),
}));
const all = world.flatMap(({ times }) => times);

describe('the events of the demo world', () => {
  it('are enough for realistic pages, and few enough to insert in seconds', () => {
    expect(all.length).toBeGreaterThan(2_500);
    expect(all.length).toBeLessThan(3_500);
    expect(all.filter((atMs) => atMs > nowMs - 30 * dayMs).length / all.length).toBeGreaterThan(0.7);
  });

  it('are between first and last seen of their issue', () => {
    for (const { issue, times } of world) {
      expect([issue.key, times[0]]).toEqual([issue.key, Math.round(nowMs - issue.events.firstDays * dayMs)]);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times.at(-1)).toBeLessThanOrEqual(nowMs);
    }
  });

  it('are mostly at daytime, and fewer at weekends', () => {
    const weeks = all.filter((atMs) => atMs > nowMs - 29 * dayMs && atMs < nowMs - dayMs);
    const within = (fits: (at: Date) => boolean) => weeks.filter((atMs) => fits(new Date(atMs))).length;
    const night = within((at) => at.getUTCHours() >= 1 && at.getUTCHours() < 5);
    const noon = within((at) => at.getUTCHours() >= 10 && at.getUTCHours() < 14);
    expect(noon / night).toBeGreaterThan(3);
    const weekend = within((at) => at.getUTCDay() % 6 === 0) / 8;
    const weekday = within((at) => at.getUTCDay() % 6 !== 0) / 20;
    expect(weekend / weekday).toBeLessThan(0.9);
  });

  it('leave a gap from resolution to regression of an issue', () => {
    for (const { issue, times } of world) {
      const { lifecycle: fate } = issue;
      if (fate?.is !== 'regressed') continue;
      const quiet = times.filter(
        (atMs) => atMs > nowMs - fate.resolved * dayMs && atMs < Math.round(nowMs - fate.back * dayMs),
      );
      expect([issue.key, quiet]).toEqual([issue.key, []]);
    }
  });
});
