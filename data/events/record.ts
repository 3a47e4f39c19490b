// Filing an event: one call, one transaction, everything that an event changes.

import { StoreBusy } from '../../src/core/errors.ts';
import { newIssuesPerHourMax, nextIssueState } from '../../src/core/issues/life.ts';
import { placeByText, type ReleaseOrder, sightOrderOf } from '../../src/core/releases/order.ts';
import { otherName, type ProjectBounds, projectBounds } from '../../src/core/store/bounds.ts';
import type { NewEvent, RecordedEvent } from '../../src/core/store/events.ts';
import { addOutcome } from '../counts/outcomes.ts';
import { countSdkEvent } from '../counts/sdk-statistics.ts';
import type { Db, Query } from '../db.ts';
import { type BodyRow, packBody } from '../event-bodies.ts';
import { addActivity } from '../issues/activity.ts';
import {
  type CountedIssue,
  countEvent,
  type FiledEvent,
  IssueMoved,
  type IssueRooms,
} from '../issues/counting.ts';
import { fileIssue } from '../issues/filing.ts';
import { groupOf } from '../issues/group.ts';
import { type StateColumns, stateOf, stateWord, writeState } from '../issues/rows.ts';
import { searchRoom } from '../issues/told/search-row.ts';
import { forgetTags, tagRoom } from '../issues/told/tags.ts';
import { noteUserKeys } from '../issues/told/user-keys.ts';
import { type Admitted, type NameLimits, type NameRoom, nameRoom } from '../releases/bounded-names.ts';
import { type ReleaseSight, readSightings, touchRelease } from '../releases/sightings.ts';
import { type FoldedTitles, foldedTitles } from '../search.ts';
import { insertAttachments, type PackedAttachment, packAttachments, sizeOf } from './attachments.ts';
import { bodyRowValues, eventValues, insertBodyRow, insertEventRow } from './event-rows.ts';
import { insertAwaited } from './mapping.ts';
import { answerDuplicate } from './repeats.ts';

export interface EventLimits extends NameLimits, Pick<ProjectBounds, 'issuePlacesMax'> {
  /** New issues of one project in one hour (D-20). */
  readonly newIssuesPerHourMax: number;
}

/**
 * What filing events needs beside the database: the limits, and what is remembered of
 * names and titles.
 */
export interface Filing {
  readonly limits: EventLimits;
  readonly names: NameRoom;
  readonly titles: FoldedTitles;
  readonly rooms: IssueRooms;
  /** Hashes of users that were written a moment ago. */
  readonly userKeys: Set<string>;
}

/** The filing of one store, with the bounds of every project unless said otherwise. */
export function filingOf(given: Partial<EventLimits> = {}): Filing {
  const limits = { ...projectBounds, newIssuesPerHourMax, ...given };
  const rooms = { tags: tagRoom(), search: searchRoom() };
  return { limits, names: nameRoom(limits), titles: foldedTitles(), rooms, userKeys: new Set() };
}

/** Forgets what was written down for issues and users: their transaction was not kept. */
export function forgetWritten({ rooms, userKeys }: Filing): void {
  forgetTags(rooms.tags);
  rooms.search.heads.clear();
  userKeys.clear();
}

/** What an event weighs beside its body and attachments, roughly. */
const indexedBytes = 2048;

/** An issue moves when somebody merges it: twice in the time that one event takes is a lot. */
const triesMax = 5;

/** The event id is there already. Thrown to undo all that the repeat began, an issue of its own included. */
class AlreadyFiled extends Error {}

/** An event with its body as it is kept, and what it holds in memory while it waits. */
export interface PackedEvent {
  readonly event: NewEvent;
  readonly packed: BodyRow;
  readonly attachments: readonly PackedAttachment[];
  readonly bytes: number;
}

/** At once where there are no attachments, which is the usual event. */
export function packEvent(event: NewEvent): PackedEvent | Promise<PackedEvent> {
  if (event.attachments.length === 0) return packedWith(event, []);
  return packAttachments(event.attachments).then((attachments) => packedWith(event, attachments));
}

function packedWith(event: NewEvent, attachments: readonly PackedAttachment[]): PackedEvent {
  const packed = packBody(event.payload, event);
  const bytes = sizeOf(event.attachments) + packed.body.byteLength + indexedBytes;
  return { event, packed, attachments, bytes };
}

