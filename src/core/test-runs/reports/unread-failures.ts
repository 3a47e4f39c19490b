// Members of a flat report that nobody reads: where they hold a test that failed, the report is of a form that
// is not known, and its `status` or counts are no reason to call the run passed.
import type { Json } from '../../../../schemas/event.ts';
import { contextNames, objectOf } from './cases/context.ts';
import { isFailureWord } from './cases/outcome-words.ts';
import { unreadableReport } from './cases/refusals.ts';
import { countOf, failureCounts } from './claims.ts';
import { statusWord } from './ctrf.ts';

export interface UnreadFailures {
  /** Looks at an element of a list that is not kept. */
  look(value: Json, where: string): void;
  /** @throws 400 where a member that is not read holds a failure */
  refuse(members: Readonly<Record<string, Json>>): void;
}

/** What says where a run belongs, and counts that are read. */
const readMembers: ReadonlySet<string> = new Set([
  ...Object.values(contextNames).flat(),
  ...['summary', 'stats', 'totals', 'report', 'tests'],
]);

/** Starts looking for failures that are not read in one document. */
export function createUnreadFailures(): UnreadFailures {
  let found: string | null = null;
  return {
    look(value, where) {
      found ??= failureIn(value, where);
    },
    refuse(members) {
      for (const [name, value] of Object.entries(members)) {
        if (typeof value === 'object' && !readMembers.has(name)) found ??= failureIn(value, name);
      }
      if (found === null) return;
      throw unreadableReport(
        `${found} holds a test that failed, and is not read: the report is of a form that is not known. Send CTRF or JUnit XML, or the tests in tests.`,
      );
    },
  };
}

/** Where in a value something says that it failed, or null. */
function failureIn(value: Json, where: string): string | null {
  if (Array.isArray(value)) {
    return first(value, (one, index) => failureIn(one, `${where}[${index}]`));
  }
  const members = objectOf(value);
  const counts = [...failureCounts, 'fails'].some((name) => (countOf(members[name]) ?? 0) > 0);
  if (counts || isFailureWord(statusWord(members))) return where;
  return first(Object.entries(members), ([name, one]) => failureIn(one, `${where}.${name}`));
}

function first<T>(values: readonly T[], look: (value: T, index: number) => string | null): string | null {
  for (const [index, value] of values.entries()) {
    const found = look(value, index);
    if (found !== null) return found;
  }
  return null;
}
