// Batch insert: events that only add to counters are written together. One that does more (a new issue, a
// state that may change, a new release or environment) is written alone, after all that came before it.

import { startOfHour } from '../../src/core/parsing/durations.ts';
import type { NewEvent, RecordedEvent } from '../../src/core/store/events.ts';
import { overLimitName } from '../../src/core/store/projects.ts';
import { addOutcome, addOutcomeCounts, type OutcomeCount } from '../counts/outcomes.ts';
import { countSdkEvents } from '../counts/sdk-statistics.ts';
import type { Query, Transaction } from '../db.ts';
import { bodies } from '../event-bodies.ts';
import { type CountedEvent, countEvents } from '../issues/counters/count-events.ts';
import {
  ChangedMeanwhile,
  type FiledEvent,
  type FoundIssues,
  findIssue,
  findIssues,
  getFoundIssue,
  isPlain,
  keepsState,
} from '../issues/counters/find-issues.ts';
import type { CountedIssue } from '../issues/counters/issue-rows.ts';
import { findOrCreateIssue } from '../issues/find-or-create.ts';
import { stateOf } from '../issues/rows.ts';
import { insertUserKeys } from '../issues/tags/user-keys.ts';
import type { NameCache } from '../releases/bounded-names.ts';
import { type SeenRelease, touchReleases } from '../releases/first-seen.ts';
import type { FoldTitles } from '../search.ts';
import { defaulted, flag, integer, nullable, oneOf, type RowOf, tableOf, text } from '../table.ts';
import { compareKeys } from '../value-lists.ts';
import { insertAttachments } from './attachments.ts';
import type { InsertContext, PackedEvent } from './insert-context.ts';
import { moveState } from './issue-state.ts';
import { insertPendingSymbolication } from './pending-symbolications.ts';

const events = tableOf('events', {
  projectId: integer,
  issueId: integer,
  eventId: text,
  receivedAtMs: integer,
  timestampMs: integer,
  level: oneOf<NewEvent['level']>(),
  platform: text,
  title: text,
  culprit: text,
  release: nullable(text),
  dist: nullable(text),
  environment: nullable(text),
  sdkName: nullable(text),
  sdkVersion: nullable(text),
  domain: nullable(text),
  userHash: nullable(text),
  scrubbedCount: integer,
  needsMapping: flag,
  searchText: nullable(text),
  id: defaulted(integer),
});
const inserted = events.only('id', 'projectId', 'eventId');

/** Returns no row where the project has an event of this id. */
export const insertEventRow = events.insertStatement(
  `ON CONFLICT (project_id, event_id) DO NOTHING RETURNING ${inserted.columns()}`,
);
const insertBodyRow = bodies.insertStatement();

/** The first events of a batch; the others need another transaction. */
export interface InsertedBatch {
  readonly recorded: readonly RecordedEvent[];
  readonly learned: ReadonlySet<string>;
}

interface BatchOptions {
  /** Whether an event that is written alone needs its own transaction: several processes must lock in one order. */
  readonly isolateComplex: boolean;
}

type SimpleEvent = CountedEvent & { readonly packedEvent: PackedEvent; readonly at: number };

/** Caches are updated at once: the caller clears them when the transaction is rolled back. */
export async function insertBatch(
  tx: Transaction,
  context: InsertContext,
  batch: readonly PackedEvent[],
  { isolateComplex }: BatchOptions,
): Promise<InsertedBatch> {
  const recorded: RecordedEvent[] = [];
  const learned = new Set<string>();
  let found: FoundIssues = new Map();
  let foundUntil = 0;
  let lookahead = batch.length;
  let waiting: SimpleEvent[] = [];
  for (const [at, packedEvent] of batch.entries()) {
    if (at >= foundUntil) {
      const next = batch.slice(at, at + lookahead);
      found = await findIssues(
        tx,
        next.map(({ event }) => event),
      );
      foundUntil = at + next.length;
      lookahead *= 4;
    }
    const simple = toSimple(context, found, packedEvent, learned);
    if (simple !== null) {
      waiting.push({ ...simple, packedEvent, at });
      continue;
    }
    if (isolateComplex && at > 0) break;
    await insertSimple(tx, context, waiting, recorded, isolateComplex);
    recorded[at] = await insertAlone(tx, context, packedEvent, learned);
    if (isolateComplex) return { recorded, learned };
    // What was found may have changed; it is read again, in growing portions.
    waiting = [];
    foundUntil = at + 1;
    lookahead = 1;
  }
  await insertSimple(tx, context, waiting, recorded, isolateComplex);
  return { recorded, learned };
}