/** Files an event by itself; see `EventStore.recordEvent`. */
export async function recordEvent(db: Db, filing: Filing, event: NewEvent): Promise<RecordedEvent> {
  // Packed before the transaction begins: nobody waits for our arithmetic.
  return recordPacked(db, filing, await packEvent(event));
}

/** The same of one that is packed. */
export async function recordPacked(db: Db, filing: Filing, given: PackedEvent): Promise<RecordedEvent> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { recorded, named, written } = await db.write((tx) => fileOnce(tx, filing, given), given.bytes);
      filing.names.remember(named);
      for (const remember of written) remember();
      return recorded;
    } catch (error) {
      if (error instanceof AlreadyFiled) return db.write((tx) => answerDuplicate(tx, given.event));
      if (!(error instanceof IssueMoved)) throw error;
      if (tries >= triesMax) throw new StoreBusy('An issue kept moving.', { cause: error });
    }
  }
}

/** An event that was filed, and what is to be remembered once the transaction is kept. */
export interface Filed {
  readonly recorded: RecordedEvent;
  readonly named: Admitted;
  readonly written: Array<() => void>;
}

/**
 * Files an event in a transaction, or counts it as a repeat: of one that is there nothing else is looked at,
 * and nothing remembered. `learned` are names that were admitted in this transaction before.
 */
export async function fileOnce(
  tx: Query,
  filing: Filing,
  given: PackedEvent,
  learned?: Set<string>,
): Promise<Filed> {
  const { projectId, eventId, receivedAtMs } = given.event;
  // By the time of a repeat too what is remembered grows old.
  filing.names.recall(projectId, given.event, receivedAtMs, learned ?? new Set());
  const there = await tx.get('SELECT 1 AS there FROM events WHERE project_id = $1 AND event_id = $2', [
    projectId,
    eventId,
  ]);
  if (there === undefined) return fileEvent(tx, filing, given, learned);
  const recorded = await answerDuplicate(tx, given.event);
  return { recorded, named: { release: null, environment: null, learned: [] }, written: [] };
}

/** @throws {AlreadyFiled} when the event came by another way since it was looked for. */
async function fileEvent(
  tx: Query,
  { limits, names, titles, rooms, userKeys }: Filing,
  { event: sent, packed, attachments }: PackedEvent,
  learned?: Set<string>,
): Promise<Filed> {
  const named = await names.admit(tx, sent.projectId, sent, sent.receivedAtMs, learned);
  const event = listedAs(sent, named, titles);
  const issue = await fileIssue(tx, event, limits.newIssuesPerHourMax);
  const row = await insertEvent(tx, event, issue.id);
  await insertBody(tx, event, row, packed);
  await insertAttachments(tx, event.projectId, row, attachments);
  if (event.needsMapping) await insertAwaited(tx, event.projectId, row, event.awaits ?? []);
  const written: Array<() => void> = [];
  const counted = await countEvent(tx, event, issue, limits.issuePlacesMax, rooms, written);
  await noteUserKeys(tx, event, userKeys, written);
  if (event.release !== null) await noteRelease(tx, names, event, event.release);
  const isRegression = await moveState(tx, event, issue.headId, counted);
  await addOutcome(tx, {
    projectId: event.projectId,
    atMs: event.receivedAtMs,
    outcome: 'accepted',
    reason: '',
    category: 'error',
    quantity: 1,
    level: event.level,
  });
  await countSdkEvent(tx, { ...event, atMs: event.receivedAtMs });
  const recorded = {
    eventId: event.eventId,
    issueId: issue.headId,
    duplicate: false,
    isNew: issue.isNew,
    isRegression,
  };
  return { recorded, named, written };
}

/** The payload stays as it was sent; what is listed and counted has a bounded number of names. */
export function listedAs(
  event: NewEvent,
  { release, environment }: Pick<NewEvent, 'release' | 'environment'>,
  titles: FoldedTitles,
): FiledEvent {
  return { ...event, release, environment, folded: titles(event.title, event.culprit) };
}

