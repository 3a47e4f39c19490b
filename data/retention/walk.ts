// The walk over an issue's events, the oldest first: which of them stay, and where it ends. Queries only.
import type { EvictionWalk } from '../../src/core/store/storage/retention.ts';
import type { Query } from '../db.ts';
import { listOf } from '../value-lists.ts';

/** Below that many, rows are looked at to see what is newest; above it the count of the issue says it. */
const exactNewestMax = 100;

const keepersAsked = 1_000;

interface PageRow {
  readonly id: number;
  readonly received_at_ms: number;
  readonly release: string | null;
  readonly event_id: string;
  readonly goes: boolean;
}

export interface Page {
  readonly rows: readonly PageRow[];
  /** Behind it nothing is left of the walk. */
  readonly isLast: boolean;
}

/** The next events of a walk, each with whether it goes. */
export async function readPage(
  query: Pick<Query, 'all' | 'get'>,
  walk: EvictionWalk,
  rowsMax: number,
): Promise<Page> {
  const end = await endOf(query, walk);
  if (end === null) return { rows: [], isLast: true };
  const { projectId, issueId, after } = walk;
  const rows = await query.all<Omit<PageRow, 'goes'>>(
    `SELECT id, received_at_ms, release, event_id FROM events
     WHERE project_id = $1 AND issue_id = $2 AND (received_at_ms, id) > ($3, $4) AND (received_at_ms, id) < ($5, $6)
     ORDER BY received_at_ms, id LIMIT $7`,
    [projectId, issueId, after?.atMs ?? Number.MIN_SAFE_INTEGER, after?.row ?? 0, end.atMs, end.row, rowsMax],
  );
  const named = walk.promised.releases ? await namedByReports(query, projectId, rows) : new Set<string>();
  const met = new Set(walk.keepers.keys());
  const judged = rows.map((row, index) => {
    const isFirst = after === null && index === 0 && walk.promised.first;
    const isNewRelease = walk.promised.releases && row.release !== null && !met.has(row.release);
    if ((isFirst || isNewRelease) && row.release !== null) met.add(row.release);
    return { ...row, goes: !isFirst && !isNewRelease && !named.has(row.event_id) };
  });
  return { rows: judged, isLast: rows.length < rowsMax };
}

/** The first event that is not walked over: the oldest of those that are promised, or too young. */
async function endOf(
  query: Pick<Query, 'get'>,
  { projectId, issueId, promised, beforeMs }: EvictionWalk,
): Promise<{ atMs: number; row: number } | null> {
  const young = { atMs: beforeMs ?? Number.MAX_SAFE_INTEGER, row: 0 };
  const newest = Math.min(promised.newest, exactNewestMax);
  if (newest === 0) return young;
  const row = await query.get<{ received_at_ms: number; id: number }>(
    `SELECT received_at_ms, id FROM events WHERE project_id = $1 AND issue_id = $2
     ORDER BY received_at_ms DESC, id DESC LIMIT 1 OFFSET $3`,
    [projectId, issueId, newest - 1],
  );
  if (row === undefined) return null;
  return row.received_at_ms < young.atMs ? { atMs: row.received_at_ms, row: row.id } : young;
}

/** A bug report without its event would be a report of nothing. */
async function namedByReports(
  query: Pick<Query, 'all'>,
  projectId: number,
  rows: ReadonlyArray<Pick<PageRow, 'event_id'>>,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const list = listOf(
    rows.map((row) => row.event_id),
    2,
  );
  const named = await query.all<{ event_id: string }>(
    `SELECT event_id FROM feedback WHERE project_id = $1 AND event_id IN (${list.marks})`,
    [projectId, ...list.values],
  );
  return new Set(named.map((row) => row.event_id));
}

/** How many may go by the count of the issue, where more are promised than are worth looking at. */
export function roomOf({ promised, passed }: EvictionWalk, stored: number): number {
  if (promised.newest <= exactNewestMax) return Number.MAX_SAFE_INTEGER;
  return Math.max(0, stored - promised.newest - passed);
}

/**
 * Whether what stays for the first and for each release is still at the issue: where an event of it was moved
 * to another issue meanwhile, the next of its kind stays instead.
 */
export async function keepersAreThere(
  tx: Query,
  { projectId, issueId, keepers }: EvictionWalk,
): Promise<boolean> {
  const rows = [...new Set(keepers.values())];
  for (let at = 0; at < rows.length; at += keepersAsked) {
    const asked = rows.slice(at, at + keepersAsked);
    const list = listOf(asked, 3);
    const there = await tx.get<{ there: number }>(
      `SELECT COUNT(*) AS there FROM events
       WHERE id IN (${list.marks}) AND project_id + 0 = $1 AND issue_id + 0 = $2`,
      [projectId, issueId, ...list.values],
    );
    if (Number(there?.there) !== asked.length) return false;
  }
  return true;
}

export function fromTheStart(walk: EvictionWalk): void {
  walk.after = null;
  walk.passed = 0;
  walk.keepers.clear();
}

export function moveOn(walk: EvictionWalk, { rows }: Page): void {
  const [first] = rows;
  if (walk.after === null && first?.goes === false && walk.promised.first) walk.keepers.set('', first.id);
  for (const { id, release, goes } of rows) {
    if (goes) continue;
    walk.passed += 1;
    if (release !== null && !walk.keepers.has(release)) walk.keepers.set(release, id);
  }
  const last = rows.at(-1);
  if (last !== undefined) walk.after = { atMs: last.received_at_ms, row: last.id };
}
