import { addressShareOfQuota, isQuotaScarce } from '../../src/core/fair-share.ts';
import { createFirstState } from '../../src/core/issues/state-transitions.ts';
import { startOfHour } from '../../src/core/parsing/durations.ts';
import type { NewEvent } from '../../src/core/store/events.ts';
import type { Query } from '../db.ts';
import { requireLiveProject } from '../projects/projects.ts';
import { addActivity } from './activity.ts';
import { claimHash, findByHash, findBySecondaryHash, type HashClaim, type MatchedIssue } from './hashes.ts';
import { insertIssue } from './new-issue.ts';
import { stateWord } from './rows.ts';

/** `newIssuesMax`: new issues of the project in one hour. */
export async function findOrCreateIssue(
  tx: Query,
  event: NewEvent,
  newIssuesMax: number,
): Promise<MatchedIssue> {
  const known = await findByHash(tx, event.projectId, event.grouping.hash);
  if (known !== null) return known;
  await requireLiveProject(tx, event.projectId);
  const claim = claimOf(event);
  return (
    (await joinSecondaryHash(tx, event, claim)) ?? (await createOrOverflow(tx, event, claim, newIssuesMax))
  );
}

/** A new issue, or the overflow issue of its sender (whose share is used up) or of all. */
async function createOrOverflow(tx: Query, event: NewEvent, claim: HashClaim, newIssuesMax: number) {
  const { projectId, receivedAtMs: atMs, sender = null } = event;
  const admission = await admitNewIssue(tx, { projectId, atMs, sender }, newIssuesMax);
  if (admission === 'admitted') return makeIssue(tx, event, claim);
  return overflowIssue(tx, event, admission === 'share used' ? (sender ?? '') : '');
}

async function makeIssue(tx: Query, event: NewEvent, claim: HashClaim): Promise<MatchedIssue> {
  // New issues of one hour wait for each other at the counter: one with the same secondary hash may exist by now.
  const joinedId = await joinSecondaryHash(tx, event, claim);
  if (joinedId !== null) return joinedId;
  const id = await insertIssue(tx, event);
  if (await claimHash(tx, claim, id)) {
    await recordFirstSeen(tx, event, id);
    return { id, headId: id, isNew: true };
  }
  // Another event made the issue of this hash meanwhile.
  await tx.run('DELETE FROM issues WHERE project_id = $1 AND id = $2', [event.projectId, id]);
  const winner = await findByHash(tx, event.projectId, event.grouping.hash);
  if (winner === null) throw new Error('The issue of this hash was not found after the insert conflicted.');
  return winner;
}

async function joinSecondaryHash(tx: Query, event: NewEvent, claim: HashClaim): Promise<MatchedIssue | null> {
  const joinedId = await findBySecondaryHash(tx, claim);
  if (joinedId === null || (await attachHash(tx, event, claim, joinedId))) return joinedId;
  return findByHash(tx, claim.projectId, claim.grouping.hash);
}

async function attachHash(tx: Query, event: NewEvent, claim: HashClaim, issue: MatchedIssue) {
  if (!(await claimHash(tx, claim, issue.id))) return false;
  const { projectId, eventId, release, receivedAtMs: nowMs } = event;
  const detail = { hash: event.grouping.hash, algorithm: event.grouping.algorithm };
  const activity = { projectId, issueId: issue.id, kind: 'hash_added', eventId, release, detail } as const;
  await addActivity(tx, activity, { actor: 'event', nowMs });
  return true;
}

function claimOf({ projectId, grouping, secondaryHash, receivedAtMs }: NewEvent): HashClaim {
  const secondary = typeof secondaryHash === 'function' ? secondaryHash() : (secondaryHash ?? null);
  return { projectId, grouping: { ...grouping, secondary }, atMs: receivedAtMs };
}

interface NewIssue {
  readonly projectId: number;
  readonly atMs: number;
  /** Keyed hash of its address; null where it has none. */
  readonly sender: string | null;
}

/** Counts a new issue of the hour, for the project and its sender, up to the limit, and to the sender's share once
 * three quarters are used. Two events with the same secondary hash wait for each other here. */
export async function admitNewIssue(
  tx: Query,
  { projectId, atMs, sender }: NewIssue,
  newIssuesMax: number,
): Promise<'admitted' | 'cap reached' | 'share used'> {
  const hour = [projectId, startOfHour(atMs)];
  const share = addressShareOfQuota(newIssuesMax);
  const counted = await tx.get<{ issues: number }>(
    `INSERT INTO new_issue_hours (project_id, hour_ms, issues) VALUES ($1, $2, 1)
     ON CONFLICT (project_id, hour_ms) DO UPDATE SET issues = new_issue_hours.issues + 1
     WHERE new_issue_hours.issues < $3 RETURNING issues`,
    [...hour, Math.min(newIssuesMax, Number.MAX_SAFE_INTEGER)],
  );
  const isShared = sender !== null && newIssuesMax !== Number.POSITIVE_INFINITY;
  if (!isShared) return counted === undefined ? 'cap reached' : 'admitted';
  if (counted === undefined) {
    const senderRow = await tx.get<{ issues: number }>(
      'SELECT issues FROM new_issue_senders WHERE project_id = $1 AND hour_ms = $2 AND sender = $3',
      [...hour, sender],
    );
    return Number(senderRow?.issues ?? 0) >= share ? 'share used' : 'cap reached';
  }
  const senderMax = isQuotaScarce(Number(counted.issues) - 1, newIssuesMax) ? share : newIssuesMax;
  const senderRow = await tx.get(
    `INSERT INTO new_issue_senders (project_id, hour_ms, sender, issues) VALUES ($1, $2, $3, 1)
     ON CONFLICT (project_id, hour_ms, sender) DO UPDATE SET issues = new_issue_senders.issues + 1
     WHERE new_issue_senders.issues < $4 RETURNING issues`,
    [...hour, sender, senderMax],
  );
  if (senderRow !== undefined) return 'admitted';
  await tx.run('UPDATE new_issue_hours SET issues = issues - 1 WHERE project_id = $1 AND hour_ms = $2', hour);
  return 'share used';
}

// No hash leads to these issues, so that in the next hour each event gets its own issue.
async function overflowIssue(tx: Query, event: NewEvent, sender: string): Promise<MatchedIssue> {
  const find = () =>
    tx.get<{ id: number; merged_into: number | null }>(
      'SELECT id, merged_into FROM issues WHERE project_id = $1 AND overflow_of = $2 AND is_overflow = 1',
      [event.projectId, sender],
    );
  const row = await find();
  if (row !== undefined) return { id: row.id, headId: row.merged_into ?? row.id, isNew: false };
  const id = await insertIssue(tx, event, { overflowOf: sender });
  if (id !== null) {
    await recordFirstSeen(tx, event, id);
    return { id, headId: id, isNew: true };
  }
  const winner = await find();
  if (winner === undefined) throw new Error('The overflow issue was not found after the insert conflicted.');
  return { id: winner.id, headId: winner.merged_into ?? winner.id, isNew: false };
}

async function recordFirstSeen(tx: Query, event: NewEvent, issueId: number): Promise<void> {
  const { projectId, eventId, release, receivedAtMs: nowMs } = event;
  const to = stateWord(createFirstState(nowMs));
  const activity = { projectId, issueId, kind: 'first_seen', to, eventId, release } as const;
  await addActivity(tx, activity, { actor: 'event', nowMs });
}
