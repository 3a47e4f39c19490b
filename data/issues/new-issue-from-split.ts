// A new issue from events of another one takes over its state; move-events.ts moves the events.

import type { Grouping } from '../../src/core/store/events.ts';
import type { ActorAndTime } from '../../src/core/store/issues.ts';
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
  act: ActorAndTime,
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

/** Counters of ignoring start anew. */
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
