// Splits hashes off an issue. The decision is one transaction; stored events follow in slices.
import type { Grouping } from '../../src/core/store/events.ts';
import {
  hashEventsMax,
  hashesMax,
  type IssueHash,
  type IssueHashes,
  type IssueSplitStore,
  type SplitResult,
} from '../../src/core/store/issue-queries.ts';
import type { ActorAndTime, Issue } from '../../src/core/store/issues.ts';
import type { Db, Query, Transaction } from '../db.ts';
import { type BodyRow, bodies, findBody, readGrouping, withGroupingFrames } from '../event-bodies.ts';
import { defaulted, integer, type RowOf, tableOf, text } from '../table.ts';
import { toValueList } from '../value-lists.ts';
import { addActivity } from './activity.ts';
import { lockHead } from './changes.ts';
import { lockIssue, mergeIssues, recount } from './merge-issues.ts';
import { lockBothIssues, movedEventsMax, moveEvents, showAsFilled } from './move-events.ts';
import { splitIssue } from './new-issue.ts';
import { stateWord } from './rows.ts';
import { recountUsers } from './user-recount.ts';

const membersMax = 500;

export function issueSplitStore(
  db: Db,
  { issuePlacesMax: placesMax }: { readonly issuePlacesMax: number },
): IssueSplitStore {
  return {
    async listIssueKeys(projectId, issueId) {
      const { groupings: _groupings, ...found } = await readKeys(db, projectId, issueId);
      return found;
    },
    splitIssue: (projectId, issueId, hashes, action) =>
      db.write((tx) => splitOut(tx, { projectId, issueId, hashes: new Set(hashes) }, action)),
    async isSplitting(projectId, issueId) {
      const row = await db.get(
        `SELECT 1 AS there FROM issue_splits WHERE project_id = $1 AND from_issue_id IN
           (SELECT id FROM issues WHERE project_id = $1 AND (id = $2 OR merged_into = $2)) LIMIT 1`,
        [projectId, issueId],
      );
      return row !== undefined;
    },
    async moveSplitSlice() {
      const liveProject =
        'SELECT 1 FROM projects WHERE projects.id = issue_splits.project_id AND deleted_at_ms IS NULL';
      const split = await splits.find(db, `WHERE EXISTS (${liveProject}) ORDER BY id LIMIT 1`);
      if (split === null) return false;
      const isMore = await db.write((tx) => moveSlice(tx, split, placesMax));
      if (isMore) return true;
      await recountUsers(db, split.projectId, split.fromIssueId);
      await db.write((tx) => finish(tx, split));
      return true;
    },
  };
}

interface SplitRequest {
  readonly projectId: number;
  readonly issueId: number;
  readonly hashes: ReadonlySet<string>;
}

async function splitOut(
  tx: Query,
  { projectId, issueId, hashes }: SplitRequest,
  action: ActorAndTime,
): Promise<SplitResult> {
  await lockBothIssues(tx, projectId);
  const head = await lockHead(tx, projectId, issueId);
  if (head === null) return 'gone';
  const found = await readKeys(tx, projectId, head.id);
  const chosen = found.keys.filter(({ hash }) => hashes.has(hash));
  if (chosen.length === 0 || chosen.length < hashes.size) return 'gone';
  if (chosen.length === found.keys.length) return 'all';
  const wholeIssueIds = wholeIssues(found, hashes);
  const moving = chosen.filter((key) => !wholeIssueIds.includes(key.issueId));
  if (moving.some(({ newest }) => newest === null)) return 'none-stored';
  for (const id of wholeIssueIds) await detachIssue(tx, head, found, id, action);
  const createdId = await createFromHashes(tx, head, moving, found.groupings, action);
  const [into, ...others] = createdId === null ? wholeIssueIds : [createdId, ...wholeIssueIds];
  if (into === undefined) return 'gone';
  if (others.length > 0) await mergeIssues(tx, projectId, into, others, action);
  await recount(tx, projectId, head.id);
  return { into };
}

function wholeIssues({ keys, merged }: FoundKeys, hashes: ReadonlySet<string>): number[] {
  return merged
    .map(({ issueId }) => issueId)
    .filter((id) => {
      const issueHashes = keys.filter((key) => key.issueId === id);
      return issueHashes.length > 0 && issueHashes.every(({ hash }) => hashes.has(hash));
    });
}

