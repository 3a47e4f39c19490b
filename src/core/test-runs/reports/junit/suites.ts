import { cutText, cutTextFromEnd } from '../../../parsing/cut-text.ts';
import type { CaseCollector } from '../cases/normalize.ts';
import { isFailureWord, outputCharactersMax, parseOutcome } from '../cases/report.ts';
import { type CaseOutcome, isEmptyCase, type OpenCase, trimOutput } from './case.ts';
import { type NumberLocale, parseSeconds, parseWholeNumber } from './numbers.ts';

const suiteMessageCharactersMax = 1_000;

export type OpenSuite = ReturnType<typeof openSuite>;

export type SuiteOutcome = CaseOutcome & { readonly word: 'failed' | 'error' };

export function openSuite(path: string, attributes: Readonly<Record<string, string>>) {
  const count = (name: string): number | null => parseWholeNumber(attributes[name]);
  return {
    path,
    reported: { failures: count('failures') ?? count('failed') ?? 0, errors: count('errors') ?? 0 },
    /** Its own word for how it went, where that is a failure. */
    word: [attributes['status'], attributes['result']].find(isFailureWord) ?? null,
    /** How many cases it says that it has, and has had. */
    tests: count('tests'),
    cases: 0,
    time: attributes['time'] && cutText(attributes['time'], 300),
    insideMs: null as number | null,
    failures: 0,
    errors: 0,
    stdout: '',
    stderr: '',
    /** The suite's output is stored with its first failed case, else the last. */
    firstFailed: null as number | null,
    last: null as number | null,
  };
}

export function countCase(
  suite: OpenSuite,
  index: number,
  failed: { readonly error: unknown; readonly failure: unknown } | null,
): void {
  suite.last = index;
  suite.cases += 1;
  if (failed === null) return;
  suite.firstFailed ??= index;
  // pytest counts both.
  if (failed.error !== null) suite.errors += 1;
  if (failed.failure !== null || failed.error === null) suite.failures += 1;
}

/** Interrupted, pytest writes the current case with a time but no name. Counts do not show it. */
export function reportUnfinishedCase(
  collector: CaseCollector,
  suite: OpenSuite | undefined,
  one: OpenCase,
): boolean {
  if (!isEmptyCase(one)) return false;
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

/** An error outside of cases, such as a failed `beforeAll`: the run failed. */
export function reportSuiteFailure(
  collector: CaseCollector,
  suite: OpenSuite | undefined,
  { word, message, type, text }: SuiteOutcome,
): void {
  const failureText = cutText(
    message || text.trim() || type || 'without a message',
    suiteMessageCharactersMax,
  );
  collector.claim(word);
  collector.warn(
    'suite_outcome',
    `The suite itself ${word === 'error' ? 'has an error' : 'failed'}, outside of any case: ${failureText}`,
    suite?.path,
  );
  if (suite !== undefined) {
    if (word === 'error') suite.errors += 1;
    else suite.failures += 1;
  }
}

export function addTime(suite: OpenSuite, ms: number | null): void {
  if (ms !== null) suite.insideMs = (suite.insideMs ?? 0) + ms;
}

/** The run failed where a suite counts more failures than its cases show. Returns the suite's time. */
export function closeSuite(
  collector: CaseCollector,
  suite: OpenSuite,
  outer: OpenSuite | undefined,
  form: NumberLocale,
): number | null {
  const timeMs = parseSeconds(suite.time, form, null);
  // CTest cuts suite times to whole seconds.
  const ms = timeMs || (suite.insideMs ?? timeMs);
  attachOutput(collector, suite);
  const { reported, word } = suite;
  if (word !== null && suite.failures + suite.errors === 0) {
    const isError = parseOutcome(word).kind === 'error';
    reportSuiteFailure(collector, suite, {
      word: isError ? 'error' : 'failed',
      message: word,
      type: '',
      text: '',
    });
  }
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
    // So that outer suites do not report the same difference again.
    outer.failures += Math.max(suite.failures, reported.failures);
    outer.errors += Math.max(suite.errors, reported.errors);
    outer.cases += suite.cases;
    outer.firstFailed ??= suite.firstFailed;
    outer.last = suite.last ?? outer.last;
  }
  return ms;
}

/** Keeps only what is needed later: there may be millions of empty suites. */
export function pickTotals(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const names = ['name', 'timestamp', 'tests', 'failures', 'errors', 'skipped', 'disabled'];
  const picked: Record<string, string> = Object.create(null);
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined) {
      picked[name] = cutText(value, 300);
    }
  }
  return picked;
}

function attachOutput(
  collector: CaseCollector,
  { path, stdout, stderr, firstFailed, last }: OpenSuite,
): void {
  if (stdout.trim() === '' && stderr.trim() === '') return;
  const index = firstFailed ?? last;
  if (index !== null) {
    collector.addOutput(index, { stdout: trimOutput(stdout), stderr: trimOutput(stderr) }, path);
    return;
  }
  const end = cutTextFromEnd(trimOutput(`${stdout}\n${stderr}`), outputCharactersMax);
  collector.warn('suite_output', `A suite without cases printed, at its end: ${end}`, path);
}
