import type { CheckResult, CheckVerdict } from '../check-types.ts';
import type { RunReport } from '../run-suite.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly differs: number;
  readonly notObserved: number;
}

export function countsOf(report: RunReport): Counts {
  const count = (result: CheckVerdict['result']) =>
    report.results.filter((each) => each.outcome.result === result).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    differs: count('differs'),
    notObserved: count('not-observed'),
  };
}

export function grouped(results: readonly CheckResult[]): Array<readonly [string, readonly CheckResult[]]> {
  const groups = new Map<string, CheckResult[]>();
  for (const result of results) {
    const group = groups.get(result.check.group);
    if (group === undefined) groups.set(result.check.group, [result]);
    else group.push(result);
  }
  return [...groups];
}

export function reasonOf(outcome: CheckVerdict): string {
  return outcome.result === 'passed' ? '' : outcome.reason;
}

export function sectionText(section: string): string {
  return /^\d/.test(section) ? `§${section}` : section;
}

export function verdict(report: RunReport): string {
  const { passed, failed, differs, notObserved } = countsOf(report);
  const required = report.results.filter((each) => each.check.severity === 'required').length;
  const head =
    failed === 0
      ? `Nothing required fails (${required} required checks)`
      : `${failed} of ${required} required checks fail`;
  const seconds = (report.durationMs / 1000).toFixed(1);
  return `${head}: ${passed} hold, ${differs} differ, ${notObserved} not observed; ${report.requestsSent} requests in ${seconds} s.`;
}
