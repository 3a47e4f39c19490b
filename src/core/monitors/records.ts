// Records of the domain name system as they are compared: one spelling of each. Pure.
import type { RecordKind } from '../../../schemas/monitors.ts';

/** Records that somebody wrote: one a line, or with commas between them, which texts may hold. */
export function recordsWritten(kind: RecordKind, text: string): string[] {
  const records = text.split(kind === 'TXT' ? /\r?\n/ : /\r?\n|,\s+/);
  return [...new Set(records.map((record) => spelled(kind, record)))].filter((record) => record !== '');
}

/**
 * Whether records are what they should be, in any order. Texts may be among others, since many put theirs
 * under one name; of all other kinds one too many is as wrong as one that is missing.
 */
export function areExpected(
  kind: RecordKind,
  found: readonly string[],
  expected: readonly string[],
): boolean {
  const there = new Set(found.map((record) => spelled(kind, record)));
  const isAnyMore = kind !== 'TXT' && there.size !== expected.length;
  return !isAnyMore && expected.every((record) => there.has(record));
}

/** Names are the same in capitals, with or without a dot at the end; an address has many spellings. */
function spelled(kind: RecordKind, text: string): string {
  if (kind === 'TXT') return text;
  const plain = text.trim().replace(/\s+/g, ' ');
  if (kind === 'AAAA') return URL.parse(`http://[${plain}]/`)?.hostname.slice(1, -1) ?? plain;
  // The values of CAA may be told apart by case, as far as they are addresses; nobody does.
  return plain.toLowerCase().replaceAll('"', '').replace(/\.$/, '');
}
