// Numbers in JUnit XML: times as reporters write them, whole numbers, and a report's own totals. Pure.

import type { ReportedTotals } from '../../store/test-runs.ts';
import type { CaseCollector } from './normalize.ts';

/**
 * Seconds as reporters write them, in milliseconds. `1,234.5` has a thousands separator, `0,5` a decimal
 * comma; what is negative or no number gives null. With `warn` given, oddities are noted.
 */
export function secondsOf(
  text: string | null,
  warn: { path: string; collector: CaseCollector } | null,
): { ms: number } | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') {
    return null;
  }
  const grouped = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(trimmed);
  const comma = !grouped && /^\d+,\d+$/.test(trimmed);
  const plain = grouped ? trimmed.replaceAll(',', '') : comma ? trimmed.replace(',', '.') : trimmed;
  if (!/^[+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(plain) || !Number.isFinite(Number(plain))) {
    warn?.collector.warn('invalid_time', 'A time that is negative or no number was dropped.', warn.path);
    return null;
  }
  if (grouped || comma) {
    warn?.collector.warn('time_format', 'A time with a comma was read as a number.', warn.path);
  }
  return { ms: Number(plain) * 1000 };
}

/**
 * The totals the report gives itself: of the root, else the sum over its top suites; null where it gives
 * none.
 */
export function reportedTotals(
  root: Readonly<Record<string, string>>,
  topSuites: ReadonlyArray<Readonly<Record<string, string>>>,
): ReportedTotals | null {
  const givers =
    root['tests'] === undefined ? topSuites.filter((suite) => suite['tests'] !== undefined) : [root];
  if (givers.length === 0) {
    return null;
  }
  const totals: Record<string, number> = {};
  for (const name of ['tests', 'failures', 'errors', 'skipped', 'disabled']) {
    const values = givers.map((giver) => wholeNumber(giver[name])).filter((value) => value !== null);
    if (values.length > 0) {
      totals[name] = values.reduce((sum, value) => sum + value, 0);
    }
  }
  return totals;
}

/** How many failures and errors a suite or root says there are in it; 0 where it does not say. */
export function failuresReported(attributes: Readonly<Record<string, string>>): {
  readonly failures: number;
  readonly errors: number;
} {
  return {
    failures: wholeNumber(attributes['failures']) ?? wholeNumber(attributes['failed']) ?? 0,
    errors: wholeNumber(attributes['errors']) ?? 0,
  };
}

/** A whole number of at most nine digits, or null. */
export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}
