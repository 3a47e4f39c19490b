// Which version ran in production when, for an event names it: what was planned, what was taken back for a
// while, and the release that the trouble under way came with.
import { weekOf } from '../calendar.ts';
import { backAndForth, type PlannedRelease, plannedRelease } from '../plan.ts';
import { checkoutApi, plannedWeekOf, type Trouble, versionOf } from '../story.ts';

/** What runs in production, and since when. */
export interface Production {
  /** When the release of a planned week came to production. */
  deployedAtMs(projectId: number, week: number): number;
  versionAt(projectId: number, atMs: number): string;
  /** Moments from `fromMs` up to `toMs` at which another version began to run. */
  changes(projectId: number, fromMs: number, toMs: number): number[];
}

/** What runs in production while that trouble is under way. */
export function productionOf(seed: string, trouble: Trouble): Production {
  const known = new Map<string, PlannedRelease>();
  const releaseOf = (projectId: number, week: number): PlannedRelease => {
    const name = `${projectId} ${week}`;
    const release = known.get(name) ?? plannedRelease(seed, projectId, week, trouble);
    known.set(name, release);
    return release;
  };
  const versionAt = (projectId: number, atMs: number): string => {
    if (projectId === checkoutApi && atMs >= trouble.deployedAtMs) return trouble.version;
    const planned = plannedWeekOf(projectId, weekOf(atMs));
    const release = releaseOf(projectId, planned);
    const [backAtMs = Infinity, againAtMs = Infinity] = turnsOf(release);
    const isOut = atMs >= release.deployedAtMs && (atMs < backAtMs || atMs >= againAtMs);
    return versionOf(projectId, isOut ? planned : plannedWeekOf(projectId, planned - 1));
  };
  return {
    deployedAtMs: (projectId, week) => releaseOf(projectId, week).deployedAtMs,
    versionAt,
    changes(projectId, fromMs, toMs) {
      const moments: number[] = [];
      for (let week = weekOf(fromMs) - 1; week <= weekOf(toMs); week += 1) {
        if (plannedWeekOf(projectId, week) !== week) continue;
        const release = releaseOf(projectId, week);
        moments.push(release.deployedAtMs, ...turnsOf(release));
      }
      if (projectId === checkoutApi) moments.push(trouble.deployedAtMs);
      return [...new Set(moments)]
        .filter((atMs) => atMs >= fromMs && atMs < toMs)
        .sort((one, other) => one - other);
    },
  };
}

/** When a release was taken back, and when it came again; empty for most. */
function turnsOf(release: PlannedRelease): number[] {
  if (!release.isTakenBack) return [];
  const { backAtMs, againAtMs } = backAndForth(release);
  return [backAtMs, againAtMs];
}
