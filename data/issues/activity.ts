import type { SignalKind } from '../../src/core/store/alert-records.ts';
import type { Activity, ActivityKind, ActorAndTime } from '../../src/core/store/issues.ts';
import { signal } from '../alerts/signals.ts';
import type { Query } from '../db.ts';
import { endIncidentsOfIssue } from '../incidents/of-rules.ts';
import { activities } from './rows.ts';

interface NewActivity
  extends Pick<Activity, 'issueId' | 'kind'>,
    Partial<Pick<Activity, 'from' | 'to' | 'eventId' | 'release' | 'detail'>> {
  readonly projectId: number;
}

const signalKinds: Partial<Record<ActivityKind, SignalKind>> = {
  first_seen: 'issue.is_new',
  regressed: 'issue.came_back',
  unresolved: 'issue.reopened',
  resolved: 'issue.resolved',
};

export async function addActivity(tx: Query, given: NewActivity, action: ActorAndTime): Promise<void> {
  const { actor, nowMs: atMs } = action;
  const activity = { from: '', to: '', eventId: null, release: null, detail: {}, ...given, actor, atMs };
  await activities.insert(tx, activity);
  const { projectId, kind, issueId, eventId, release } = activity;
  const isClosed = kind === 'resolved' || kind === 'ignored';
  if (isClosed) await endIncidentsOfIssue(tx, issueId, { body: `Its issue is ${kind}.`, atMs });
  const signalKind = signalKinds[kind];
  if (signalKind === undefined) return;
  await signal(tx, { projectId, kind: signalKind, objectId: issueId, eventId, release, atMs });
}
