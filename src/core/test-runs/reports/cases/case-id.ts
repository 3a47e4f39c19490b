import { hash } from 'node:crypto';
import { cutText } from '../../../parsing/cut-text.ts';
import type { Attempt, TestCase } from '../../../store/test-runs.ts';
import { attemptsMax, messageCharactersMax, noName, type RawCase } from './report.ts';

export interface IdentifiedCase {
  readonly one: TestCase;
  readonly hasId: boolean;
  readonly configuration: string | null;
}

/** The testId, else suite path, name, parameters and file, before they are cut. */
export function computeCaseId(raw: RawCase): string {
  return raw.testId
    ? digest(['id', raw.testId])
    : digest(['case', JSON.stringify(raw.suite), raw.name ?? '', raw.parameters ?? '', raw.file ?? '']);
}

/** Includes browser, device or host where cases of the report would otherwise have the same id. */
export function disambiguateCases(found: readonly IdentifiedCase[]): TestCase[] {
  const counts = new Map<string, number>();
  for (const { one } of found) {
    counts.set(one.caseId, (counts.get(one.caseId) ?? 0) + 1);
  }
  return found.map(({ one, hasId, configuration }) => {
    const collides = !hasId && (counts.get(one.caseId) ?? 0) > 1 && configuration !== null;
    return collides ? { ...one, caseId: digest([one.caseId, configuration ?? '']) } : one;
  });
}

/** Hashed even for a reporter's own id, since case ids are used in URLs. */
function digest(values: readonly string[]): string {
  return hash('sha256', JSON.stringify(values));
}

/** Joins repeated cases (Gradle, gotestsum) that failed first and passed last into one flaky case. Other repetitions
 * stay, since rows of a data-driven test may share a name. `words`: statuses of a failed attempt. */
export function joinRetries(
  cases: readonly TestCase[],
  words: ReadonlyArray<TestCase['status']>,
): TestCase[] {
  const named = cases.filter(({ name }) => name !== noName);
  const groups = Map.groupBy(named, ({ caseId, line }) => JSON.stringify([caseId, line]));
  const joined = new Set<TestCase>();
  const tried = new Map<TestCase, readonly TestCase[]>();
  for (const all of groups.values()) {
    const [last, tries] = [all.at(-1), all.slice(0, -1)];
    if (last?.status !== 'passed' || tries.length === 0) continue;
    if (!tries.every(({ status }) => words.includes(status))) continue;
    for (const one of tries) joined.add(one);
    tried.set(last, tries);
  }
  return cases.flatMap((one) => (joined.has(one) ? [] : [withTries(one, tried.get(one) ?? [])]));
}

/** Surefire writes a repeated case of a nested class to the report of the outer class too. */
export function removeRepeatedCases(cases: readonly TestCase[], seen: Set<string>): TestCase[] {
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