async function noteRelease(tx: Query, names: NameRoom, event: NewEvent, release: string): Promise<void> {
  const { projectId, receivedAtMs: atMs } = event;
  const sight = { projectId, version: release, lastMs: atMs, earliestMs: atMs };
  if (!(await touchRelease(tx, sight))) await restoreSeenRelease(tx, names, sight, atMs);
}

/** Makes a release anew that was deleted while it was remembered, and notes that it was seen. */
export async function restoreSeenRelease(
  tx: Query,
  names: NameRoom,
  sight: ReleaseSight,
  nowMs: number,
): Promise<void> {
  if (sight.version === otherName) return;
  await names.restoreRelease(tx, sight.projectId, sight.version, nowMs);
  await touchRelease(tx, sight);
}

/** @throws {AlreadyFiled} when the project has an event of this id. */
async function insertEvent(tx: Query, event: FiledEvent, issueId: number): Promise<number> {
  const row = await tx.get<{ id: number }>(insertEventRow.sql, eventValues(event, issueId));
  if (row === undefined) throw new AlreadyFiled();
  return row.id;
}

async function insertBody(tx: Query, event: NewEvent, row: number, packed: BodyRow): Promise<void> {
  await tx.run(insertBodyRow.sql, bodyRowValues(event.projectId, row, packed));
}

/** Moves the issue on where the event asks for it; answers whether a resolved one came back. */
async function moveState(
  tx: Query,
  event: NewEvent,
  issueId: number,
  counted: CountedIssue,
): Promise<boolean> {
  const before = stateOf(counted);
  const facts = {
    receivedAtMs: event.receivedAtMs,
    release: event.release,
    eventsCount: counted.events_count,
    usersCount: counted.users_count,
    eventsInWindow: await eventsInWindow(tx, event, issueId, counted),
  };
  const change = nextIssueState(before, facts, await orderFor(tx, event, counted));
  if (change === null) return false;
  await writeState(tx, event.projectId, issueId, change.state);
  await addActivity(tx, {
    projectId: event.projectId,
    issueId,
    kind: change.kind,
    actor: 'event',
    atMs: event.receivedAtMs,
    from: stateWord(before),
    to: stateWord(change.state),
    eventId: event.eventId,
    release: event.release,
    detail: {},
  });
  return change.kind === 'regressed';
}

/**
 * Only an issue ignored until a number of events in a window needs this count, and it is read no further than
 * needed.
 */
async function eventsInWindow(
  tx: Query,
  event: NewEvent,
  issueId: number,
  counted: CountedIssue,
): Promise<number> {
  const { ignored_amount: wanted, ignored_window_ms: windowMs } = counted;
  if (wanted === null || windowMs === null) return 0;
  // Fewer came since the issue was ignored than are wanted in the window: no need to look.
  if (counted.events_count - (counted.ignored_events_before ?? 0) < wanted) return 0;
  const since = Math.max(event.receivedAtMs - windowMs, counted.state_changed_at_ms);
  const row = await tx.get<{ events: number }>(
    `SELECT COUNT(*) AS events FROM (
       SELECT 1 FROM events WHERE project_id = $1 AND received_at_ms >= $3 AND issue_id IN
         (${groupOf('$1', '$2')}) LIMIT $4) AS recent`,
    [event.projectId, issueId, since, wanted],
  );
  return row?.events ?? 0;
}

/**
 * Releases are read only for an issue whose resolution names one, no more than the two, and only where their
 * texts do not say which is later. The one that "the next" counts from was there when the issue was resolved,
 * even if it was deleted since; one that an issue was resolved in may be still to come.
 */
export async function orderFor(
  tx: Query,
  event: Pick<NewEvent, 'projectId' | 'release'>,
  counted: StateColumns,
): Promise<ReleaseOrder> {
  const { resolved_in: resolvedIn, resolved_release: resolved } = counted;
  if (event.release === null || resolvedIn === null || resolvedIn === 'now') return () => 'unknown';
  const byText = placeByText(event.release, resolved);
  if (byText !== null) return () => byText;
  const releases = await readSightings(tx, event.projectId, [event.release, resolved ?? event.release]);
  return sightOrderOf(releases, resolvedIn === 'release' ? Infinity : counted.state_changed_at_ms);
}
