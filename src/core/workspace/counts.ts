// Counts in the navigation. Cached for two seconds, because every page shows them.
import { dayMs } from '../reading/spans.ts';
import type { NewestRun, PlaceCounts, WatchCounts } from '../store/workspace.ts';
import { lookedAt, type Visit } from './visit.ts';

const keptMs = 2_000;
const setsMax = 200;
const newReportsMs = 7 * dayMs;
const projectsMax = 1_000;

export type CountPlaces = (visit: Visit) => Promise<BesidePlaces>;

export interface BesidePlaces extends PlaceCounts, WatchCounts {
  readonly failedSuites: number;
}

/** Test runs read to find the newest of each suite. */
export const runsRead = 200;

type Runs = readonly [NewestRun, ...NewestRun[]];

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

export function failedSuites(suites: readonly Runs[]): NewestRun[] {
  return suites.map(([newest]) => newest).filter(({ status }) => status === 'failed' || status === 'error');
}

export function placeCounter(): CountPlaces {
  const kept = new Map<string, { readonly atMs: number; readonly counts: ReturnType<CountPlaces> }>();
  return (visit) => {
    const { nowMs } = visit;
    const ids = lookedAt(visit)
      .slice(0, projectsMax)
      .map(({ id }) => id);
    const project = visit.project?.id ?? null;
    // All projects include workspace monitors, so the key differs from that of a single project.
    const name = `${project === null ? 'all ' : ''}${ids.join(',')}`;
    const known = kept.get(name);
    if (known !== undefined && Math.abs(nowMs - known.atMs) < keptMs) return known.counts;
    const counts = countAll(visit, ids, project);
    if (kept.size >= setsMax) kept.clear();
    kept.set(name, { atMs: nowMs, counts });
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
