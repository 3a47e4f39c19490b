// What regrouping changes: which events leave their issue, which issues are joined, where each key leads.
// Pure: of counts alone, and whatever order they come in.

import type { Grouping } from '../store/events.ts';
import type { RegroupIssue, RegroupLabel } from '../store/regroup.ts';
import { countsByKin, type KeyCount, type Kin, kinOf } from './kin.ts';

export interface PlannedMove {
  readonly fromId: number;
  readonly grouping: Grouping;
  readonly events: number;
  readonly firstRow: number;
  /** Null where an issue is made for the key. */
  readonly toId: number | null;
}

export interface RegroupPlan {
  /** Those of one issue stand together, by its id. */
  readonly moves: readonly PlannedMove[];
  readonly claims: ReadonlyArray<{ readonly grouping: Grouping; readonly issueId: number }>;
  readonly joins: ReadonlyArray<{ readonly intoId: number; readonly issueIds: readonly number[] }>;
  /** Issues that are shown by a key which most of their events do not have any more. */
  readonly labels: readonly RegroupLabel[];
  /** Keys that go where another one leads; the moves name that one. */
  readonly kin: ReadonlyArray<{ readonly grouping: Grouping; readonly lead: string }>;
}

/**
 * The plan for a project. An issue keeps its number, state and history with the key that most of its events
 * have; issues of one such key are joined, the oldest stands. Events of other keys go where their key leads,
 * or to a new issue. Nobody is asked about the overflow issue, and nothing leaves issues that were merged:
 * who merged them has said that all of it is one.
 */
export function planRegroup(
  counts: readonly KeyCount[],
  issues: ReadonlyMap<number, RegroupIssue>,
  hashes: ReadonlyMap<string, number>,
  leads: ReadonlyMap<string, string> = new Map(),
): RegroupPlan {
  const asked = counts.filter((count) => issues.get(count.issueId)?.isOverflow === false);
  const kin = kinOf(asked, leads);
  const facts = factsOf(countsByKin(asked, kin), issues);
  const homes = new Map<string, number | null>();
  for (const [hash, keys] of facts.byHash) homes.set(hash, homeOf(hash, keys, facts, hashes));
  const groupings = new Map(asked.map(({ grouping }) => [grouping.hash, grouping]));
  return {
    moves: movesOf(facts, homes),
    claims: claimsOf(facts, homes, hashes, kinGroupings(groupings, kin)),
    joins: joinsOf(facts),
    labels: labelsOf(facts, homes, kin),
    kin: [...kin].map(([hash, lead]) => ({ grouping: groupings.get(hash) ?? lead, lead: lead.hash })),
  };
}

/** Those that know less, by the key that stands for them. */
function kinGroupings(
  groupings: ReadonlyMap<string, Grouping>,
  kin: Kin,
): ReadonlyMap<string, readonly Grouping[]> {
  const members = [...kin].map(([hash, lead]) => ({ grouping: groupings.get(hash), lead: lead.hash }));
  return new Map(
    [...Map.groupBy(members, ({ lead }) => lead)].map(([lead, those]) => [
      lead,
      those.flatMap(({ grouping }) => grouping ?? []),
    ]),
  );
}

interface Facts {
  readonly issues: ReadonlyMap<number, RegroupIssue>;
  /** The keys of each issue, that of most events first. */
  readonly byIssue: ReadonlyMap<number, readonly KeyCount[]>;
  readonly byHash: ReadonlyMap<string, readonly KeyCount[]>;
  /** How many issues each head stands for. */
  readonly groupSizes: ReadonlyMap<number, number>;
}

function factsOf(counts: readonly KeyCount[], issues: ReadonlyMap<number, RegroupIssue>): Facts {
  const asked = [...counts].sort(bigger);
  const groupSizes = new Map<number, number>();
  for (const { headId } of issues.values()) groupSizes.set(headId, (groupSizes.get(headId) ?? 0) + 1);
  return {
    issues,
    byIssue: Map.groupBy(asked, (count) => count.issueId),
    byHash: Map.groupBy(asked, (count) => count.grouping.hash),
    groupSizes,
  };
}

/** Most events first; of equals the one that was seen first. */
function bigger(left: KeyCount, right: KeyCount): number {
  return right.events - left.events || left.firstMs - right.firstMs || left.firstRow - right.firstRow;
}

function isMain(facts: Facts, { issueId, grouping }: KeyCount): boolean {
  return facts.byIssue.get(issueId)?.[0]?.grouping.hash === grouping.hash;
}

function isMerged({ issues, groupSizes }: Facts, issueId: number): boolean {
  return (groupSizes.get(issues.get(issueId)?.headId ?? issueId) ?? 1) > 1;
}

function headOf({ issues }: Facts, issueId: number): number {
  return issues.get(issueId)?.headId ?? issueId;
}

