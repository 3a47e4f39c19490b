// A flat report with a failed test in unknown members is of an unknown format: it must not pass.
import type { Json } from '../../../../schemas/event.ts';
import { asObject, contextNames, unreadableReportError } from './cases/context.ts';
import { isFailureWord } from './cases/report.ts';
import { findStatusWord } from './ctrf.ts';
import type { JsonPath } from './json-reader.ts';
import { failureCounts, parseCount } from './reported-status.ts';
import { unsupportedFormatMembers } from './unsupported-formats.ts';

const readMembers: ReadonlySet<string> = new Set([
  ...Object.values(contextNames).flat(),
  ...['summary', 'stats', 'totals', 'report', 'tests'],
]);

export function createUnknownMembers() {
  let found: string | null = null;
  const firsts: Record<string, Json> = Object.create(null);
  return {
    /** For lists of other formats, which are not kept; null for other lists. */
    elementsAt(jsonPath: JsonPath): ((value: Json, index: number) => void) | null {
      const name = String(jsonPath[0]);
      if (jsonPath.length !== 1 || !unsupportedFormatMembers.has(name)) return null;
      return (value, index) => {
        found ??= failureIn(value, `${name}[${index}]`);
        if (index === 0) firsts[name] = [value];
      };
    },
    /** Adds the first element of these lists, for detecting the format. */
    withFirsts: (members: Readonly<Record<string, Json>>): Json => ({ ...members, ...firsts }),
    /** @throws 400 where a member that is not read has a failure. */
    refuseFailures(members: Readonly<Record<string, Json>>): void {
      for (const [name, value] of Object.entries(members)) {
        if (typeof value === 'object' && !readMembers.has(name)) found ??= failureIn(value, name);
      }
      if (found === null) return;
      throw unreadableReportError(
        `${found} holds a test that failed, and is not read: the report is of a form that is not known. Send CTRF or JUnit XML, or the tests in tests.`,
      );
    },
  };
}

function failureIn(value: Json, path: string): string | null {
  if (Array.isArray(value)) {
    return first(value, (one, index) => failureIn(one, `${path}[${index}]`));
  }
  const members = asObject(value);
  const counts = [...failureCounts, 'fails'].some((name) => (parseCount(members[name]) ?? 0) > 0);
  if (counts || isFailureWord(findStatusWord(members))) return path;
  return first(Object.entries(members), ([name, one]) => failureIn(one, `${path}.${name}`));
}

function first<T>(values: readonly T[], find: (value: T, index: number) => string | null): string | null {
  for (const [index, value] of values.entries()) {
    const found = find(value, index);
    if (found !== null) return found;
  }
  return null;
}
