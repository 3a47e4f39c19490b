// What stands beside the places of the shell, kept for a moment: every page shows it, and nobody counts
// along.
import { dayMs } from '../reading/spans.ts';
import type { NewestRun, PlaceCounts, WatchCounts } from '../store/workspace.ts';
import { lookedAt, type Visit } from './visit.ts';

const keptMs = 2_000;
/** Sets of projects that are remembered: all of them, and each alone. */
const setsMax = 200;
const newReportsMs = 7 * dayMs;
/** As many projects as one look counts. */
const projectsMax = 1_000;

/** Counts for the projects that a visit looks at; at most two seconds old. */
export type CountPlaces = (visit: Visit) => Promise<BesidePlaces>;

/** What stands beside the places. */
export interface BesidePlaces extends PlaceCounts, WatchCounts {
  /** Suites whose newest test run failed, as the overview counts them. */
  readonly failedSuites: number;
}

/** Runs that are read for what their suites are: of many suites the newest. */
export const runsRead = 200;

type Runs = readonly [NewestRun, ...NewestRun[]];

/** The runs of each suite, the newest first, of the suites that ran last first. */
export function suitesOf(runs: readonly NewestRun[]): Runs[] {
  const suites = new Map<string, [NewestRun, ...NewestRun[]]>();
  for (const run of runs) {
    const name = `${run.projectId} ${run.suite ?? ''}`;
    const suite = suites.get(name);
    if (suite === undefined) suites.set(name, [run]);
    else suite.push(run);
  }
  return [...suites.values()];
}

/** The newest runs of the suites where that one failed. */
export function failedSuites(suites: readonly Runs[]): NewestRun[] {
  return suites.map(([newest]) => newest).filter(({ status }) => status === 'failed' || status === 'error');
}

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
  { deps, nowMs }: Visit,
  projectIds: readonly number[],
  project: number | null,
): Promise<BesidePlaces> {
  const [places, runs, watched] = await Promise.all([
    deps.store.placeCounts(projectIds, nowMs - newReportsMs),
    deps.store.newestTestRuns(projectIds, runsRead),
    deps.store.watchCounts(project),
  ]);
  return { ...places, ...watched, failedSuites: failedSuites(suitesOf(runs)).length };
}
