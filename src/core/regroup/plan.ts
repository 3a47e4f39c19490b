import type { Grouping } from '../store/events.ts';
import type { IssueGroupingChange, RegroupIssue } from '../store/regroup.ts';

export interface PlannedMove {
  readonly fromId: number;
  readonly grouping: Grouping;
  readonly events: number;
  readonly firstRow: number;
  readonly toId: number | null;
}

export type RegroupPlan = ReturnType<typeof planRegroup>;

/** An issue keeps its id with the hash of most of its events; issues with the same such hash are merged into the
 * oldest. Other events move to the issue of their hash. The overflow issue and merged issues are left alone. */
export function planRegroup(
  counts: readonly HashCount[],
  issues: ReadonlyMap<number, RegroupIssue>,
  hashes: ReadonlyMap<string, number>,
  leads: ReadonlyMap<string, string> = new Map(),
) {
  const regroupable = counts.filter((count) => issues.get(count.issueId)?.isOverflow === false);
  const joined = findJoinedHashes(regroupable, leads);
  const facts = factsOf(mergeCounts(regroupable, joined), issues);
  const targetIssues = new Map<string, number | null>();
  for (const [hash, keys] of facts.byHash) targetIssues.set(hash, findTargetIssue(hash, keys, facts, hashes));
  const groupings = new Map(regroupable.map(({ grouping }) => [grouping.hash, grouping]));
  return {
    moves: movesOf(facts, targetIssues),
    claims: claimsOf(facts, targetIssues, hashes, secondaryGroupings(groupings, joined)),
    joins: joinsOf(facts),
    /** Issues that show a hash which most of their events no longer have. */
    labels: labelsOf(facts, targetIssues, joined),
    /** Hashes that join another one; moves name only that one. */
    joined: [...joined].map(([hash, target]) => ({
      grouping: groupings.get(hash) ?? target,
      lead: target.hash,
    })),
  };
}

function secondaryGroupings(
  groupings: ReadonlyMap<string, Grouping>,
  joined: JoinedHashes,
): ReadonlyMap<string, readonly Grouping[]> {
  const members = [...joined].map(([hash, target]) => ({ grouping: groupings.get(hash), lead: target.hash }));
  return new Map(
    [...Map.groupBy(members, ({ lead: target }) => target)].map(([target, those]) => [
      target,
      those.flatMap(({ grouping }) => grouping ?? []),
    ]),
  );
}

type Facts = ReturnType<typeof factsOf>;

function factsOf(counts: readonly HashCount[], issues: ReadonlyMap<number, RegroupIssue>) {
  const sorted = [...counts].sort(byEventsDescending);
  const groupSizes = new Map<number, number>();
  for (const { headId } of issues.values()) groupSizes.set(headId, (groupSizes.get(headId) ?? 0) + 1);
  return {
    issues,
    /** Most events first. */
    byIssue: Map.groupBy(sorted, (count) => count.issueId),
    byHash: Map.groupBy(sorted, (count) => count.grouping.hash),
    groupSizes,
  };
}

/** Most events first, then the earliest. */
function byEventsDescending(left: HashCount, right: HashCount): number {
  return right.events - left.events || left.firstMs - right.firstMs || left.firstRow - right.firstRow;
}

function isMain(facts: Facts, { issueId, grouping }: HashCount): boolean {
  return facts.byIssue.get(issueId)?.[0]?.grouping.hash === grouping.hash;
}

function isMerged({ issues, groupSizes }: Facts, issueId: number): boolean {
  return (groupSizes.get(issues.get(issueId)?.headId ?? issueId) ?? 1) > 1;
}

function headOf({ issues }: Facts, issueId: number): number {
  return issues.get(issueId)?.headId ?? issueId;
}

function listIssuesWith(facts: Facts, keys: readonly HashCount[]): number[] {
  const age = (id: number): number => facts.issues.get(id)?.firstSeenMs ?? 0;
  return keys
    .filter((key) => isMain(facts, key))
    .map((key) => key.issueId)
    .sort((left, right) => age(left) - age(right) || left - right);
}

function findTargetIssue(
  hash: string,
  keys: readonly HashCount[],
  facts: Facts,
  hashes: ReadonlyMap<string, number>,
): number | null {
  const [keeper] = listIssuesWith(facts, keys);
  if (keeper !== undefined) return keeper;
  const known = hashes.get(hash);
  const merged = keys.filter((key) => isMerged(facts, key.issueId));
  // Keeps the current one if possible, so that a second run changes nothing.
  const [home] = [merged.find((key) => key.issueId === known), ...merged].filter((key) => key !== undefined);
  if (home !== undefined) return home.issueId;
  // An issue whose events are all deleted is identified by its hashes.
  if (known === undefined || facts.byIssue.has(known)) return null;
  return facts.issues.get(known)?.isOverflow === false ? known : null;
}

function movesOf(facts: Facts, targetIssues: ReadonlyMap<string, number | null>): PlannedMove[] {
  const moves: PlannedMove[] = [];
  for (const [fromId, keys] of [...facts.byIssue].sort(([left], [right]) => left - right)) {
    if (isMerged(facts, fromId)) continue;
    for (const { grouping, events, firstRow } of keys.slice(1)) {
      moves.push({ fromId, grouping, events, firstRow, toId: targetIssues.get(grouping.hash) ?? null });
    }
  }
  return moves;
}

