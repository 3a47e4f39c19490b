// Which case a case is, from run to run. Pure.
import { hash } from 'node:crypto';
import type { TestCase } from '../../store/test-runs.ts';
import type { RawCase } from './report.ts';

export interface FoundCase {
  readonly one: TestCase;
  /** True where the reporter gave it an id of its own. */
  readonly hasId: boolean;
  /** Browser, device or host as the reporter said it. */
  readonly configuration: string | null;
}

/** The identity of a case: its testId, else suite path, name, parameters and file, none of them cut. */
export function identityOf(raw: RawCase): string {
  return raw.testId
    ? digest(['id', raw.testId])
    : digest(['case', JSON.stringify(raw.suite), raw.name ?? '', raw.parameters ?? '', raw.file ?? '']);
}

/** Adds browser, device or host to the identity where two cases of the report would otherwise be one. */
export function tellApart(found: readonly FoundCase[]): TestCase[] {
  const counts = new Map<string, number>();
  for (const { one } of found) {
    counts.set(one.caseId, (counts.get(one.caseId) ?? 0) + 1);
  }
  return found.map(({ one, hasId, configuration }) => {
    const collides = !hasId && (counts.get(one.caseId) ?? 0) > 1 && configuration !== null;
    return collides ? { ...one, caseId: digest([one.caseId, configuration ?? '']) } : one;
  });
}

/** 64 hex digits; a case id stands in addresses, so a reporter's own id is hashed as well. */
function digest(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts));
}
