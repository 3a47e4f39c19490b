import { stateAfterEvent } from '../../src/core/issues/state-transitions.ts';
import {
  compareReleases,
  createFirstSeenOrder,
  type ReleaseOrder,
} from '../../src/core/releases/compare-releases.ts';
import type { NewEvent } from '../../src/core/store/events.ts';
import type { Query } from '../db.ts';
import { addActivity } from '../issues/activity.ts';
import type { CountedIssue } from '../issues/counters/issue-rows.ts';
import { groupOf } from '../issues/group.ts';
import { type StateRow, stateOf, stateWord, writeState } from '../issues/rows.ts';
import { readFirstSeen } from '../releases/first-seen.ts';

/** Answers whether a resolved issue regressed. */
export async function moveState(tx: Query, event: NewEvent, counted: CountedIssue): Promise<boolean> {
  const before = stateOf(counted);
  const facts = {
    receivedAtMs: event.receivedAtMs,
    release: event.release,
    eventsCount: counted.events_count,
    usersCount: counted.users_count,
    eventsInWindow: await eventsInWindow(tx, event, counted),
  };
  const change = stateAfterEvent(before, facts, await orderFor(tx, event, counted));
  if (change === null) return false;
  const { projectId, eventId, release, receivedAtMs: nowMs } = event;
  await writeState(tx, projectId, counted.id, change.state);
  const activity = { projectId, issueId: counted.id, kind: change.kind, eventId, release };
  const moved = { from: stateWord(before), to: stateWord(change.state) };
  await addActivity(tx, { ...activity, ...moved }, { actor: 'event', nowMs });
  return change.kind === 'regressed';
}

// Needed only for issues ignored until a number of events in a window; counts no further than that number.
async function eventsInWindow(tx: Query, event: NewEvent, counted: CountedIssue): Promise<number> {
  const { ignoredAmount: threshold, ignoredWindowMs: windowMs } = counted;
  if (threshold === null || windowMs === null) return 0;
  // Fewer events came in total than the window needs.
  if (counted.events_count - (counted.ignoredEventsBefore ?? 0) < threshold) return 0;
  const since = Math.max(event.receivedAtMs - windowMs, counted.stateChangedAtMs);
  const row = await tx.get<{ events: number }>(
    `SELECT COUNT(*) AS events FROM (
       SELECT 1 FROM events WHERE project_id = $1 AND received_at_ms >= $3 AND issue_id IN
         (${groupOf('$1', '$2')}) LIMIT $4) AS recent`,
    [event.projectId, counted.id, since, threshold],
  );
  return row?.events ?? 0;
}

/** Releases are read only where the resolution names one and their texts do not tell which is later. The base of
 * "next release" existed when the issue was resolved; the release it was resolved in may come later. */
export async function orderFor(
  tx: Query,
  event: Pick<NewEvent, 'projectId' | 'release'>,
  counted: StateRow,
): Promise<ReleaseOrder> {
  const { resolvedIn, resolvedRelease: resolved } = counted;
  if (event.release === null || resolvedIn === null || resolvedIn === 'now') return () => 'unknown';
  const byText = compareReleases(event.release, resolved);
  if (byText !== null) return () => byText;
  const releases = await readFirstSeen(tx, event.projectId, [event.release, resolved ?? event.release]);
  return createFirstSeenOrder(releases, resolvedIn === 'release' ? Infinity : counted.stateChangedAtMs);
}