function claimsOf(
  facts: Facts,
  targetIssues: ReadonlyMap<string, number | null>,
  hashes: ReadonlyMap<string, number>,
  joined: ReadonlyMap<string, readonly Grouping[]>,
): Array<{ grouping: Grouping; issueId: number }> {
  const claims = [];
  for (const [hash, keys] of facts.byHash) {
    const home = targetIssues.get(hash) ?? null;
    const [first] = keys;
    if (home === null || first === undefined) continue;
    const candidateIds = listIssuesWith(facts, keys);
    for (const grouping of [first.grouping, ...(joined.get(hash) ?? [])]) {
      const known = hashes.get(grouping.hash);
      const isRight =
        known !== undefined && (candidateIds.includes(known) || headOf(facts, known) === headOf(facts, home));
      if (!isRight) claims.push({ grouping, issueId: home });
    }
  }
  return claims.sort(
    (left, right) => left.issueId - right.issueId || (left.grouping.hash < right.grouping.hash ? -1 : 1),
  );
}

function labelsOf(facts: Facts, targetIssues: ReadonlyMap<string, number | null>, joined: JoinedHashes) {
  const labels: IssueGroupingChange[] = [];
  for (const [issueId, [main]] of afterMoves(facts, targetIssues)) {
    const shown = facts.issues.get(issueId)?.keyHash ?? '';
    if (main === undefined || (joined.get(shown)?.hash ?? shown) === main.grouping.hash) continue;
    labels.push({ issueId, grouping: main.grouping });
  }
  return labels.sort((left, right) => left.issueId - right.issueId);
}

function afterMoves(facts: Facts, targetIssues: ReadonlyMap<string, number | null>) {
  const after = new Map<string, HashCount>();
  for (const [fromId, keys] of facts.byIssue) {
    const isWhole = isMerged(facts, fromId);
    for (const [index, count] of keys.entries()) {
      const target = targetIssues.get(count.grouping.hash) ?? null;
      const issueId = isWhole || index === 0 ? fromId : target;
      if (issueId === null) continue;
      addHashCount(after, { ...count, issueId });
    }
  }
  return Map.groupBy([...after.values()].sort(byEventsDescending), (count) => count.issueId);
}

/** Issues that keep the same hash, with everything already merged into them. */
function joinsOf(facts: Facts): Array<{ intoId: number; issueIds: number[] }> {
  const parents = new Map<number, number>();
  const rootOf = (id: number): number => {
    const parent = parents.get(id) ?? id;
    return parent === id ? id : rootOf(parent);
  };
  const age = (id: number): number => facts.issues.get(id)?.firstSeenMs ?? 0;
  for (const keys of facts.byHash.values()) {
    const heads = listIssuesWith(facts, keys).map((id) => headOf(facts, id));
    for (const head of heads.slice(1)) {
      const [one, other] = [rootOf(heads[0] ?? head), rootOf(head)].sort(
        (left, right) => age(left) - age(right) || left - right,
      );
      if (one !== undefined && other !== undefined && one !== other) parents.set(other, one);
    }
  }
  const joined = Map.groupBy(parents.keys(), rootOf);
  return [...joined]
    .map(([intoId, issueIds]) => ({ intoId, issueIds: issueIds.sort((left, right) => left - right) }))
    .sort((left, right) => left.intoId - right.intoId);
}

// Joins hashes of the same error: a hash from less information joins the first one with more information.

export interface HashCount {
  readonly issueId: number;
  readonly grouping: Grouping;
  readonly events: number;
  readonly firstMs: number;
  readonly firstRow: number;
}

/** By issue and hash: the events of both counts, since the earlier one, with the grouping of the added one. */
export function addHashCount(counts: Map<string, HashCount>, count: HashCount): void {
  const key = `${count.issueId} ${count.grouping.hash}`;
  const { events, firstMs, firstRow } = counts.get(key) ?? { ...count, events: 0 };
  counts.set(key, {
    issueId: count.issueId,
    grouping: count.grouping,
    events: events + count.events,
    firstMs: Math.min(firstMs, count.firstMs),
    firstRow: Math.min(firstRow, count.firstRow),
  });
}

/** By hash: the hash with more information that it joins. */
type JoinedHashes = ReadonlyMap<string, Grouping>;

/** `firstHashBySecondary` maps a secondary hash to the hash that had it first; else the earliest stored event decides. */
function findJoinedHashes(counts: readonly HashCount[], firstHashBySecondary: ReadonlyMap<string, string>) {
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

function mergeCounts(counts: readonly HashCount[], joinedHashes: JoinedHashes): readonly HashCount[] {
  if (joinedHashes.size === 0) return counts;
  const joined = new Map<string, HashCount>();
  for (const count of counts) {
    addHashCount(joined, { ...count, grouping: joinedHashes.get(count.grouping.hash) ?? count.grouping });
  }
  return [...joined.values()];
}

function earlier(left: HashCount, right: HashCount): number {
  return left.firstMs - right.firstMs || left.firstRow - right.firstRow;
}