/** A merged issue has its own events and counters: it is only unmerged. */
async function detachIssue(tx: Query, head: Issue, found: FoundKeys, id: number, action: ActorAndTime) {
  const { projectId } = head;
  await tx.run('UPDATE issues SET merged_into = NULL WHERE project_id = $1 AND id = $2', [projectId, id]);
  await recount(tx, projectId, id);
  const events = found.merged.find(({ issueId }) => issueId === id)?.events ?? 0;
  const state = stateWord(head.state);
  const activity = { projectId, kind: 'split', from: state, to: state } as const;
  await addActivity(tx, { ...activity, issueId: id, detail: { from: head.id, events } }, action);
  await addActivity(tx, { ...activity, issueId: head.id, detail: { into: id, events } }, action);
}

async function createFromHashes(
  tx: Query,
  head: Issue,
  moving: readonly IssueHash[],
  groupings: ReadonlyMap<string, Grouping>,
  action: ActorAndTime,
): Promise<number | null> {
  const { projectId } = head;
  const [first] = moving.toSorted(
    (left, right) => (right.newest?.receivedAtMs ?? 0) - (left.newest?.receivedAtMs ?? 0),
  );
  const grouping = groupings.get(first?.hash ?? '');
  if (first?.newest == null || grouping === undefined) return null;
  const events = moving.reduce((sum, key) => sum + key.events, 0);
  const eventRow = first.newest.row;
  const shown = withGroupingFrames(grouping, await findBody(tx, projectId, eventRow));
  const split = { projectId, fromId: head.id, eventRow, grouping: shown, events };
  const id = await splitIssue(tx, split, action);
  if (id === null) return null;
  const hashes = moving.map(({ hash }) => hash);
  const list = toValueList(hashes, 3);
  await tx.run(
    `UPDATE issue_hashes SET issue_id = $2 WHERE project_id = $1 AND hash IN (${list.placeholders})`,
    [projectId, id, ...list.values],
  );
  const begin = { projectId, toIssueId: id, afterMs: Number.MIN_SAFE_INTEGER, afterRow: 0 };
  for (const { hash, issueId } of moving) await splits.insert(tx, { ...begin, hash, fromIssueId: issueId });
  return id;
}

const splits = tableOf('issue_splits', {
  id: defaulted(integer),
  projectId: integer,
  hash: text,
  fromIssueId: integer,
  toIssueId: integer,
  afterMs: integer,
  afterRow: integer,
});
type SplitRow = RowOf<typeof splits>;

interface PageRow extends BodyRow {
  readonly id: number;
  readonly received_at_ms: number;
}

async function moveSlice(tx: Transaction, split: SplitRow, placesMax: number): Promise<boolean> {
  const { projectId, fromIssueId: fromId, toIssueId: toId, hash } = split;
  await lockBothIssues(tx, projectId);
  const page = await nextEvents(tx, split);
  const last = page.at(-1);
  if (last === undefined) return false;
  const rows = page.filter((row) => readGrouping(row)?.hash === hash).map(({ id }) => id);
  if (rows.length > 0) await moveEvents(tx, { projectId, fromId, toId, rows, placesMax });
  const reached = { afterMs: last.received_at_ms, afterRow: last.id };
  await splits.update(tx, reached, { where: 'id = $1', values: [split.id] });
  return true;
}

function nextEvents(tx: Query, split: SplitRow): Promise<PageRow[]> {
  return tx.all<PageRow>(
    `SELECT events.id, received_at_ms, ${bodies.columns('event_bodies')} FROM issue_splits
       JOIN events ON events.project_id = issue_splits.project_id
         AND events.issue_id = issue_splits.from_issue_id
         AND (received_at_ms, events.id) > (after_ms, after_row)
       JOIN event_bodies ON event_bodies.event_row = events.id
     WHERE issue_splits.id = $1 ORDER BY received_at_ms, events.id LIMIT $2`,
    [split.id, movedEventsMax],
  );
}

