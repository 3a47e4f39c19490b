// The cases of a run, made when they are asked for: names from tables, durations and ends by chance that is
// named by suite, case and run.
import { hash } from 'node:crypto';
import type { CaseNear, CaseResult, TestResult } from '../../../core/store/test-runs.ts';
import { chance } from '../chance.ts';
import {
  behaviours,
  circumstances,
  type DemoSuite,
  type Failure,
  flakyCases,
  namedCases,
} from './case-words.ts';
import { type DemoRun, isSkipped } from './runs.ts';

/** What a case is called wherever it runs. */
export interface CaseName {
  readonly index: number;
  readonly caseId: string;
  readonly name: string;
  readonly suite: readonly string[];
  readonly file: string;
  readonly line: number;
}

const known = new Map<DemoSuite, readonly CaseName[]>();

/** The names of all cases of a suite, by their numbers; made once. */
export function casesOf(suite: DemoSuite): readonly CaseName[] {
  const found = known.get(suite);
  if (found !== undefined) return found;
  const made = Array.from({ length: suite.cases }, (_, index) => caseOf(suite, index));
  known.set(suite, made);
  return made;
}

function caseOf(suite: DemoSuite, index: number): CaseName {
  const thing = suite.things[index % suite.things.length] ?? '';
  const number = Math.floor(index / suite.things.length);
  const behaviour = behaviours[number % behaviours.length] ?? '';
  const circumstance = circumstances[Math.floor(number / behaviours.length)] ?? '';
  const named = namedCases.find((each) => each.projectId === suite.projectId && each.index === index);
  const name = named?.name ?? `${behaviour}${circumstance}`;
  const file = named?.file ?? `${suite.folder}${thing}${suite.ending}`;
  return {
    index,
    // As the readers of reports tell cases apart: by suite, name and file.
    caseId: hash('sha256', JSON.stringify(['case', JSON.stringify([thing]), name, '', file])),
    name,
    suite: [thing],
    file,
    line: named?.line ?? 8 + number * 11,
  };
}

/** How a case ended in a run. */
export function endOf(run: DemoRun, index: number): CaseResult {
  if (run.failures.some((each) => each.index === index)) return 'failed';
  if (run.flakyIndexes.includes(index)) return 'flaky';
  return isSkipped(index) ? 'skipped' : 'passed';
}

const severities: readonly CaseResult[] = ['failed', 'flaky', 'skipped', 'passed'];

/** The place of a case among those of its run, failures first. */
export function nearOf(run: DemoRun, index: number): CaseNear {
  return { severity: severities.indexOf(endOf(run, index)), uploadId: run.id, position: index };
}

/** How long a case took in a run; nothing where it was skipped. */
export function durationOf(seed: string, run: DemoRun, index: number): number {
  const end = endOf(run, index);
  if (end === 'skipped') return 0;
  const { projectId, caseMs } = run.ofSuite;
  const own = 0.2 + 6 * chance(seed, 'case', projectId, index) ** 4;
  const noise = 0.85 + 0.3 * chance(seed, 'case', projectId, index, run.id);
  const tries = end === 'flaky' ? 2.6 : 1;
  return Math.max(1, Math.round(caseMs * own * noise * tries));
}

/** When a case was last found flaky; null where it never was. */
export type LastFlaky = (projectId: number, index: number) => number | null;

/** A case of a run as the store gives it. */
export function resultOf(seed: string, run: DemoRun, index: number, lastFlaky: LastFlaky): TestResult {
  const one = casesOf(run.ofSuite)[index] ?? caseOf(run.ofSuite, index);
  const end = endOf(run, index);
  const failure = run.failures.find((each) => each.index === index) ?? null;
  const durationMs = durationOf(seed, run, index);
  const flakyAtMs = lastFlaky(run.projectId, index);
  return {
    caseId: one.caseId,
    name: one.name,
    suite: JSON.stringify(one.suite),
    file: one.file,
    status: end === 'flaky' ? 'passed' : end,
    kind: failure === null ? null : (failure.kind ?? 'failure'),
    flakyRule: end === 'flaky' ? 'same_run' : null,
    durationMs,
    detail: JSON.stringify(detailOf(one, end, failure, durationMs, run.projectId)),
    caseFlakyRule: flakyAtMs === null ? null : 'same_run',
    caseFlakyAtMs: flakyAtMs,
  };
}

function detailOf(
  { index, line }: CaseName,
  end: CaseResult,
  failure: Failure | null,
  durationMs: number,
  projectId: number,
) {
  const flaky = flakyCases.find((each) => each.projectId === projectId && each.index === index);
  const isFlaky = end === 'flaky';
  const firstMs = Math.round(durationMs * 0.7);
  return {
    message: failure?.message ?? (isFlaky ? (flaky?.message ?? null) : null),
    trace: failure?.trace ?? null,
    line,
    raw_status: null,
    retries: isFlaky ? 1 : 0,
    configuration: null,
    stdout: null,
    stderr: null,
    attempts: isFlaky
      ? [
          { status: 'failed', duration_ms: firstMs, message: flaky?.message ?? null, trace: null },
          { status: 'passed', duration_ms: durationMs - firstMs, message: null, trace: null },
        ]
      : [],
    steps: [],
    tags: [],
    properties: [],
  };
}
