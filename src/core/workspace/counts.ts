// What stands beside the places of the shell, kept for a moment: every page shows it, and nobody counts
// along.
import { dayMs } from '../reading/spans.ts';
import type { PlaceCounts, WatchCounts } from '../store/workspace.ts';
import { lookedAt, type Visit } from './visit.ts';

const keptMs = 2_000;
/** Sets of projects that are remembered: all of them, and each alone. */
const setsMax = 200;
const newReportsMs = 7 * dayMs;
/** As many projects as one look counts. */
const projectsMax = 1_000;

/** Counts for the projects that a visit looks at; at most two seconds old. */
export type CountPlaces = (visit: Visit) => Promise<PlaceCounts & WatchCounts>;

/** What is watched elsewhere is counted there. */
const nothingWatched: WatchCounts = { downMonitors: 0, openIncidents: 0, failingChannels: 0 };

/** A counter with a memory of its own. */
export function placeCounter(): CountPlaces {
  const kept = new Map<string, { readonly atMs: number; readonly counts: ReturnType<CountPlaces> }>();
  return (visit) => {
    const { nowMs } = visit;
    const ids = lookedAt(visit)
      .slice(0, projectsMax)
      .map(({ id }) => id);
    const project = visit.project?.id ?? null;
    // Of one project less is watched than of all, though they be one.
    const name = `${project === null ? 'all ' : ''}${ids.join(',')}`;
    const known = kept.get(name);
    if (known !== undefined && Math.abs(nowMs - known.atMs) < keptMs) return known.counts;
    const counts = countAll(visit, ids, project);
    if (kept.size >= setsMax) kept.clear();
    kept.set(name, { atMs: nowMs, counts });
    // A count that failed is no answer for the next who asks.
    counts.catch(() => kept.delete(name));
    return counts;
  };
}

async function countAll(
  { deps, nowMs, uptime }: Visit,
  projectIds: readonly number[],
  project: number | null,
): Promise<PlaceCounts & WatchCounts> {
  const [places, watched] = await Promise.all([
    deps.store.placeCounts(projectIds, nowMs - newReportsMs),
    uptime === undefined ? deps.store.watchCounts(project) : nothingWatched,
  ]);
  return { ...places, ...watched };
}