/** Locks the issue, so that events in progress have been stored. */
async function finish(tx: Query, split: SplitRow): Promise<void> {
  const { projectId, fromIssueId: fromId, toIssueId: toId } = split;
  await lockBothIssues(tx, projectId);
  await lockIssue(tx, projectId, fromId);
  if ((await nextEvents(tx, split)).length > 0) return;
  await showAsFilled(tx, projectId, toId);
  await tx.run('DELETE FROM issue_splits WHERE id = $1', [split.id]);
}

interface MemberRow {
  readonly id: number;
  readonly title: string;
  readonly events: number;
}

type HashRow = Pick<IssueHash, 'hash' | 'algorithm' | 'issueId' | 'sinceMs'>;
type EventRow = NonNullable<IssueHash['newest']> & BodyRow & Pick<IssueHash, 'issueId' | 'title'>;

/** `groupings`: that of the newest event of each hash. */
interface FoundKeys extends IssueHashes {
  readonly groupings: ReadonlyMap<string, Grouping>;
}

async function readKeys(tx: Query, projectId: number, issueId: number): Promise<FoundKeys> {
  const members = await tx.all<MemberRow>(
    `SELECT id, title, own_events_count AS events FROM issues
     WHERE project_id = $1 AND (id = $2 OR merged_into = $2) ORDER BY id LIMIT $3`,
    [projectId, issueId, membersMax],
  );
  if (members.length === 0) return { keys: [], checked: 0, merged: [], groupings: new Map() };
  const memberIds = members.map(({ id }) => id);
  const list = toValueList(memberIds, 3);
  const hashes = await tx.all<HashRow>(
    `SELECT hash, algorithm, issue_id AS "issueId", created_at_ms AS "sinceMs" FROM issue_hashes
     WHERE project_id = $1 AND issue_id IN (${list.placeholders}) ORDER BY id LIMIT $2`,
    [projectId, hashesMax, ...list.values],
  );
  const events = await tx.all<EventRow>(
    `SELECT events.id AS row, issue_id AS "issueId", event_id AS "eventId", received_at_ms AS "receivedAtMs", title,
       ${bodies.columns('event_bodies')} FROM events
       JOIN event_bodies ON event_bodies.event_row = events.id
     WHERE events.project_id = $1 AND issue_id IN (${list.placeholders})
     ORDER BY received_at_ms DESC, events.id DESC LIMIT $2`,
    [projectId, hashEventsMax, ...list.values],
  );
  const newest = new Map<string, { readonly event: EventRow; readonly grouping: Grouping; count: number }>();
  // A merged issue with one hash is split off whole, whatever source maps changed since.
  const onlyHashByIssue = new Map<number, string>();
  for (const [id, issueHashes] of Map.groupBy(hashes, (row) => row.issueId)) {
    if (id !== issueId && issueHashes.length === 1) onlyHashByIssue.set(id, issueHashes[0]?.hash ?? '');
  }
  for (const event of events) {
    const grouping = readGrouping(event);
    // Its body is damaged.
    if (grouping === null) continue;
    const hashKey = hashKeyOf(event.issueId, onlyHashByIssue.get(event.issueId) ?? grouping.hash);
    const known = newest.get(hashKey);
    if (known === undefined) newest.set(hashKey, { event, grouping, count: 1 });
    else known.count += 1;
  }
  const titles = new Map(members.map(({ id, title }) => [id, title]));
  return {
    keys: hashes.map((row) => keyOf(row, newest.get(hashKeyOf(row.issueId, row.hash)), titles)),
    checked: events.length,
    merged: members.filter(({ id }) => id !== issueId).map(({ id, events }) => ({ issueId: id, events })),
    groupings: new Map([...newest.values()].map(({ grouping }) => [grouping.hash, grouping])),
  };
}

function hashKeyOf(issueId: number, hash: string): string {
  return `${issueId} ${hash}`;
}

function keyOf(
  row: HashRow,
  found: { readonly event: EventRow; readonly count: number } | undefined,
  titles: ReadonlyMap<number, string>,
): IssueHash {
  if (found === undefined) return { ...row, title: titles.get(row.issueId) ?? '', events: 0, newest: null };
  const { row: eventRow, eventId, receivedAtMs, title } = found.event;
  return { ...row, title, events: found.count, newest: { row: eventRow, eventId, receivedAtMs } };
}
