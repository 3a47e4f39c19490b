// Which case a case is, from run to run, and which cases of a report are tries of one (Gradle, gotestsum).
// Pure.
import { hash } from 'node:crypto';
import { cutText } from '../../../reading/cut-text.ts';
import type { Attempt, TestCase } from '../../../store/test-runs.ts';
import { attemptsMax, messageCharactersMax, noName, type RawCase } from './report.ts';

export interface FoundCase {
  readonly one: TestCase;
  /** True where the reporter gave it an id of its own. */
  readonly hasId: boolean;
  /** Browser, device or host as the reporter said it. */
  readonly configuration: string | null;
}

/** The identity of a case: its testId, else suite path, name, parameters and file, none of them cut. */
export function identityOf(raw: RawCase): string {
  return raw.testId
    ? digest(['id', raw.testId])
    : digest(['case', JSON.stringify(raw.suite), raw.name ?? '', raw.parameters ?? '', raw.file ?? '']);
}

/** Adds browser, device or host to the identity where two cases of the report would otherwise be one. */
export function tellApart(found: readonly FoundCase[]): TestCase[] {
  const counts = new Map<string, number>();
  for (const { one } of found) {
    counts.set(one.caseId, (counts.get(one.caseId) ?? 0) + 1);
  }
  return found.map(({ one, hasId, configuration }) => {
    const collides = !hasId && (counts.get(one.caseId) ?? 0) > 1 && configuration !== null;
    return collides ? { ...one, caseId: digest([one.caseId, configuration ?? '']) } : one;
  });
}

/** 64 hex digits; a case id stands in addresses, so a reporter's own id is hashed as well. */
function digest(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts));
}

/**
 * Cases of one document in their order, with a case that did not pass and then passed under the same identity
 * as one: passed and flaky, the others among its attempts. Where anything else stands under that identity all
 * stay as they are, since the rows of a table of data may share a name. `words` are the outcomes of a try:
 * TestNG calls one that is repeated skipped.
 */
export function joinRetries(
  cases: readonly TestCase[],
  words: ReadonlyArray<TestCase['status']>,
): TestCase[] {
  // Cases without a name are not known to be the same.
  const named = cases.filter(({ name }) => name !== noName);
  const same = Map.groupBy(named, ({ caseId, line }) => JSON.stringify([caseId, line]));
  const joined = new Set<TestCase>();
  const tried = new Map<TestCase, readonly TestCase[]>();
  for (const all of same.values()) {
    const [last, tries] = [all.at(-1), all.slice(0, -1)];
    if (last?.status !== 'passed' || tries.length === 0) continue;
    if (!tries.every(({ status }) => words.includes(status))) continue;
    for (const one of tries) joined.add(one);
    tried.set(last, tries);
  }
  return cases.flatMap((one) => (joined.has(one) ? [] : [withTries(one, tried.get(one) ?? [])]));
}

/**
 * Cases without those that `seen` holds: Surefire writes a case of a nested class that it ran again into the
 * report of the outer class too, with the same tries.
 */
export function withoutRepeats(cases: readonly TestCase[], seen: Set<string>): TestCase[] {
  return cases.filter((one) => {
    if (one.attempts.length === 0) return true;
    const { suite, name, file, line, status, attempts } = one;
    const key = digest([suite.at(-1) ?? '', name, JSON.stringify([file, line, status, attempts])]);
    const isSeen = seen.has(key);
    seen.add(key);
    return !isSeen;
  });
}

function withTries(one: TestCase, tries: readonly TestCase[]): TestCase {
  if (tries.length === 0) return one;
  const attempts = [...tries.flatMap((each) => [...each.attempts, attemptOf(each)]), ...one.attempts];
  return {
    ...one,
    flakyRule: 'same_run',
    retries: one.retries + tries.reduce((sum, each) => sum + 1 + each.retries, 0),
    stdout: one.stdout ?? tries.at(-1)?.stdout ?? null,
    stderr: one.stderr ?? tries.at(-1)?.stderr ?? null,
    attempts: attempts.slice(0, attemptsMax),
  };
}

function attemptOf({ status, durationMs, message, trace }: TestCase): Attempt {
  return { status, durationMs, message, trace: trace === null ? null : cutText(trace, messageCharactersMax) };
}
