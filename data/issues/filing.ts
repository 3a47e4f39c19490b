// Which issue an event belongs to: found by its hash, or made, or the overflow issue when a project makes too
// many.

import { isScarce, shareOfAddress } from '../../src/core/fair-share.ts';
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
  const known = await findByHash(tx, event.projectId, event.grouping.hash);
  if (known !== null) return known;
  await requireLiveProject(tx, event.projectId);
  const claim = claimOf(event);
  return (await joinKin(tx, event, claim)) ?? (await inItsPlace(tx, event, claim, newIssuesMax));
}

/** An issue of its own, or the overflow issue: of its sender where that has used its share, else of all. */
async function inItsPlace(
  tx: Query,
  event: NewEvent,
  claim: HashClaim,
  newIssuesMax: number,
): Promise<FiledIssue> {
  const { projectId, receivedAtMs: atMs, sender = null } = event;
  const admission = await admitNewIssue(tx, { projectId, atMs, sender }, newIssuesMax);
  if (admission === 'admitted') return makeIssue(tx, event, claim);
  return overflowIssue(tx, event, admission === 'share used' ? (sender ?? '') : '');
}

/** Makes the issue, where nobody has made it since the event looked. */
async function makeIssue(tx: Query, event: NewEvent, claim: HashClaim): Promise<FiledIssue> {
  // Issues made in one hour wait for each other where they are counted: one of its kin may be there by now.
  const kin = await joinKin(tx, event, claim);
  if (kin !== null) return kin;
  const id = await insertIssue(tx, event);
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

interface NewIssue {
  readonly projectId: number;
  readonly atMs: number;
  /** Keyed hash of the address that it comes from; null for nobody’s. */
  readonly sender: string | null;
}

/**
 * Counts one more new issue in the hour of `atMs`, of the project and of its sender (D-20). Nothing is
 * counted past the cap, nor past the share of a sender once three quarters are used. Where there is no cap it
 * is counted all the same: who files two of one kin at once waits here for the other.
 */
export async function admitNewIssue(
  tx: Query,
  { projectId, atMs, sender }: NewIssue,
  newIssuesMax: number,
): Promise<'admitted' | 'cap reached' | 'share used'> {
  const hour = [projectId, hourOf(atMs)];
  const share = shareOfAddress(newIssuesMax);
  const counted = await tx.get<{ issues: number }>(
    `INSERT INTO new_issue_hours (project_id, hour_ms, issues) VALUES ($1, $2, 1)
     ON CONFLICT (project_id, hour_ms) DO UPDATE SET issues = new_issue_hours.issues + 1
     WHERE new_issue_hours.issues < $3 RETURNING issues`,
    [...hour, Math.min(newIssuesMax, Number.MAX_SAFE_INTEGER)],
  );
  const isShared = sender !== null && newIssuesMax !== Number.POSITIVE_INFINITY;
  if (!isShared) return counted === undefined ? 'cap reached' : 'admitted';
  if (counted === undefined) {
    const own = await tx.get<{ issues: number }>(
      'SELECT issues FROM new_issue_senders WHERE project_id = $1 AND hour_ms = $2 AND sender = $3',
      [...hour, sender],
    );
    return Number(own?.issues ?? 0) >= share ? 'share used' : 'cap reached';
  }
  const ownMax = isScarce(Number(counted.issues) - 1, newIssuesMax) ? share : newIssuesMax;
  const own = await tx.get(
    `INSERT INTO new_issue_senders (project_id, hour_ms, sender, issues) VALUES ($1, $2, $3, 1)
     ON CONFLICT (project_id, hour_ms, sender) DO UPDATE SET issues = new_issue_senders.issues + 1
     WHERE new_issue_senders.issues < $4 RETURNING issues`,
    [...hour, sender, ownMax],
  );
  if (own !== undefined) return 'admitted';
  await tx.run('UPDATE new_issue_hours SET issues = issues - 1 WHERE project_id = $1 AND hour_ms = $2', hour);
  return 'share used';
}

/**
 * One issue for all that came past the cap, and one for each sender that used its share: there are no more of
 * these in an hour than there are shares. No hash leads to them: in the next hour each event finds its own
 * issue.
 */
async function overflowIssue(tx: Query, event: NewEvent, sender: string): Promise<FiledIssue> {
  const find = () =>
    tx.get<{ id: number; merged_into: number | null }>(
      'SELECT id, merged_into FROM issues WHERE project_id = $1 AND overflow_of = $2 AND is_overflow = 1',
      [event.projectId, sender],
    );
  const row = await find();
  if (row !== undefined) return { id: row.id, headId: row.merged_into ?? row.id, isNew: false };
  const id = await insertIssue(tx, event, { overflowOf: sender });
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
