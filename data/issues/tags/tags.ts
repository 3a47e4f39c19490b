// Tags of issues. The pairs of an issue are cached, so that the usual event costs one statement.

import { foldCase } from '../../../src/core/parsing/fold-text.ts';
import type { NewEvent } from '../../../src/core/store/events.ts';
import { overLimitName } from '../../../src/core/store/projects.ts';
import type { Query, SqlValue, Transaction } from '../../db.ts';
import { integer, tableOf, text } from '../../table.ts';

/** Values of one tag of one issue; further ones count as `other`. */
const tagValuesMax = 100;
/** Tags of one issue; further ones count as the value `other` of the tag `other`. */
const tagsOfIssueMax = 50;

/** Cached pairs in all: about 20 MB at the usual length. */
const cachedPairsMax = 100_000;
/** Pairs of one issue that search compares, and their characters in all. */
const searchedPairsMax = 300;
const searchedUnitsMax = 6_000;

type TagPair = readonly [tag: string, value: string];

type Pairs = Map<string, Set<string>>;

/** Least recently used first. */
export interface TagCache {
  readonly issues: Map<number, Pairs>;
  pairs: number;
}

/** To be called after the commit. */
export type AfterWrite = Array<() => void>;

export function createTagCache(): TagCache {
  return { issues: new Map(), pairs: 0 };
}

export function clearTagCache(cache: TagCache): void {
  cache.issues.clear();
  cache.pairs = 0;
}

export interface CountedTags {
  readonly projectId: number;
  readonly issueId: number;
  readonly pairs: ReadonlyArray<{
    readonly pair: TagPair;
    readonly events: number;
    readonly firstMs: number;
    readonly lastMs: number;
  }>;
}

/** In the order in which they first came; the level is a tag too. */
export function sumPairs(
  events: ReadonlyArray<Pick<NewEvent, 'level' | 'tags' | 'receivedAtMs'>>,
): CountedPair[] {
  const pairs = new Map<string, CountedPair>();
  for (const { level, tags = [], receivedAtMs: atMs } of events) {
    for (const pair of [['level', level] as const, ...tags]) {
      const key = `${pair[0]}\n${pair[1]}`;
      const before = pairs.get(key);
      pairs.set(key, {
        pair,
        events: (before?.events ?? 0) + 1,
        firstMs: Math.min(before?.firstMs ?? atMs, atMs),
        lastMs: Math.max(before?.lastMs ?? atMs, atMs),
      });
    }
  }
  return [...pairs.values()];
}

/** Answers whether the issue has a new pair. */
export async function countTags(
  tx: Transaction,
  cache: TagCache,
  counted: CountedTags,
  written: AfterWrite = [],
): Promise<boolean> {
  return (await countTagsOfMany(tx, cache, [counted], written)).length > 0;
}

/** In the order of ids; returns the issues that have a new pair. */
export async function countTagsOfMany(
  tx: Transaction,
  cache: TagCache,
  issues: readonly CountedTags[],
  written: AfterWrite,
): Promise<CountedTags[]> {
  const rows: SqlValue[][] = [];
  const widened: CountedTags[] = [];
  for (const counted of issues) {
    const { known, added } = await readKnownPairs(tx, cache, counted, written);
    if (added) widened.push(counted);
    const { projectId, issueId } = counted;
    for (const { pair, events, firstMs, lastMs } of rowsOf(counted, known)) {
      const [tag, value] = pair;
      const seen = { events, firstSeenMs: firstMs, lastSeenMs: lastMs };
      rows.push(issueTags.valuesOf({ projectId, issueId, tag, value, ...seen }));
    }
  }
  await tx.allMany(upsertRow, rows);
  return widened;
}

async function readKnownPairs(
  tx: Query,
  cache: TagCache,
  { projectId, issueId, pairs }: CountedTags,
  written: AfterWrite,
): Promise<{ known: Pairs; added: boolean }> {
  const known = cache.issues.get(issueId);
  if (known !== undefined && pairs.every(({ pair }) => hasPair(known, pair))) return { known, added: false };
  // Read again before a pair is added: another process may have added some.
  const stored = await readPairs(tx, projectId, issueId);
  let added = false;
  for (const { pair } of pairs) added = addPair(stored, pair) || added;
  written.push(() => cachePairs(cache, issueId, stored));
  return { known: stored, added };
}

export async function searchedTags(tx: Query, projectId: number, issueId: number): Promise<string> {
  const rows = await tx.all<{ tag: string; value: string }>(
    `SELECT tag, value FROM issue_tags WHERE project_id = $1 AND issue_id = $2 AND tag <> 'level'
     ORDER BY tag, value LIMIT $3`,
    [projectId, issueId, searchedPairsMax],
  );
  let text = '';
  for (const { tag, value } of rows) {
    if (text.length + tag.length + value.length > searchedUnitsMax) break;
    text += `${text === '' ? '' : '\n'}${tag}:${value}`;
  }
  return foldCase(text);
}

