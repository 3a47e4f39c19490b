// A suite of a JUnit report: what it says of itself outside of its cases, and what came in it. Pure.
import { cutText, cutTextBefore } from '../../../reading/cut-text.ts';
import type { CaseCollector } from '../cases/normalize.ts';
import { outputCharactersMax } from '../cases/report.ts';
import { type OpenCase, type Outcome, outputOf, saysNothing } from './case.ts';
import { failuresReported, type NumberForm, secondsOf, wholeNumber } from './numbers.ts';

/** Of what a suite says outside of its cases, in a warning. */
const suiteMessageCharactersMax = 1_000;

/** A `<testsuites>` or `<testsuite>` that is open: what it says of itself, and what came in it. */
export interface OpenSuite {
  readonly path: string;
  readonly reported: { readonly failures: number; readonly errors: number };
  /** How many cases it says that it has, and has had. */
  readonly tests: number | null;
  cases: number;
  /** The time that it says, and that of cases and suites inside. */
  readonly time: string | null;
  insideMs: number | null;
  /** Outcomes of cases and of suites inside. */
  failures: number;
  errors: number;
  stdout: string;
  stderr: string;
  /** Which case shows what the suite printed: the first that failed, else the last. */
  firstFailed: number | null;
  last: number | null;
}

/** An outcome outside of any case. */
export type SuiteOutcome = Outcome & { readonly word: 'failed' | 'error' };

/** Begins a suite; `path` is its name in warnings. */
export function openSuite(path: string, attributes: Readonly<Record<string, string>>): OpenSuite {
  return {
    path,
    reported: failuresReported(attributes),
    tests: wholeNumber(attributes['tests']),
    cases: 0,
    time: attributes['time'] === undefined ? null : cutText(attributes['time'], 300),
    insideMs: null,
    failures: 0,
    errors: 0,
    stdout: '',
    stderr: '',
    firstFailed: null,
    last: null,
  };
}

/** Counts a case of a suite by its place among all; `failed` is the case where it failed, else null. */
export function countCase(
  suite: OpenSuite,
  index: number,
  failed: { readonly error: unknown; readonly failure: unknown } | null,
): void {
  suite.last = index;
  suite.cases += 1;
  if (failed === null) return;
  suite.firstFailed ??= index;
  // A case may have both; pytest counts each.
  if (failed.error !== null) suite.errors += 1;
  if (failed.failure !== null || failed.error === null) suite.failures += 1;
}

/**
 * Whether a case is none: pytest that is interrupted writes the one it was in with a time and no name, and
 * does not count it. Its counts tell little, since they hold subtests that are no cases. The run did not come
 * to its end.
 */
export function claimUnfinished(
  collector: CaseCollector,
  suite: OpenSuite | undefined,
  one: OpenCase,
): boolean {
  if (!saysNothing(one)) return false;
  const { name, time } = one.attributes;
  const isTimed = name === undefined && time !== undefined;
  const isBeyond = suite !== undefined && suite.tests !== null && suite.cases >= suite.tests;
  if (!isTimed && !isBeyond) return false;
  collector.claim('error');
  collector.warn(
    'unfinished_case',
    'A case has no name and no outcome: the run ended in it, and is taken as error.',
    suite?.path,
  );
  return true;
}

/** An error that no case has, such as a broken `beforeAll`: the run failed, whatever its cases say. */
export function claimOutcome(
  collector: CaseCollector,
  suite: OpenSuite | undefined,
  { word, message, type, text }: SuiteOutcome,
): void {
  const said = cutText(message || text.trim() || type || 'without a message', suiteMessageCharactersMax);
  collector.claim(word);
  collector.warn(
    'suite_outcome',
    `The suite itself ${word === 'error' ? 'has an error' : 'failed'}, outside of any case: ${said}`,
    suite?.path,
  );
  if (suite !== undefined) {
    if (word === 'error') suite.errors += 1;
    else suite.failures += 1;
  }
}

/** Adds the time of a case or of a suite inside; null says nothing. */
export function addTime(suite: OpenSuite, ms: number | null): void {
  if (ms !== null) suite.insideMs = (suite.insideMs ?? 0) + ms;
}

/**
 * Ends a suite: the run failed where it counts failures that no case of it shows. Answers how long it took.
 */
export function closeSuite(
  collector: CaseCollector,
  suite: OpenSuite,
  outer: OpenSuite | undefined,
  form: NumberForm,
): number | null {
  const said = secondsOf(suite.time, form, null)?.ms ?? null;
  // CTest cuts the time of a suite to whole seconds.
  const ms = said || (suite.insideMs ?? said);
  placeOutput(collector, suite);
  const { reported } = suite;
  const unseen = reported.failures + reported.errors - suite.failures - suite.errors;
  if (unseen > 0) {
    const status = reported.failures > suite.failures ? 'failed' : 'error';
    collector.claim(status);
    collector.warn(
      'failures_without_cases',
      `The report counts ${reported.failures} failures and ${reported.errors} errors, its cases show ${suite.failures} and ${suite.errors}; the run is taken as ${status}.`,
      suite.path,
    );
  }
  if (outer !== undefined) {
    addTime(outer, ms);
    // What this suite counts and does not show is not said again of those around it.
    outer.failures += Math.max(suite.failures, reported.failures);
    outer.errors += Math.max(suite.errors, reported.errors);
    outer.cases += suite.cases;
    outer.firstFailed ??= suite.firstFailed;
    outer.last = suite.last ?? outer.last;
  }
  return ms;
}

/** What is wanted of a suite once it is closed: an empty suite takes ten bytes, and there may be millions. */
export function totalsIn(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const names = ['name', 'timestamp', 'tests', 'failures', 'errors', 'skipped', 'disabled'];
  const kept: Record<string, string> = Object.create(null);
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined) {
      kept[name] = cutText(value, 300);
    }
  }
  return kept;
}

/** What a suite printed is shown with one of its cases. */
function placeOutput(collector: CaseCollector, { path, stdout, stderr, firstFailed, last }: OpenSuite): void {
  if (stdout.trim() === '' && stderr.trim() === '') return;
  const index = firstFailed ?? last;
  if (index !== null) {
    collector.addOutput(index, { stdout: outputOf(stdout), stderr: outputOf(stderr) }, path);
    return;
  }
  const end = cutTextBefore(outputOf(`${stdout}\n${stderr}`), outputCharactersMax);
  collector.warn('suite_output', `A suite without cases printed, at its end: ${end}`, path);
}
