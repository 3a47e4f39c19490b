// Red streaks: how long the runs of one suite on one branch have failed without a run that passed. Pure.
import type { RunSketch } from '../../store/test-runs.ts';

export interface Streak {
  readonly projectId: number;
  readonly suite: string | null;
  readonly branch: string | null;
  /** Runs that failed since the last that passed. */
  readonly runs: number;
  /** The first of them, and the newest. */
  readonly first: RunSketch;
  readonly newest: RunSketch;
  /** The last run that passed before; null where none is known. */
  readonly lastGood: RunSketch | null;
}

/** The streaks that go on, of runs newest first; the longest first. Runs without a case count for nothing. */
export function streaksOf(runs: readonly RunSketch[]): Streak[] {
  const lines = Map.groupBy(
    runs.filter(({ status }) => status !== 'empty'),
    ({ projectId, suite, branch }) => JSON.stringify([projectId, suite, branch]),
  );
  return [...lines.values()]
    .flatMap((line) => streakOf(line) ?? [])
    .sort((one, other) => other.runs - one.runs || other.newest.createdAtMs - one.newest.createdAtMs);
}

function streakOf(line: readonly RunSketch[]): Streak | null {
  const good = line.findIndex(({ status }) => status === 'passed');
  const red = good === -1 ? line : line.slice(0, good);
  const [newest, first] = [red.at(0), red.at(-1)];
  if (newest === undefined || first === undefined) return null;
  // The one run that a branch ever had is no streak: nothing was green before.
  if (line.length === 1) return null;
  const { projectId, suite, branch } = newest;
  return { projectId, suite, branch, runs: red.length, first, newest, lastGood: line[good] ?? null };
}
