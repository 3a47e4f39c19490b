// Which issue an event belongs to: found by its hash, or made, or the overflow issue when a project makes too
// many.
import { firstIssueState } from '../../src/core/issues/life.ts';
import { hourOf } from '../../src/core/reading/spans.ts';
import type { NewEvent } from '../../src/core/store/events.ts';
import type { Query } from '../db.ts';
import { requireLiveProject } from '../projects/projects.ts';
import { addActivity } from './activity.ts';
import { claimHash, type FiledIssue, findByHash, findKin, type HashClaim } from './hashes.ts';
import { insertIssue } from './new-issue.ts';
import { stateWord } from './rows.ts';

/** Finds or makes the issue of an event. `newIssuesMax` is the cap of one hour (D-20). */
export async function fileIssue(tx: Query, event: NewEvent, newIssuesMax: number): Promise<FiledIssue> {
  const { projectId, grouping, olderHash } = event;
  const older = olderHash === undefined ? null : await findByHash(tx, projectId, olderHash);
  const known = await findByHash(tx, projectId, grouping.hash);
  // In an older project the older rule decides wherever it knows the event: no issue is split unasked.
  if (older !== null) {
    if (known === null) await attachHash(tx, event, claimOf(event), older);
    return older;
  }
  if (known !== null) return known;
  await requireLiveProject(tx, event.projectId);
  const claim = claimOf(event);
  return (
    (await joinKin(tx, event, claim)) ??
    ((await mayMakeIssue(tx, projectId, event.receivedAtMs, newIssuesMax))
      ? makeIssue(tx, event, claim)
      : overflowIssue(tx, event))
  );
}

/** Makes the issue, where nobody has made it since the event looked. */
async function makeIssue(tx: Query, event: NewEvent, claim: HashClaim): Promise<FiledIssue> {
  // Issues made in one hour wait for each other where they are counted: one of its kin may be there by now.
  const kin = await joinKin(tx, event, claim);
  if (kin !== null) return kin;
  const id = await insertIssue(tx, event, 0);
  if (await claimHash(tx, claim, id)) {
    await noteFirstSeen(tx, event, id);
    return { id, headId: id, isNew: true };
  }
  // Another event made the issue of this hash between our look and our write.
  await tx.run('DELETE FROM issues WHERE project_id = $1 AND id = $2', [event.projectId, id]);
  const winner = await findByHash(tx, event.projectId, event.grouping.hash);
  if (winner === null) throw new Error('A hash is taken and has no issue.');
  return winner;
}

/** The issue of events that knew less of the fault, or more (D-124): the hash leads to it from now on. */
async function joinKin(tx: Query, event: NewEvent, claim: HashClaim): Promise<FiledIssue | null> {
  const kin = await findKin(tx, claim);
  if (kin === null || (await attachHash(tx, event, claim, kin))) return kin;
  return findByHash(tx, claim.projectId, claim.grouping.hash);
}

/** The new hash joins the issue that was found otherwise, where it leads nowhere; answers whether it did. */
async function attachHash(tx: Query, event: NewEvent, claim: HashClaim, issue: FiledIssue): Promise<boolean> {
  if (!(await claimHash(tx, claim, issue.id))) return false;
  await addActivity(tx, {
    projectId: event.projectId,
    issueId: issue.id,
    kind: 'hash_added',
    actor: 'event',
    atMs: event.receivedAtMs,
    from: '',
    to: '',
    eventId: event.eventId,
    release: event.release,
    detail: { hash: event.grouping.hash, algorithm: event.grouping.algorithm },
  });
  return true;
}

function claimOf({ projectId, grouping, plainKey, receivedAtMs }: NewEvent): HashClaim {
  const plain = typeof plainKey === 'function' ? plainKey() : (plainKey ?? null);
  return { projectId, grouping: { ...grouping, plain }, atMs: receivedAtMs };
}

/** Counts one more new issue in the hour of `atMs`; false, and nothing counted, past the cap (D-20). */
export async function mayMakeIssue(
  tx: Query,
  projectId: number,
  atMs: number,
  newIssuesMax: number,
): Promise<boolean> {
  const counted = await tx.get(
    `INSERT INTO new_issue_hours (project_id, hour_ms, issues) VALUES ($1, $2, 1)
     ON CONFLICT (project_id, hour_ms) DO UPDATE SET issues = new_issue_hours.issues + 1
     WHERE new_issue_hours.issues < $3 RETURNING issues`,
    [projectId, hourOf(atMs), newIssuesMax],
  );
  return counted !== undefined;
}

/**
 * One issue a project for all that came past the cap. No hash leads to it: in the next hour each finds its
 * own issue.
 */
async function overflowIssue(tx: Query, event: NewEvent): Promise<FiledIssue> {
  const find = () =>
    tx.get<{ id: number; merged_into: number | null }>(
      'SELECT id, merged_into FROM issues WHERE project_id = $1 AND is_overflow = 1',
      [event.projectId],
    );
  const row = await find();
  if (row !== undefined) return { id: row.id, headId: row.merged_into ?? row.id, isNew: false };
  const id = await insertIssue(tx, event, 1);
  if (id !== null) {
    await noteFirstSeen(tx, event, id);
    return { id, headId: id, isNew: true };
  }
  const winner = await find();
  if (winner === undefined) throw new Error('The overflow issue is taken and not there.');
  return { id: winner.id, headId: winner.merged_into ?? winner.id, isNew: false };
}

async function noteFirstSeen(tx: Query, event: NewEvent, issueId: number): Promise<void> {
  await addActivity(tx, {
    projectId: event.projectId,
    issueId,
    kind: 'first_seen',
    actor: 'event',
    atMs: event.receivedAtMs,
    from: '',
    to: stateWord(firstIssueState(event.receivedAtMs)),
    eventId: event.eventId,
    release: event.release,
    detail: {},
  });
}
