import type { Json } from '../../../../schemas/event.ts';
import { createInvalidParamError } from '../../errors.ts';
import type { Totals } from '../../store/test-runs.ts';
import { parseOutcome } from './cases/report.ts';
import { countMax, errorCounts, failureCounts, parseCount } from './reported-status.ts';

const runStatuses: ReadonlySet<string> = new Set(['passed', 'failed', 'error', 'empty']);

export const flatCounts = ['total', 'tests', 'passed', 'failed', 'skipped', 'flaky'] as const;

export function isFlatReport(members: Readonly<Record<string, Json>>): boolean {
  return ['status', ...flatCounts].some((name) => members[name] !== undefined && members[name] !== null);
}

export function readFlatStatus(members: Readonly<Record<string, Json>>): string | null {
  const value = members['status'];
  if (value === undefined || value === null) {
    return null;
  }
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (runStatuses.has(word)) {
    return word;
  }
  const outcome = parseOutcome(word);
  if (!outcome.known || outcome.status === 'skipped') {
    throw createInvalidParamError({ status: 'status is not one of passed, failed, error, and empty.' });
  }
  return outcome.kind === 'error' ? 'error' : outcome.status;
}

const skippedCounts = ['pending', 'todo', 'disabled', 'ignored', 'other', 'cancelled', 'numPendingTests'];

/** Tests of the total that no count covers: passed if failures are given, failed if all others are given, else
 * skipped. `unaccounted`: their outcome is unknown. @throws 400 for invalid counts */
export function totalsFromCounts(members: Readonly<Record<string, Json>>): Totals & { unaccounted: number } {
  const invalid: Record<string, string> = {};
  const count = (name: string): number | null => {
    const value = members[name];
    if (value === undefined || value === null) {
      return null;
    }
    const text = typeof value === 'string' && /^\d{1,10}$/.test(value.trim()) ? Number(value) : value;
    if (typeof text !== 'number' || !Number.isSafeInteger(text) || text < 0 || text > countMax) {
      invalid[name] = `${name} is not a whole number of at least 0.`;
      return null;
    }
    return text;
  };
  const others = (names: readonly string[]): number[] =>
    names.flatMap((name) => parseCount(members[name]) ?? []);
  const reportedCounts = {
    passed: count('passed'),
    failed: count('failed') ?? others(failureCounts)[0] ?? null,
    skipped: count('skipped'),
  };
  const countedTotal =
    (reportedCounts.passed ?? 0) + (reportedCounts.failed ?? 0) + (reportedCounts.skipped ?? 0);
  const total = count('total') ?? count('tests');
  const flaky = count('flaky') ?? 0;
  if (total !== null && countedTotal > total) {
    invalid[members['total'] === undefined ? 'tests' : 'total'] = 'The parts are more than the total.';
  }
  if (total === null && countedTotal > countMax) {
    invalid['passed'] = `The parts are more than ${countMax}.`;
  }
  if (Object.keys(invalid).length > 0) {
    throw createInvalidParamError(invalid);
  }
  let rest = Math.max(0, (total ?? countedTotal) - countedTotal);
  const takeRest = (max: number): number => {
    const amount = Math.min(rest, max);
    rest -= amount;
    return amount;
  };
  // Some runners include these in the other counts, some do not.
  const errors = takeRest(Math.max(0, ...others(errorCounts)));
  const extraFlaky = reportedCounts.passed === null ? 0 : takeRest(flaky);
  const notRun = takeRest(others(skippedCounts).reduce((sum, each) => sum + each, 0));
  const isSkippedReported = reportedCounts.skipped !== null || notRun > 0;
  const passed =
    (reportedCounts.passed ?? (reportedCounts.failed === null ? 0 : takeRest(rest))) + extraFlaky;
  const failed =
    reportedCounts.failed ?? (reportedCounts.passed !== null && isSkippedReported ? takeRest(rest) : 0);
  const isRestSkipped =
    reportedCounts.passed !== null && reportedCounts.failed !== null && !isSkippedReported;
  return {
    tests: total ?? countedTotal,
    passed,
    failed: failed + errors,
    errors,
    skipped: (reportedCounts.skipped ?? 0) + notRun + rest,
    flaky,
    unaccounted: isRestSkipped ? 0 : rest,
  };
}
