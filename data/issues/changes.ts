import { stateAfterRequest } from '../../src/core/issues/state-transitions.ts';
import {
  findMostFrequentRelease,
  findNewestRelease,
  type ReleaseWithEvents,
} from '../../src/core/releases/compare-releases.ts';
import { parsePackageName } from '../../src/core/releases/version.ts';
import type { ActorAndTime, Assignee, Issue, IssueChange, IssueState } from '../../src/core/store/issues.ts';
import { overLimitName } from '../../src/core/store/projects.ts';
import type { Db, Query } from '../db.ts';
import { type FirstSeenRow, firstSeenMs, firstSeenOf, readCreated } from '../releases/first-seen.ts';
import { addActivity } from './activity.ts';
import { findIssue } from './reads.ts';
import { issues, ofIssue, stateWord, writeState } from './rows.ts';

/** Changes the head where the issue is merged: a merged issue has no state of its own. */
export function changeIssue(
  db: Db,
  projectId: number,
  issueId: number,
  change: IssueChange,
  action: ActorAndTime,
): Promise<Issue | null> {
  return db.write(async (tx) => {
    const issue = await lockHead(tx, projectId, issueId);
    if (issue === null) return null;
    const state = stateAfterRequest(change, {
      nowMs: action.nowMs,
      eventsCount: issue.eventsCount,
      usersCount: issue.usersCount,
      newestRelease: asksForNext(change) ? await readNewestRelease(tx, projectId, issue.id) : null,
    });
    if (isSameState(issue.state, state)) return issue;
    await putState(tx, projectId, issue, state, action);
    return { ...issue, state };
  });
}

export async function putAssignee(
  tx: Query,
  projectId: number,
  issueId: number,
  to: Assignee | null,
  action: ActorAndTime,
): Promise<void> {
  const memberId = to !== null && 'memberId' in to ? to.memberId : null;
  const teamId = to !== null && 'teamId' in to ? to.teamId : null;
  const assigned = { assignedTo: memberId, assignedTeam: teamId };
  await issues.update(tx, assigned, ofIssue(projectId, issueId));
  const detail = { member_id: memberId, ...(teamId !== null && { team_id: teamId }), name: to?.name ?? null };
  await addActivity(tx, { projectId, issueId, kind: 'assigned', detail }, action);
}

export async function putState(
  tx: Query,
  projectId: number,
  issue: Issue,
  state: IssueState,
  action: ActorAndTime,
): Promise<void> {
  await writeState(tx, projectId, issue.id, state);
  const { status: kind, resolution, ignore } = state;
  const release = resolution?.in === 'release' ? resolution.release : null;
  const activity = { projectId, issueId: issue.id, kind, release, detail: { ...resolution, ...ignore } };
  await addActivity(tx, { ...activity, from: stateWord(issue.state), to: stateWord(state) }, action);
}

/** Answers the head of an issue with its row locked, since events may be counting it. */
export async function lockHead(tx: Query, projectId: number, issueId: number): Promise<Issue | null> {
  const row = await tx.get<{ id: number; merged_into: number | null }>(
    'UPDATE issues SET regressions_count = regressions_count WHERE project_id = $1 AND id = $2 RETURNING id, merged_into',
    [projectId, issueId],
  );
  if (row === undefined) return null;
  if (row.merged_into !== null) return lockHead(tx, projectId, row.merged_into);
  return findIssue(tx, projectId, row.id);
}

function asksForNext(change: IssueChange): boolean {
  return change.status === 'resolved' && change.in === 'next_release';
}

/** Unresolved stays as it is, whatever its substatus. */
function isSameState(before: IssueState, after: IssueState): boolean {
  if (before.status !== after.status) return false;
  const details = (state: IssueState): string => JSON.stringify([state.resolution, state.ignore]);
  return details(before) === details(after);
}

// The base of "next release": docs/issues.md, "Resolving".

/** The newest registered release of the package that most events of the group carry; else the release that most
 * events carry. Null where there is neither. Reads all registered releases of the project: not for every event. */
async function readNewestRelease(tx: Query, projectId: number, issueId: number): Promise<string | null> {
  const carried = await readCarried(tx, projectId, issueId);
  const created = Map.groupBy(await readCreated(tx, projectId), ({ version }) => parsePackageName(version));
  const packages = carried.length === 0 ? [null] : packagesByEvents(carried);
  const trusted = packages.find((name) => findNewestRelease(created.get(name) ?? []) !== null);
  if (trusted === undefined) return findMostFrequentRelease(carried);
  return findNewestRelease(created.get(trusted) ?? []);
}

type SeenRelease = ReleaseWithEvents & { readonly lastSeenMs: number };

/** Most events first, of equals the one seen last. */
function packagesByEvents(carried: readonly SeenRelease[]): Array<string | null> {
  const packages = [...Map.groupBy(carried, ({ version }) => parsePackageName(version))].map(
    ([name, releases]) => ({
      name,
      events: releases.reduce((sum, each) => sum + each.events, 0),
      lastSeenMs: Math.max(...releases.map((each) => each.lastSeenMs)),
    }),
  );
  const isBefore = (one: (typeof packages)[number], other: (typeof packages)[number]): number =>
    other.events - one.events || other.lastSeenMs - one.lastSeenMs;
  return packages.sort(isBefore).map(({ name }) => name);
}

interface CarriedRow extends FirstSeenRow {
  readonly events: number;
  readonly has_place: number;
  readonly last_seen_ms: number;
}

// Where the group has no events, its last releases. A deleted release counts from when it was first seen here.
async function readCarried(tx: Query, projectId: number, issueId: number): Promise<SeenRelease[]> {
  const rows = await tx.all<CarriedRow>(
    `SELECT known.release AS version, COALESCE(MAX(seen.id), 0) AS id, SUM(known.events) AS events,
       COALESCE(MIN(${firstSeenMs('seen')}), MIN(known.first_seen_ms)) AS first_seen_ms,
       MAX(known.has_place) AS has_place, MAX(known.last_seen_ms) AS last_seen_ms
     FROM (SELECT place.release, place.first_seen_ms, place.last_seen_ms, place.events, 1 AS has_place
             FROM ${releaseRowsSql} AND place.release <> ''
           UNION ALL SELECT last_release, own_last_seen_ms, own_last_seen_ms, 0, 0 FROM issues
             WHERE id IN (${group}) AND last_release IS NOT NULL) AS known
       LEFT JOIN releases seen ON seen.project_id = $1 AND seen.version = known.release
     WHERE known.release <> $3
     GROUP BY known.release ORDER BY first_seen_ms, id, version`,
    [projectId, issueId, overLimitName],
  );
  const placed = rows.filter((row) => Number(row.has_place) === 1);
  return (placed.length > 0 ? placed : rows).map((row) => ({
    ...firstSeenOf(row),
    events: Number(row.events),
    lastSeenMs: Number(row.last_seen_ms),
  }));
}

const group = `SELECT id FROM issues WHERE project_id = $1 AND id = $2
  UNION ALL SELECT id FROM issues WHERE project_id = $1 AND merged_into = $2`;

// The index of issue_releases has only the names; with more columns SQLite would read the rows of the whole project.
const releaseRowsSql = `issues own CROSS JOIN issue_releases named CROSS JOIN issue_releases place
  WHERE own.id IN (${group}) AND named.project_id = $1 AND named.issue_id = own.id
    AND place.project_id = $1 AND place.release = named.release AND place.environment = named.environment
    AND place.issue_id = named.issue_id`;
