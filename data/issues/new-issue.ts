import { createFirstState } from '../../src/core/issues/state-transitions.ts';
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import type { Grouping, NewEvent } from '../../src/core/store/events.ts';
import type { ActorAndTime } from '../../src/core/store/issues.ts';
import type { Query } from '../db.ts';
import { addActivity } from './activity.ts';
import { claimHash } from './hashes.ts';
import { issues, ofIssue, stateOf, states, stateWord } from './rows.ts';

const overflowTitle = 'Too many new issues: events of many kinds, filed together';
const overflowTitleOfSender = 'Too many new issues from one address: events of many kinds, filed together';

type FirstEvent = Pick<
  NewEvent,
  'projectId' | 'receivedAtMs' | 'title' | 'culprit' | 'level' | 'platform' | 'release' | 'grouping'
>;

/** Empty for the overflow issue of all, else a sender. */
interface Overflow {
  readonly overflowOf: string;
}

/** Without events; null where this overflow issue exists. */
export async function insertIssue(tx: Query, event: FirstEvent): Promise<number>;
export async function insertIssue(tx: Query, event: FirstEvent, overflow: Overflow): Promise<number | null>;
export async function insertIssue(
  tx: Query,
  event: FirstEvent,
  overflow: Overflow | null = null,
): Promise<number | null> {
  const state = createFirstState(event.receivedAtMs);
  const { algorithm } = event.grouping;
  const grouping =
    overflow === null
      ? event.grouping
      : { algorithm, source: 'overflow', parts: [], notes: ['over the cap on new issues'], hash: '' };
  const { projectId, level, platform, receivedAtMs: atMs, release } = event;
  const zeroCounts = {
    regressionsCount: 0,
    eventsCount: 0,
    usersCount: 0,
    ownEventsCount: 0,
    ownUsersCount: 0,
  };
  const row = await issues.only('id').insertReturning(
    tx,
    {
      ...{ projectId, level, platform, grouping, ...zeroCounts },
      isOverflow: overflow !== null,
      title: overflow === null ? event.title : titleOf(overflow),
      culprit: overflow === null ? event.culprit : '',
      status: state.status,
      substatus: state.substatus,
      stateChangedAtMs: atMs,
      firstSeenMs: atMs,
      lastSeenMs: atMs,
      ownFirstSeenMs: atMs,
      ownLastSeenMs: atMs,
      firstRelease: release,
      lastRelease: release,
      searchText: overflow === null ? foldSearchTexts([event.title, event.culprit]) : null,
      overflowOf: overflow?.overflowOf ?? '',
    },
    { onConflict: 'DO NOTHING' },
  );
  return row?.id ?? null;
}

function titleOf({ overflowOf }: Overflow): string {
  return overflowOf === '' ? overflowTitle : overflowTitleOfSender;
}

// A new issue from events of another one takes over its state; move-events.ts moves the events.

interface FirstRow {
  readonly received_at_ms: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: 'fatal' | 'error' | 'warning' | 'info' | 'debug';
  readonly platform: string;
  readonly release: string | null;
  readonly event_id: string;
}

/** Makes the issue and points the hash at it; `eventRow` is its oldest event. Null when that is gone. */
export async function splitIssue(
  tx: Query,
  split: {
    readonly projectId: number;
    readonly fromId: number;
    readonly eventRow: number;
    readonly grouping: Grouping;
    readonly events: number;
  },
  action: ActorAndTime,
): Promise<number | null> {
  const { projectId, fromId, eventRow, grouping, events } = split;
  const event = await tx.get<FirstRow>(
    `SELECT received_at_ms, title, culprit, level, platform, release, event_id FROM events
     WHERE id = $2 AND project_id = $1`,
    [projectId, eventRow],
  );
  if (event === undefined) return null;
  const { received_at_ms: receivedAtMs, title, culprit, level, platform, release } = event;
  const first = { projectId, receivedAtMs, title, culprit, level, platform, release, grouping };
  const id = await insertIssue(tx, first);
  await moveHash(tx, { projectId, grouping, atMs: action.nowMs }, id);
  const state = await copyState(tx, projectId, fromId, id);
  const activity = {
    projectId,
    kind: 'split',
    from: state,
    to: state,
    eventId: event.event_id,
    release,
  } as const;
  await addActivity(tx, { ...activity, issueId: id, detail: { from: fromId, events } }, action);
  await addActivity(tx, { ...activity, issueId: fromId, detail: { into: id, events } }, action);
  return id;
}

async function moveHash(tx: Query, claim: Parameters<typeof claimHash>[1], issueId: number): Promise<void> {
  if (await claimHash(tx, claim, issueId)) return;
  await tx.run('UPDATE issue_hashes SET issue_id = $3 WHERE project_id = $1 AND hash = $2', [
    claim.projectId,
    claim.grouping.hash,
    issueId,
  ]);
}

/** Counters of ignoring start anew. */
async function copyState(tx: Query, projectId: number, fromId: number, toId: number): Promise<string> {
  const row = await states.find(
    tx,
    `WHERE project_id = $1 AND id =
       (SELECT COALESCE(merged_into, id) FROM issues WHERE project_id = $1 AND id = $2)`,
    [projectId, fromId],
  );
  if (row === null) throw new Error('The issue to split was not found.');
  const resetCounts = {
    ignoredEventsBefore: row.ignoredEventsBefore === null ? null : 0,
    ignoredUsersBefore: row.ignoredUsersBefore === null ? null : 0,
  };
  await issues.update(tx, { ...row, ...resetCounts }, ofIssue(projectId, toId));
  return stateWord(stateOf(row));
}
