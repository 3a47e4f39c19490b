// A report's own counts and status: the run is never better than these.
import type { Json } from '../../../../schemas/event.ts';
import { asObject } from './cases/context.ts';
import type { CaseCollector, ReportedFailure } from './cases/normalize.ts';
import { isFailureWord, parseOutcome } from './cases/report.ts';

type Members = Readonly<Record<string, Json>>;

export const failureCounts = ['failed', 'failures', 'numFailedTests'];
export const errorCounts = ['errors', 'error', 'broken', 'numRuntimeErrorTestSuites'];
const words = ['status', 'outcome', 'result', 'state', 'conclusion'];
const verdicts = ['success', 'ok'];

export function applyReportedTotals(collector: CaseCollector, members: Members, path: string): void {
  const sources = [members, ...['summary', 'stats', 'totals'].map((name) => asObject(members[name]))];
  const maxOf = (names: readonly string[]): number =>
    Math.max(0, ...sources.flatMap((source) => names.map((name) => parseCount(source[name]) ?? 0)));
  const [failures, errors] = [maxOf(failureCounts), maxOf(errorCounts)];
  // Some reporters count errors among the failures, others separately.
  if (Math.max(failures, errors) > collector.failed) {
    const status = failures > collector.failed ? 'failed' : 'error';
    collector.claim(status);
    if (collector.size > 0) {
      collector.warn(
        'failures_without_cases',
        `The report counts ${failures} failures and ${errors} errors, its cases show ${collector.failed}; the run is taken as ${status}.`,
        path,
      );
    }
  }
  const failure = findReportedFailure(members);
  if (failure !== null) collector.claim(failure);
}

export function findReportedFailure(members: Members): ReportedFailure | null {
  const failures = words.map((name) => members[name]).filter(isFailureWord);
  if (failures.some((word) => parseOutcome(word).kind === 'failure')) return 'failed';
  if (failures.length > 0) return 'error';
  return verdicts.some((name) => members[name] === false || members[name] === 'false') ? 'failed' : null;
}

/** The largest value of the database columns. */
export const countMax = 2_147_483_647;

export function parseCount(value: Json | undefined): number | null {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 && number <= countMax
    ? number
    : null;
}
