import type { ReportedTotals } from '../../../store/test-runs.ts';
import type { CaseCollector } from '../cases/normalize.ts';

/** A report uses one locale. */
export interface NumberLocale {
  comma: 'decimal' | 'thousands' | null;
}

/** Notes the locale in `form`. `25,357` is ambiguous: as in other numbers of the report, else decimal. */
export function parseNumber(text: string, form: NumberLocale): { value: number; hasComma: boolean } | null {
  const trimmed = text.trim();
  const isGrouped = /^[1-9]\d{0,2}(?:,\d{3})+\.\d+$|^[1-9]\d{0,2}(?:,\d{3}){2,}$/.test(trimmed);
  const isEither = /^[1-9]\d{0,2},\d{3}$/.test(trimmed);
  const isDecimal = !isEither && /^\d+,\d+$|^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/.test(trimmed);
  if (isGrouped || /^\d*\.\d+$/.test(trimmed)) form.comma ??= 'thousands';
  if (isDecimal) form.comma ??= 'decimal';
  const hasThousands = isGrouped || (isEither && form.comma === 'thousands');
  const plain = hasThousands
    ? trimmed.replaceAll(',', '')
    : isDecimal || isEither
      ? trimmed.replaceAll('.', '').replace(',', '.')
      : trimmed;
  const isNumber = /^[+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(plain) && Number.isFinite(Number(plain));
  return isNumber ? { value: Number(plain), hasComma: isGrouped || isEither || isDecimal } : null;
}

export function parseSeconds(
  text: string | undefined,
  form: NumberLocale,
  warn: { path: string; collector: CaseCollector } | null,
): number | null {
  if (text === undefined || text.trim() === '') return null;
  const found = parseNumber(text, form);
  if (found === null) {
    warn?.collector.warn('invalid_time', 'A time that is negative or no number was dropped.', warn.path);
    return null;
  }
  if (found.hasComma) {
    warn?.collector.warn('time_format', 'A time with a comma was read as a number.', warn.path);
  }
  return found.value * 1000;
}

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
    const values = givers.map((giver) => parseWholeNumber(giver[name])).filter((value) => value !== null);
    if (values.length > 0) {
      totals[name] = values.reduce((sum, value) => sum + value, 0);
    }
  }
  return totals;
}

export function parseWholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}
