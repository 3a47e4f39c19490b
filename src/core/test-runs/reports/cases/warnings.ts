import type { ReportWarning } from '../../../store/test-runs.ts';
import { warningsMax } from './report.ts';

export type Warn = (code: string, message: string, path?: string) => void;

/** Further warnings of the same code are only counted. */
const warningsOfCodeMax = 3;

export function createWarnings(): { add: Warn; list(): ReportWarning[] } {
  const byCode = new Map<string, { first: ReportWarning[]; count: number }>();
  return {
    add(code, message, path) {
      const known = byCode.get(code) ?? { first: [], count: 0 };
      byCode.set(code, known);
      known.count += 1;
      if (known.first.length < warningsOfCodeMax) {
        known.first.push(path === undefined ? { code, message } : { code, path, message });
      }
    },
    list() {
      const all = [...byCode.values()].flatMap(({ first, count }) => {
        const more = count - first.length;
        const last = first.at(-1);
        return more === 0 || last === undefined
          ? first
          : [...first.slice(0, -1), { ...last, message: `${last.message} (and ${more} more)` }];
      });
      return all.slice(0, warningsMax);
    },
  };
}
