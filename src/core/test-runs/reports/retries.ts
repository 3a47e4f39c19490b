// Retries that a report writes as cases of their own (Gradle, gotestsum): one case. Pure.
import { cutText } from '../../reading/cut-text.ts';
import type { Attempt, TestCase } from '../../store/test-runs.ts';
import { noName } from './normalize.ts';
import { attemptsMax, messageCharactersMax } from './report.ts';

/**
 * Cases of one document in their order, with a case that failed and then passed under the same identity as one:
 * passed and flaky, the failures among its attempts. Where none of them passed afterwards all stay as they are,
 * since cases of a table of data may share a name.
 */
export function joinRetries(cases: readonly TestCase[]): TestCase[] {
  const failedBefore = new Map<string, TestCase[]>();
  const joined = new Set<TestCase>();
  const found = cases.map((one) => {
    // Cases without a name are not known to be the same.
    if (one.name === noName) return one;
    const earlier = failedBefore.get(one.caseId) ?? [];
    if (one.status === 'failed') {
      earlier.push(one);
      failedBefore.set(one.caseId, earlier);
      return one;
    }
    failedBefore.delete(one.caseId);
    const tries = earlier.filter(({ line }) => line === one.line);
    if (one.status !== 'passed' || tries.length === 0) return one;
    for (const each of tries) joined.add(each);
    return withTries(one, tries);
  });
  return found.filter((one) => !joined.has(one));
}

function withTries(one: TestCase, tries: readonly TestCase[]): TestCase {
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
