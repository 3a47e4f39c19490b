// Which keys of a project stand together, although their hashes differ: what is known by less, with the first
// of those that know more of the same fault (DECISIONS.md D-124). Pure.
import type { Grouping } from '../store/events.ts';

/** Events of one issue that the rule gives one key. */
export interface KeyCount {
  readonly issueId: number;
  readonly grouping: Grouping;
  readonly events: number;
  /** The first of them by received time, and the lowest row. */
  readonly firstMs: number;
  readonly firstRow: number;
}

/** The key that stands for each one that knows less, by its hash. */
export type Kin = ReadonlyMap<string, Grouping>;

/**
 * `leads` says by plain hash which key that knows more came first, as events were filed; where none did, the
 * stored event that came first says it.
 */
export function kinOf(counts: readonly KeyCount[], leads: ReadonlyMap<string, string>): Kin {
  const first = new Map<string, KeyCount>();
  for (const count of [...counts].sort(earlier)) {
    if (!first.has(count.grouping.hash)) first.set(count.grouping.hash, count);
  }
  const informed = new Map<string, Grouping>();
  for (const { grouping } of first.values()) {
    const { hash, plain } = grouping;
    if (plain?.isInformed !== true || informed.has(plain.hash)) continue;
    if ((leads.get(plain.hash) ?? hash) === hash) informed.set(plain.hash, grouping);
  }
  const kin = new Map<string, Grouping>();
  for (const { grouping } of first.values()) {
    const { hash, plain } = grouping;
    const lead = plain?.isInformed === false ? informed.get(plain.hash) : undefined;
    if (lead !== undefined) kin.set(hash, lead);
  }
  return kin;
}

/** The counts with each key that has one under the key that stands for it. */
export function countsByKin(counts: readonly KeyCount[], kin: Kin): readonly KeyCount[] {
  if (kin.size === 0) return counts;
  const joined = new Map<string, KeyCount>();
  for (const count of counts) {
    const grouping = kin.get(count.grouping.hash) ?? count.grouping;
    const name = `${count.issueId} ${grouping.hash}`;
    const known = joined.get(name);
    joined.set(name, {
      issueId: count.issueId,
      grouping,
      events: count.events + (known?.events ?? 0),
      firstMs: Math.min(count.firstMs, known?.firstMs ?? count.firstMs),
      firstRow: Math.min(count.firstRow, known?.firstRow ?? count.firstRow),
    });
  }
  return [...joined.values()];
}

function earlier(left: KeyCount, right: KeyCount): number {
  return left.firstMs - right.firstMs || left.firstRow - right.firstRow;
}
