import type { RecordKind } from '../../../schemas/monitors.ts';

/** One a line, or separated by commas; TXT records may contain commas. */
export function parseRecords(kind: RecordKind, text: string): string[] {
  const records = text.split(kind === 'TXT' ? /\r?\n/ : /\r?\n|,\s+/);
  return [...new Set(records.map((record) => normalizeRecord(kind, record)))].filter(
    (record) => record !== '',
  );
}

/** In any order. TXT records of other services may be there too; for other types the sets must be equal. */
export function recordsMatch(
  kind: RecordKind,
  found: readonly string[],
  expected: readonly string[],
): boolean {
  const there = new Set(found.map((record) => normalizeRecord(kind, record)));
  const isAnyMore = kind !== 'TXT' && there.size !== expected.length;
  return !isAnyMore && expected.every((record) => there.has(record));
}

/** Case and the root dot of names do not matter; IPv6 addresses have many spellings. */
function normalizeRecord(kind: RecordKind, text: string): string {
  if (kind === 'TXT') return text;
  const plain = text.trim().replace(/\s+/g, ' ');
  if (kind === 'AAAA') return URL.parse(`http://[${plain}]/`)?.hostname.slice(1, -1) ?? plain;
  // CAA values are case-sensitive in part, but no real records differ only by case.
  return plain.toLowerCase().replaceAll('"', '').replace(/\.$/, '');
}
