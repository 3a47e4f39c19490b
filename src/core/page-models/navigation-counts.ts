// Counts in the navigation. Cached for two seconds, because every page shows them.
import { dayMs } from '../parsing/durations.ts';
import type { NewestRun } from '../store/page-queries.ts';
import { viewedProjectIds } from './list-params.ts';
import type { RequestContext } from './request-context.ts';

const keptMs = 2_000;
const setsMax = 200;
const newReportsMs = 7 * dayMs;

export type CountNavigation = (context: RequestContext) => Promise<NavigationCounts>;

export type NavigationCounts = Awaited<ReturnType<typeof countAll>>;

/** Test runs read to find the newest of each suite. */
export const newestRunsMax = 200;

type Runs = readonly [NewestRun, ...NewestRun[]];

export function groupRunsBySuite(runs: readonly NewestRun[]): Runs[] {
  const suites = new Map<string, [NewestRun, ...NewestRun[]]>();
  for (const run of runs) {
    const name = `${run.projectId} ${run.suite ?? ''}`;
    const suite = suites.get(name);
    if (suite === undefined) suites.set(name, [run]);
    else suite.push(run);
  }
  return [...suites.values()];
}

export function findFailedSuites(suites: readonly Runs[]): NewestRun[] {
  return suites.map(([newest]) => newest).filter(({ status }) => status === 'failed' || status === 'error');
}

export function createNavigationCounter(): CountNavigation {
  const cache = new Map<string, { readonly atMs: number; readonly counts: ReturnType<CountNavigation> }>();
  return (context) => {
    const { nowMs } = context;
    const ids = viewedProjectIds(context);
    const project = context.project?.id ?? null;
    // All projects include workspace monitors, so the key differs from that of a single project.
    const name = `${context.hasAllProjects ? 'all' : ''} ${project === null ? 'every' : ''} ${ids.join(',')}`;
    const known = cache.get(name);
    if (known !== undefined && Math.abs(nowMs - known.atMs) < keptMs) return known.counts;
    const counts = countAll(context, ids, project);
    if (cache.size >= setsMax) cache.clear();
    cache.set(name, { atMs: nowMs, counts });
    counts.catch(() => cache.delete(name));
    return counts;
  };
}

async function countAll(
  { deps, nowMs }: RequestContext,
  projectIds: readonly number[],
  project: number | null,
) {
  const [counts, runs, monitoring] = await Promise.all([
    deps.store.placeCounts(projectIds, nowMs - newReportsMs),
    deps.store.newestTestRuns(projectIds, newestRunsMax),
    deps.store.watchCounts(project),
  ]);
  return { ...counts, ...monitoring, failedSuites: findFailedSuites(groupRunsBySuite(runs)).length };
}
