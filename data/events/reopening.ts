// Events that are moved to a resolved issue reopen it when they were received after it was resolved.

import { stateAfterEvent } from '../../src/core/issues/state-transitions.ts';
import type { ActorAndTime } from '../../src/core/store/issues.ts';
import type { Query } from '../db.ts';
import { addActivity } from '../issues/activity.ts';
import { stateOf, states, stateWord, writeState } from '../issues/rows.ts';
import { orderFor } from './issue-state.ts';

interface NewestEvent {
  readonly received_at_ms: number;
  readonly release: string | null;
  readonly event_id: string;
}

const newestMax = 20;

/** Checks the newest events of `issueId`, and reopens `headId` where one of them does. */
export async function reopenFor(
  tx: Query,
  { projectId, headId, issueId }: { projectId: number; headId: number; issueId: number },
  action: ActorAndTime,
): Promise<void> {
  const head = await states.find(tx, `WHERE project_id = $1 AND id = $2 AND status = 'resolved'`, [
    projectId,
    headId,
  ]);
  if (head === null) return;
  const newest = await tx.all<NewestEvent>(
    `SELECT received_at_ms, release, event_id FROM events
     WHERE project_id = $1 AND issue_id = $2 AND received_at_ms > $3
     ORDER BY received_at_ms DESC, id DESC LIMIT $4`,
    [projectId, issueId, head.stateChangedAtMs, newestMax],
  );
  const before = stateOf(head);
  for (const event of newest) {
    const { received_at_ms: receivedAtMs, release } = event;
    const facts = { receivedAtMs, release, eventsCount: 0, usersCount: 0, eventsInWindow: 0 };
    const change = stateAfterEvent(before, facts, await orderFor(tx, { projectId, release }, head));
    if (change === null) continue;
    await writeState(tx, projectId, headId, change.state);
    const activity = { projectId, issueId: headId, kind: change.kind, eventId: event.event_id, release };
    const moved = { from: stateWord(before), to: stateWord(change.state) };
    return addActivity(tx, { ...activity, ...moved }, action);
  }
}
