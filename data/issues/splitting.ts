// A new issue made of events of another one: it takes over the other's state, because what people said of the
// whole they said of its parts. The events themselves follow by moving.ts.

import type { Grouping } from '../../src/core/store/events.ts';
import type { Act } from '../../src/core/store/issues.ts';
import type { Query } from '../db.ts';
import { addActivity } from './activity.ts';
import { claimHash } from './hashes.ts';
import { insertIssue } from './new-issue.ts';
import { issues, stateOf, states, stateWord } from './rows.ts';

interface FirstRow {
  readonly received_at_ms: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: 'fatal' | 'error' | 'warning' | 'info' | 'debug';
  readonly platform: string;
  readonly release: string | null;
  readonly event_id: string;
}

/**
 * Makes the issue that events of `fromId` with this grouping are about to move to, the oldest of them
 * `eventRow`, and lets the hash lead to it, wherever it led before. Null when the event is gone.
 */
export async function splitIssue(
  tx: Query,
  split: {
    readonly projectId: number;
    readonly fromId: number;
    readonly eventRow: number;
    readonly grouping: Grouping;
    /** How many events are about to move. */
    readonly events: number;
  },
  act: Act,
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
  await takeHash(tx, { projectId, grouping, atMs: act.nowMs }, id);
  const state = await takeState(tx, projectId, fromId, id);
  const about = {
    projectId,
    actor: act.actor,
    atMs: act.nowMs,
    from: state,
    to: state,
    eventId: event.event_id,
    release,
  };
  await addActivity(tx, { ...about, issueId: id, kind: 'split', detail: { from: fromId, events } });
  await addActivity(tx, { ...about, issueId: fromId, kind: 'split', detail: { into: id, events } });
  return id;
}

async function takeHash(tx: Query, claim: Parameters<typeof claimHash>[1], issueId: number): Promise<void> {
  if (await claimHash(tx, claim, issueId)) return;
  await tx.run('UPDATE issue_hashes SET issue_id = $3 WHERE project_id = $1 AND hash = $2', [
    claim.projectId,
    claim.grouping.hash,
    issueId,
  ]);
}

/** The state of the issue that stands for `fromId`; what it waits for is counted from here on. */
async function takeState(tx: Query, projectId: number, fromId: number, toId: number): Promise<string> {
  const row = await states.find(
    tx,
    `WHERE project_id = $1 AND id =
       (SELECT COALESCE(merged_into, id) FROM issues WHERE project_id = $1 AND id = $2)`,
    [projectId, fromId],
  );
  if (row === null) throw new Error('An issue that is split is not there.');
  const anew = {
    ignoredEventsBefore: row.ignoredEventsBefore === null ? null : 0,
    ignoredUsersBefore: row.ignoredUsersBefore === null ? null : 0,
  };
  const to = { where: 'project_id = $1 AND id = $2', values: [projectId, toId] };
  await issues.update(tx, { ...row, ...anew }, to);
  return stateWord(stateOf(row));
}
