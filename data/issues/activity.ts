// What happened to an issue, in the order it happened: rows are added and never changed.

import type { SignalKind } from '../../src/core/store/alerting.ts';
import type { ActivityKind } from '../../src/core/store/issues.ts';
import { signal } from '../alerts/signals.ts';
import type { Query } from '../db.ts';
import { followSeenTo } from '../incidents/of-rules.ts';
import { activities } from './rows.ts';

export interface NewActivity {
  readonly projectId: number;
  readonly issueId: number;
  readonly kind: ActivityKind;
  /** Who did it: `event` for what an event brought about, else the words the caller gave. */
  readonly actor: string;
  readonly atMs: number;
  readonly from: string;
  readonly to: string;
  readonly eventId: string | null;
  readonly release: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What rules of alerts may ask for. */
const toldKinds: Partial<Record<ActivityKind, SignalKind>> = {
  first_seen: 'issue.is_new',
  regressed: 'issue.came_back',
  unresolved: 'issue.reopened',
};

/** Adds a line to an issue's history, in the transaction of what it tells of. */
export async function addActivity(tx: Query, activity: NewActivity): Promise<void> {
  await activities.insert(tx, activity);
  const { projectId, kind, issueId, eventId, release, atMs } = activity;
  // What was seen to is nothing that rules still find.
  const seenTo = kind === 'resolved' || kind === 'ignored';
  if (seenTo) await followSeenTo(tx, issueId, { body: `Its issue is ${kind}.`, atMs });
  const told = toldKinds[kind];
  if (told === undefined) return;
  await signal(tx, { projectId, kind: told, objectId: issueId, eventId, release, atMs });
}