/** Null where the event does more than add to counters. */
function toSimple(
  { names, titles }: InsertContext,
  issues: FoundIssues,
  { event }: PackedEvent,
  learned: Set<string>,
): CountedEvent | null {
  // Called for every event, since it drops expired names.
  const named = names.get(event.projectId, event, event.receivedAtMs, learned);
  const issue = getFoundIssue(issues, event);
  if (named === null || issue === null || !isPlain(issue, event)) return null;
  return { event: listedAs(event, named, titles), issue };
}

/** Stores an event that does more than add to counters; of a duplicate only the counter changes. */
async function insertAlone(
  tx: Transaction,
  context: InsertContext,
  packedEvent: PackedEvent,
  learned: Set<string>,
): Promise<RecordedEvent> {
  const { event: sent } = packedEvent;
  const { projectId, eventId } = sent;
  const duplicateSql = 'SELECT 1 AS there FROM events WHERE project_id = $1 AND event_id = $2';
  const duplicate = await tx.get(duplicateSql, [projectId, eventId]);
  if (duplicate !== undefined) return answerDuplicate(tx, sent);
  const named = await context.names.admit(tx, projectId, sent, sent.receivedAtMs, learned);
  const event = listedAs(sent, named, context.titles);
  const { id, isNew } = await findOrCreateIssue(tx, event, context.limits.newIssuesPerHourMax);
  const issue = await findIssue(tx, projectId, id);
  if (issue === null) throw new ChangedMeanwhile();
  const one = { event, issue, packedEvent, at: 0 };
  const { rows, heads } = await writeEvents(tx, context, [one], isNew);
  // Another transaction stored this event id meanwhile: roll back and try again.
  if (rows.size === 0) throw new ChangedMeanwhile();
  const isRegression = await moveState(tx, event, heads.get(issue.headId) as CountedIssue);
  for (const name of named.learned) learned.add(name);
  return { eventId, issueId: issue.headId, duplicate: false, isNew, isRegression };
}

/** The payload keeps its own names; lists and counters use a bounded number of names. */
function listedAs(
  event: NewEvent,
  { release, environment }: Pick<NewEvent, 'release' | 'environment'>,
  titles: FoldTitles,
): FiledEvent {
  return { ...event, release, environment, searchText: titles(event.title, event.culprit) };
}

async function insertSimple(
  tx: Transaction,
  context: InsertContext,
  simpleEvents: readonly SimpleEvent[],
  recorded: RecordedEvent[],
  isolateComplex: boolean,
): Promise<void> {
  if (simpleEvents.length === 0) return;
  // From here on in the order of row ids: of two events of one time the later row names the issue.
  const simple = isolateComplex ? simpleEvents.toSorted(byId) : simpleEvents;
  const { rows, heads } = await writeEvents(tx, context, simple);
  for (const { event, issue, at } of simple) {
    const { eventId } = event;
    const head = heads.get(issue.headId);
    // The state changed meanwhile: these events have to be handled one by one.
    if (head !== undefined && !keepsState(stateOf(head), event.receivedAtMs)) throw new ChangedMeanwhile();
    recorded[at] = rows.has(at)
      ? { eventId, issueId: issue.headId, duplicate: false, isNew: false, isRegression: false }
      : await firstOfId(tx, event);
  }
}

interface WrittenEvents {
  readonly rows: ReadonlyMap<number, number>;
  readonly heads: ReadonlyMap<number, CountedIssue>;
}

async function writeEvents(
  tx: Transaction,
  context: InsertContext,
  simple: readonly SimpleEvent[],
  isNew = false,
): Promise<WrittenEvents> {
  const { limits, caches, userKeys } = context;
  const rows = await insertRows(tx, simple);
  const stored = simple.filter(({ at }) => rows.has(at));
  await insertParts(tx, stored, rows);
  const written: Array<() => void> = [];
  const heads = await countEvents(tx, stored, limits.issuePlacesMax, caches, written, isNew);
  const events = stored.map(({ event }) => event);
  await insertUserKeys(tx, events, userKeys, written);
  // These rows are wanted by every batch: written last, so that they are locked for the shortest time.
  await recordReleases(tx, context, stored);
  await addOutcomeCounts(tx, outcomesOf(simple, rows));
  await countSdkEvents(
    tx,
    events.map((event) => ({ ...event, atMs: event.receivedAtMs })),
  );
  for (const remember of written) remember();
  return { rows, heads };
}

/** Two batches with the same duplicates cannot deadlock then. */
function byId({ event: left }: SimpleEvent, { event: right }: SimpleEvent): number {
  return compareKeys([left.projectId, left.eventId], [right.projectId, right.eventId], 2);
}

