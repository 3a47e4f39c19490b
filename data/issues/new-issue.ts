import { createFirstState } from '../../src/core/issues/state-transitions.ts';
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import type { NewEvent } from '../../src/core/store/events.ts';
import type { Query } from '../db.ts';
import { issues } from './rows.ts';

const overflowTitle = 'Too many new issues: events of many kinds, filed together';
const overflowTitleOfSender = 'Too many new issues from one address: events of many kinds, filed together';

export type FirstEvent = Pick<
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
  const nothing = { regressionsCount: 0, eventsCount: 0, usersCount: 0, ownEventsCount: 0, ownUsersCount: 0 };
  const row = await issues.only('id').insertReturning(
    tx,
    {
      ...{ projectId, level, platform, grouping, ...nothing },
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
