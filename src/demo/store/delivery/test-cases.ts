// Cases of test runs as pages ask for them: each is made when it is wanted.
import type {
  CaseEnd,
  CaseNear,
  CaseResult,
  PlacedResult,
  TestRunStore,
} from '../../../core/store/test-runs.ts';
import { casesOf, durationOf, endOf, type LastFlaky, nearOf, resultOf } from '../../world/delivery/cases.ts';
import { type DemoRun, plain } from '../../world/delivery/runs.ts';
import type { DeliveryWorld } from '../../world/delivery/world.ts';
import { ofProjects, searching, sliceOf } from './lists.ts';

export type CaseReads = Pick<
  TestRunStore,
  | 'walkTestResults'
  | 'slowestTestResults'
  | 'troubledCases'
  | 'caseEnds'
  | 'projectsOfCase'
  | 'sliceCaseRuns'
  | 'listTestResults'
>;

/** The reads of cases. */
export function caseReads(world: DeliveryWorld): CaseReads {
  const { seed } = world;
  const find = (testRunId: number): DemoRun | undefined => world.runs.find(({ id }) => id === testRunId);
  const lastFlaky = lastFlakyIn(world);
  return {
    async walkTestResults(testRunId, filter, after, limit) {
      const run = find(testRunId);
      if (run === undefined) return [];
      return placesIn(run, filter)
        .filter((near) => after === null || compare(near, after) > 0)
        .slice(0, limit)
        .map((near): PlacedResult => ({ near, result: resultOf(seed, run, near.position, lastFlaky) }));
    },
    async listTestResults(testRunId, { status, search, limit, offset }) {
      const run = find(testRunId);
      if (run === undefined) return { rows: [], total: 0 };
      const places = placesIn(run, { result: null, search: search ?? null }).filter(
        ({ position }) => status === undefined || statusOf(endOf(run, position)) === status,
      );
      const rows = places.slice(offset, offset + limit);
      return {
        rows: rows.map(({ position }) => resultOf(seed, run, position, lastFlaky)),
        total: places.length,
      };
    },
    async slowestTestResults(testRunId, limit) {
      const run = find(testRunId);
      if (run === undefined) return [];
      const slowest = slowestIn(seed, run).slice(0, limit);
      return slowest.map((index) => resultOf(seed, run, index, lastFlaky));
    },
    troubledCases: async (runIds, limit) => troubledCases(world, runIds, limit),
    caseEnds: async (projectId, caseIds, runIds) => caseEnds(world, projectId, caseIds, runIds),
    async projectsOfCase(projectIds, caseId) {
      const projects = world.runs.filter((run) => indexIn(run, caseId) !== null);
      return [...new Set(ofProjects(projects, projectIds).map(({ projectId }) => projectId))].sort(
        (one, other) => one - other,
      );
    },
    async sliceCaseRuns(projectId, caseId, slice) {
      const rows = ofProjects(world.runs, [projectId]).flatMap((run) => {
        const index = indexIn(run, caseId);
        return index === null ? [] : [{ run, index }];
      });
      const near = ({ run, index }: (typeof rows)[number]) => ({ atMs: run.id, id: index });
      const sliced = sliceOf(rows, near, slice);
      return {
        ...sliced,
        rows: sliced.rows.map((row) => ({
          run: plain(row.run),
          result: resultOf(seed, row.run, row.index, lastFlaky),
          near: near(row),
        })),
      };
    },
  };
}

function slowestIn(seed: string, run: DemoRun): number[] {
  return indexesOf(run)
    .map((index) => ({ index, tookMs: durationOf(seed, run, index) }))
    .filter(({ tookMs }) => tookMs > 0)
    .sort((one, other) => other.tookMs - one.tookMs || one.index - other.index)
    .map(({ index }) => index);
}

function indexesOf({ tests }: DemoRun): number[] {
  return Array.from({ length: tests }, (_, index) => index);
}

function compare(one: CaseNear, other: CaseNear): number {
  return one.severity - other.severity || one.uploadId - other.uploadId || one.position - other.position;
}

function statusOf(end: CaseResult): string {
  return end === 'flaky' ? 'passed' : end;
}

/** The places of the cases that fit, failures first. */
function placesIn(
  run: DemoRun,
  { result, search }: { readonly result: CaseResult | null; readonly search: string | null },
): CaseNear[] {
  const fits = searching(search);
  const names = casesOf(run.ofSuite);
  return indexesOf(run)
    .filter((index) => result === null || endOf(run, index) === result)
    .filter((index) => {
      const one = names[index];
      return one !== undefined && fits(one.name, JSON.stringify(one.suite), one.file);
    })
    .map((index) => nearOf(run, index))
    .sort(compare);
}

const indexes = new WeakMap<object, ReadonlyMap<string, number>>();

/** The number of a case in a run; null where the run has none of that id. */
function indexIn(run: DemoRun, caseId: string): number | null {
  const names = casesOf(run.ofSuite);
  const known = indexes.get(names) ?? new Map(names.map((one) => [one.caseId, one.index]));
  indexes.set(names, known);
  const index = known.get(caseId);
  return index === undefined || index >= run.tests ? null : index;
}

/** Cases that failed or were flaky in one of these runs: the newest run's first, failures before others. */
function troubledCases(world: DeliveryWorld, runIds: readonly number[], limit: number) {
  const runs = world.runs.filter(({ id }) => runIds.includes(id)).sort((one, other) => other.id - one.id);
  const found = new Map<
    string,
    { projectId: number; caseId: string; name: string; file: string; newest: number; worst: number }
  >();
  for (const run of runs) {
    const troubled = [...run.failures.map(({ index }) => index), ...run.flakyIndexes];
    for (const index of troubled) {
      const one = casesOf(run.ofSuite)[index];
      if (one === undefined) continue;
      const { caseId, name, file } = one;
      const { severity } = nearOf(run, index);
      const { id, projectId } = run;
      const key = `${projectId} ${caseId}`;
      const before = found.get(key) ?? { projectId, caseId, name, file, newest: id, worst: severity };
      found.set(key, { ...before, worst: Math.min(before.worst, severity) });
    }
  }
  return [...found.values()]
    .sort(
      (one, other) =>
        other.newest - one.newest || one.worst - other.worst || (one.caseId < other.caseId ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ projectId, caseId, name, file }) => ({ projectId, caseId, name, file }));
}

function caseEnds(
  world: DeliveryWorld,
  projectId: number,
  caseIds: readonly string[],
  runIds: readonly number[],
): CaseEnd[] {
  const runs = ofProjects(world.runs, [projectId]).filter(({ id }) => runIds.includes(id));
  return runs.flatMap((run) =>
    caseIds.flatMap((caseId): CaseEnd[] => {
      const index = indexIn(run, caseId);
      return index === null ? [] : [{ runId: run.id, caseId, result: endOf(run, index) }];
    }),
  );
}

function lastFlakyIn(world: DeliveryWorld): LastFlaky {
  return (projectId, index) =>
    world.runs.find((run) => run.projectId === projectId && run.flakyIndexes.includes(index))?.createdAtMs ??
    null;
}