/** Answers row ids by index in the batch, without duplicates. */
async function insertRows(tx: Transaction, simple: readonly SimpleEvent[]) {
  const written = await tx.allMany<RowOf<typeof inserted>>(
    insertEventRow,
    simple.map(({ event, issue }) => events.valuesOf({ ...event, issueId: issue.id })),
  );
  const ids = new Map(written.map((row) => [`${row.projectId} ${row.eventId}`, row.id]));
  const rows = new Map<number, number>();
  for (const { event, at } of simple) {
    const key = `${event.projectId} ${event.eventId}`;
    const id = ids.get(key);
    if (id === undefined) continue;
    rows.set(at, id);
    // A second event with the same id is a duplicate.
    ids.delete(key);
  }
  return rows;
}

async function insertParts(
  tx: Transaction,
  stored: readonly SimpleEvent[],
  rows: ReadonlyMap<number, number>,
): Promise<void> {
  const rowOf = ({ at }: SimpleEvent): number => rows.get(at) as number;
  await tx.allMany(
    insertBodyRow,
    stored.map((each) => {
      const { projectId } = each.event;
      return bodies.valuesOf({ ...each.packedEvent.packed, projectId, eventRow: rowOf(each) });
    }),
  );
  for (const each of stored) {
    const { projectId, needsMapping, awaits = [] } = each.event;
    await insertAttachments(tx, projectId, rowOf(each), each.packedEvent.attachments);
    if (needsMapping) await insertPendingSymbolication(tx, projectId, rowOf(each), awaits);
  }
}

async function recordReleases(tx: Transaction, { names }: InsertContext, stored: readonly SimpleEvent[]) {
  const seenReleases = new Map<string, SeenRelease>();
  const firstMs = new Map<string, number>();
  for (const { event } of stored) {
    const { projectId, release: version, receivedAtMs: atMs } = event;
    if (version === null) continue;
    const key = `${projectId} ${version}`;
    const earliestMs = Math.min(seenReleases.get(key)?.earliestMs ?? atMs, atMs);
    seenReleases.set(key, { projectId, version, lastMs: atMs, earliestMs });
    if (!firstMs.has(key)) firstMs.set(key, atMs);
  }
  for (const seen of await touchReleases(tx, [...seenReleases.values()])) {
    const nowMs = firstMs.get(`${seen.projectId} ${seen.version}`) ?? seen.lastMs;
    await restoreSeenRelease(tx, names, seen, nowMs);
  }
}

/** The release was deleted while its name was cached. */
async function restoreSeenRelease(
  tx: Transaction,
  names: NameCache,
  seen: SeenRelease,
  nowMs: number,
): Promise<void> {
  if (seen.version === overLimitName) return;
  await names.restoreRelease(tx, seen.projectId, seen.version, nowMs);
  await touchReleases(tx, [seen]);
}

function outcomesOf(simple: readonly SimpleEvent[], rows: ReadonlyMap<number, number>): OutcomeCount[] {
  const sums = new Map<string, OutcomeCount>();
  for (const { event, at } of simple) {
    const { projectId, receivedAtMs: atMs, level } = event;
    const outcome = rows.has(at) ? 'accepted' : 'duplicate';
    const key = `${projectId} ${startOfHour(atMs)} ${outcome}`;
    const before = sums.get(key);
    const levels = before?.levels ?? {};
    sums.set(key, {
      projectId,
      atMs,
      outcome,
      reason: '',
      category: 'error',
      quantity: (before?.quantity ?? 0) + 1,
      levels: outcome === 'accepted' ? { ...levels, [level]: (levels[level] ?? 0) + 1 } : levels,
    });
  }
  return [...sums.values()];
}

async function answerDuplicate(tx: Query, event: NewEvent): Promise<RecordedEvent> {
  await addOutcome(tx, {
    projectId: event.projectId,
    atMs: event.receivedAtMs,
    outcome: 'duplicate',
    reason: '',
    category: 'error',
    quantity: 1,
  });
  return firstOfId(tx, event);
}

async function firstOfId(tx: Query, event: NewEvent): Promise<RecordedEvent> {
  const first = await tx.get<{ issue_id: number }>(
    `SELECT COALESCE(own.merged_into, own.id) AS issue_id FROM events JOIN issues own ON own.id = events.issue_id
     WHERE events.project_id = $1 AND events.event_id = $2`,
    [event.projectId, event.eventId],
  );
  if (first === undefined) throw new Error('The event was not found after the insert conflicted.');
  return {
    eventId: event.eventId,
    issueId: first.issue_id,
    duplicate: true,
    isNew: false,
    isRegression: false,
  };
}
