// Joins hashes of the same error: a hash from less information joins the first one with more information.
import type { Grouping } from '../store/events.ts';

export interface HashCount {
  readonly issueId: number;
  readonly grouping: Grouping;
  readonly events: number;
  readonly firstMs: number;
  readonly firstRow: number;
}

/** By hash: the hash with more information that it joins. */
export type JoinedHashes = ReadonlyMap<string, Grouping>;

/** `firstHashBySecondary` maps a secondary hash to the hash that had it first; else the earliest stored event decides. */
export function findJoinedHashes(
  counts: readonly HashCount[],
  firstHashBySecondary: ReadonlyMap<string, string>,
): JoinedHashes {
  const first = new Map<string, HashCount>();
  for (const count of [...counts].sort(earlier)) {
    if (!first.has(count.grouping.hash)) first.set(count.grouping.hash, count);
  }
  const informed = new Map<string, Grouping>();
  for (const { grouping } of first.values()) {
    const { hash, secondary } = grouping;
    if (secondary?.hasSource !== true || informed.has(secondary.hash)) continue;
    if ((firstHashBySecondary.get(secondary.hash) ?? hash) === hash) informed.set(secondary.hash, grouping);
  }
  const joined = new Map<string, Grouping>();
  for (const { grouping } of first.values()) {
    const { hash, secondary } = grouping;
    const joins = secondary?.hasSource === false ? informed.get(secondary.hash) : undefined;
    if (joins !== undefined) joined.set(hash, joins);
  }
  return joined;
}

export function mergeCounts(counts: readonly HashCount[], joined: JoinedHashes): readonly HashCount[] {
  if (joined.size === 0) return counts;
  const merged = new Map<string, HashCount>();
  for (const count of counts) {
    const grouping = joined.get(count.grouping.hash) ?? count.grouping;
    const name = `${count.issueId} ${grouping.hash}`;
    const known = merged.get(name);
    merged.set(name, {
      issueId: count.issueId,
      grouping,
      events: count.events + (known?.events ?? 0),
      firstMs: Math.min(count.firstMs, known?.firstMs ?? count.firstMs),
      firstRow: Math.min(count.firstRow, known?.firstRow ?? count.firstRow),
    });
  }
  return [...merged.values()];
}

function earlier(left: HashCount, right: HashCount): number {
  return left.firstMs - right.firstMs || left.firstRow - right.firstRow;
}
