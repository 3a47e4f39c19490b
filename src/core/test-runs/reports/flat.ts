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
  const wrong: Record<string, string> = {};
  const count = (name: string): number | null => {
    const value = members[name];
    if (value === undefined || value === null) {
      return null;
    }
    const text = typeof value === 'string' && /^\d{1,10}$/.test(value.trim()) ? Number(value) : value;
    if (typeof text !== 'number' || !Number.isSafeInteger(text) || text < 0 || text > countMax) {
      wrong[name] = `${name} is not a whole number of at least 0.`;
      return null;
    }
    return text;
  };
  const others = (names: readonly string[]): number[] =>
    names.flatMap((name) => parseCount(members[name]) ?? []);
  const given = {
    passed: count('passed'),
    failed: count('failed') ?? others(failureCounts)[0] ?? null,
    skipped: count('skipped'),
  };
  const parts = (given.passed ?? 0) + (given.failed ?? 0) + (given.skipped ?? 0);
  const total = count('total') ?? count('tests');
  const flaky = count('flaky') ?? 0;
  if (total !== null && parts > total) {
    wrong[members['total'] === undefined ? 'tests' : 'total'] = 'The parts are more than the total.';
  }
  if (total === null && parts > countMax) {
    wrong['passed'] = `The parts are more than ${countMax}.`;
  }
  if (Object.keys(wrong).length > 0) {
    throw createInvalidParamError(wrong);
  }
  let rest = Math.max(0, (total ?? parts) - parts);
  const take = (most: number): number => {
    const taken = Math.min(rest, most);
    rest -= taken;
    return taken;
  };
  // Some runners include these in the other counts, some do not.
  const errors = take(Math.max(0, ...others(errorCounts)));
  const flakyBeside = given.passed === null ? 0 : take(flaky);
  const notRun = take(others(skippedCounts).reduce((sum, each) => sum + each, 0));
  const isSkippedSaid = given.skipped !== null || notRun > 0;
  const passed = (given.passed ?? (given.failed === null ? 0 : take(rest))) + flakyBeside;
  const failed = given.failed ?? (given.passed !== null && isSkippedSaid ? take(rest) : 0);
  const isRestSkipped = given.passed !== null && given.failed !== null && !isSkippedSaid;
  return {
    tests: total ?? parts,
    passed,
    failed: failed + errors,
    errors,
    skipped: (given.skipped ?? 0) + notRun + rest,
    flaky,
    unaccounted: isRestSkipped ? 0 : rest,
  };
}