/** Issues that keep the key, the oldest first. */
function keepersOf(facts: Facts, keys: readonly KeyCount[]): number[] {
  const age = (id: number): number => facts.issues.get(id)?.firstSeenMs ?? 0;
  return keys
    .filter((key) => isMain(facts, key))
    .map((key) => key.issueId)
    .sort((left, right) => age(left) - age(right) || left - right);
}

/** Where a key leads; null where an issue is made for it. */
function homeOf(
  hash: string,
  keys: readonly KeyCount[],
  facts: Facts,
  hashes: ReadonlyMap<string, number>,
): number | null {
  const [keeper] = keepersOf(facts, keys);
  if (keeper !== undefined) return keeper;
  const known = hashes.get(hash);
  const merged = keys.filter((key) => isMerged(facts, key.issueId));
  // What leads to one of them already goes on leading there: a second run has nothing to do.
  const [home] = [merged.find((key) => key.issueId === known), ...merged].filter((key) => key !== undefined);
  if (home !== undefined) return home.issueId;
  // An issue whose events are all gone is what its hashes say.
  if (known === undefined || facts.byIssue.has(known)) return null;
  return facts.issues.get(known)?.isOverflow === false ? known : null;
}

function movesOf(facts: Facts, homes: ReadonlyMap<string, number | null>): PlannedMove[] {
  const moves: PlannedMove[] = [];
  for (const [fromId, keys] of [...facts.byIssue].sort(([left], [right]) => left - right)) {
    if (isMerged(facts, fromId)) continue;
    for (const { grouping, events, firstRow } of keys.slice(1)) {
      moves.push({ fromId, grouping, events, firstRow, toId: homes.get(grouping.hash) ?? null });
    }
  }
  return moves;
}

function claimsOf(
  facts: Facts,
  homes: ReadonlyMap<string, number | null>,
  hashes: ReadonlyMap<string, number>,
  kin: ReadonlyMap<string, readonly Grouping[]>,
): Array<{ grouping: Grouping; issueId: number }> {
  const claims = [];
  for (const [hash, keys] of facts.byHash) {
    const home = homes.get(hash) ?? null;
    const [first] = keys;
    if (home === null || first === undefined) continue;
    const keepers = keepersOf(facts, keys);
    for (const grouping of [first.grouping, ...(kin.get(hash) ?? [])]) {
      const known = hashes.get(grouping.hash);
      const isRight =
        known !== undefined && (keepers.includes(known) || headOf(facts, known) === headOf(facts, home));
      if (!isRight) claims.push({ grouping, issueId: home });
    }
  }
  return claims.sort(
    (left, right) => left.issueId - right.issueId || (left.grouping.hash < right.grouping.hash ? -1 : 1),
  );
}

function labelsOf(facts: Facts, homes: ReadonlyMap<string, number | null>, kin: Kin): RegroupLabel[] {
  const labels: RegroupLabel[] = [];
  for (const [issueId, [main]] of afterMoves(facts, homes)) {
    const shown = facts.issues.get(issueId)?.keyHash ?? '';
    if (main === undefined || (kin.get(shown)?.hash ?? shown) === main.grouping.hash) continue;
    labels.push({ issueId, grouping: main.grouping });
  }
  return labels.sort((left, right) => left.issueId - right.issueId);
}

/**
 * The keys of each issue once the moves are done, that of most events first: what comes to an issue may be
 * more than what was there.
 */
function afterMoves(
  facts: Facts,
  homes: ReadonlyMap<string, number | null>,
): ReadonlyMap<number, readonly KeyCount[]> {
  const after = new Map<string, KeyCount>();
  for (const [fromId, keys] of facts.byIssue) {
    const isWhole = isMerged(facts, fromId);
    for (const [place, count] of keys.entries()) {
      const { hash } = count.grouping;
      const issueId = isWhole || place === 0 ? fromId : (homes.get(hash) ?? null);
      if (issueId === null) continue;
      const known = after.get(`${issueId} ${hash}`);
      after.set(`${issueId} ${hash}`, {
        issueId,
        grouping: count.grouping,
        events: count.events + (known?.events ?? 0),
        firstMs: Math.min(count.firstMs, known?.firstMs ?? count.firstMs),
        firstRow: Math.min(count.firstRow, known?.firstRow ?? count.firstRow),
      });
    }
  }
  return Map.groupBy([...after.values()].sort(bigger), (count) => count.issueId);
}

/** Issues that keep one key stand together, and with them all that was merged with either. */
function joinsOf(facts: Facts): Array<{ intoId: number; issueIds: number[] }> {
  const parents = new Map<number, number>();
  const rootOf = (id: number): number => {
    const parent = parents.get(id) ?? id;
    return parent === id ? id : rootOf(parent);
  };
  const age = (id: number): number => facts.issues.get(id)?.firstSeenMs ?? 0;
  for (const keys of facts.byHash.values()) {
    const heads = keepersOf(facts, keys).map((id) => headOf(facts, id));
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