/** Returns the pairs; those that are stored as one are one. */
export async function removeTags(tx: Query, counted: CountedTags): Promise<CountedTags['pairs']> {
  const { projectId, issueId } = counted;
  const known = await readPairs(tx, projectId, issueId);
  const removed = byPair(counted, known);
  for (const { pair, events } of removed) {
    const key = [projectId, issueId, ...pair];
    const where = 'WHERE project_id = $1 AND issue_id = $2 AND tag = $3 AND value = $4';
    await tx.run(`UPDATE issue_tags SET events = events - $5 ${where}`, [...key, events]);
    await tx.run(`DELETE FROM issue_tags ${where} AND events <= 0`, key);
  }
  return removed;
}

function hasPair(known: Pairs | undefined, [tag, value]: TagPair): boolean {
  return known?.get(tag)?.has(value) === true || isFull(known, tag);
}

function isFull(known: Pairs | undefined, tag: string): boolean {
  if (known === undefined) return false;
  const values = known.get(tag);
  if (values === undefined) return known.size >= tagsOfIssueMax && known.has(overLimitName);
  return values.size >= tagValuesMax && values.has(overLimitName);
}

/** The pair itself, or the shared one where there is no room for it. */
function toStoredPair(known: Pairs, [tag, value]: TagPair): TagPair {
  const values = known.get(tag);
  if (values === undefined) return [overLimitName, overLimitName];
  return values.has(value) ? [tag, value] : [tag, overLimitName];
}

function addPair(known: Pairs, [tag, value]: TagPair): boolean {
  const values = known.get(tag);
  if (values === undefined) {
    if (known.size >= tagsOfIssueMax) return addOverflowPair(known);
    known.set(tag, new Set([value]));
    return true;
  }
  if (values.has(value)) return false;
  const storedValue = values.size < tagValuesMax ? value : overLimitName;
  if (values.has(storedValue)) return false;
  values.add(storedValue);
  return true;
}

function addOverflowPair(known: Pairs): boolean {
  if (known.get(overLimitName)?.has(overLimitName) === true) return false;
  known.set(overLimitName, (known.get(overLimitName) ?? new Set()).add(overLimitName));
  return true;
}

async function readPairs(tx: Query, projectId: number, issueId: number): Promise<Pairs> {
  const rows = await tx.all<{ tag: string; value: string }>(
    'SELECT tag, value FROM issue_tags WHERE project_id = $1 AND issue_id = $2',
    [projectId, issueId],
  );
  const known: Pairs = new Map();
  for (const { tag, value } of rows) known.set(tag, (known.get(tag) ?? new Set()).add(value));
  return known;
}

function cachePairs(cache: TagCache, issueId: number, known: Pairs): void {
  cache.pairs -= sizeOf(cache.issues.get(issueId));
  cache.issues.delete(issueId);
  cache.issues.set(issueId, known);
  cache.pairs += sizeOf(known);
  for (const [oldest, pairs] of cache.issues) {
    if (cache.pairs <= cachedPairsMax || oldest === issueId) return;
    cache.issues.delete(oldest);
    cache.pairs -= sizeOf(pairs);
  }
}

function sizeOf(known: Pairs | undefined): number {
  let size = 0;
  for (const values of known?.values() ?? []) size += values.size;
  return size;
}

/** In the order in which rows are locked. */
function byPair({ pairs }: CountedTags, known: Pairs): Array<CountedPair> {
  const byKey = new Map<string, CountedPair>();
  for (const each of pairs) {
    const pair = toStoredPair(known, each.pair);
    const key = pair.join('\n');
    const before = byKey.get(key);
    byKey.set(key, {
      pair,
      events: (before?.events ?? 0) + each.events,
      firstMs: Math.min(before?.firstMs ?? each.firstMs, each.firstMs),
      lastMs: Math.max(before?.lastMs ?? each.lastMs, each.lastMs),
    });
  }
  return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
}

function rowsOf(counted: CountedTags, known: Pairs): CountedPair[] {
  return counted.pairs.every(({ pair: [tag, value] }) => known.get(tag)?.has(value) === true)
    ? [...counted.pairs].sort(byTagAndValue)
    : byPair(counted, known);
}

type CountedPair = CountedTags['pairs'][number];

/** A statement must not name a row twice: the pairs are distinct. */
function byTagAndValue({ pair: [tag, value] }: CountedPair, { pair }: CountedPair): number {
  if (tag === pair[0]) return value < pair[1] ? -1 : 1;
  return tag < pair[0] ? -1 : 1;
}

const issueTags = tableOf('issue_tags', {
  projectId: integer,
  issueId: integer,
  tag: text,
  value: text,
  events: integer,
  firstSeenMs: integer,
  lastSeenMs: integer,
});
const added = issueTags.mergeOn({
  key: ['projectId', 'issueId', 'tag', 'value'],
  otherwise: 'sum',
  rules: { firstSeenMs: 'least', lastSeenMs: 'greatest' },
});
const upsertRow = issueTags.insertStatement(`ON CONFLICT ${added}`);
