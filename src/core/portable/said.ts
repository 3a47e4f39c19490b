// Imports what people did with issues. An issue is identified by one of its events; its id differs here.
import {
  type ExportedIssue,
  exportedAssignment,
  exportedComment,
  exportedIssue,
  exportedMerge,
} from '../../../schemas/portable.ts';
import type { Deps } from '../deps.ts';
import { parseEventId } from '../ids.ts';
import { findMemberNamed } from '../members/members.ts';
import { withoutNul } from '../reading/lenient.ts';
import { type EpochMs, momentText } from '../reading/moments.ts';
import { scrubVersion } from '../scrub/record.ts';
import type { Issue, IssueState } from '../store/issues.ts';
import type { Project } from '../store/projects.ts';
import { BadLine, type Line, momentOf, requestOf } from './lines.ts';

type Taken = 'new' | 'there' | 'left';

const done: ReadonlySet<string> = new Set(['resolved', 'ignored', 'unresolved']);

/** The state, with who set it and when. `left` if none of its events is here. */
export async function takeIssue({ store }: Deps, project: Project, data: Line['data']): Promise<Taken> {
  const issue = requestOf(exportedIssue, data);
  const issueId = await issueOf(store, project, issue.event_id ?? null);
  if (issueId === null) return 'left';
  // The newest activity that set the state, by a person or by a regression.
  const act = issue.activity.find(({ kind }) => done.has(kind) || kind === 'regressed');
  const atMs = momentOf(act?.at ?? issue.last_seen);
  const state = stateOf(issue, project, atMs);
  const taken = await store.takeOverState(project.id, issueId, state, {
    actor: withoutNul(act?.actor ?? 'import'),
    nowMs: atMs,
  });
  return taken ? 'new' : 'there';
}

/** Skipped if somebody here undid it. */
export async function takeMerge({ store }: Deps, project: Project, data: Line['data']): Promise<Taken> {
  const { event_id: eventId, events, actor, at } = requestOf(exportedMerge, data);
  const into = await issueOf(store, project, eventId);
  if (into === null) return 'left';
  const known = new Set((await store.listMerges(project.id, into)).flatMap(({ issueIds }) => issueIds));
  const others = new Set<number>();
  for (const event of events) {
    const issueId = await issueOf(store, project, event);
    if (issueId !== null && issueId !== into && !known.has(issueId)) others.add(issueId);
  }
  if (others.size === 0) return 'there';
  const act = { actor: withoutNul(actor), nowMs: momentOf(at) };
  return (await store.mergeIssues(project.id, into, [...others], act)) === null ? 'there' : 'new';
}

/** Null if unassigned or the member is gone. */
export async function exportedAssignee({ store }: Deps, issue: Issue): Promise<object | null> {
  if (issue.assignedTo === null) return null;
  const member = await store.findMember(issue.assignedTo);
  if (member === null) return null;
  const act = await store.lastActivity(issue.projectId, issue.id, ['assigned']);
  return {
    to: member.name,
    actor: act?.actor ?? 'import',
    at: momentText(act?.atMs ?? issue.lastSeenMs),
  };
}

/** Members are not imported; without one of that name the assignment is left out. */
export async function takeAssignment(deps: Deps, project: Project, data: Line['data']): Promise<Taken> {
  const { event_id: eventId, to, actor, at } = requestOf(exportedAssignment, data);
  const issueId = await issueOf(deps.store, project, eventId);
  const member = issueId === null ? null : await findMemberNamed(deps, withoutNul(to));
  if (issueId === null || member === null) return 'left';
  const act = { actor: withoutNul(actor), nowMs: momentOf(at) };
  const assignee = { memberId: member.id, name: member.name };
  return (await deps.store.takeOverAssignee(project.id, issueId, assignee, act)) ? 'new' : 'there';
}

export async function takeComment({ store }: Deps, project: Project, data: Line['data']): Promise<Taken> {
  const { event_id: eventId, author, at, body } = requestOf(exportedComment, data);
  const issueId = await issueOf(store, project, eventId);
  if (issueId === null) return 'left';
  const words = { author: withoutNul(author), body: withoutNul(body) };
  const comment = { issueId, atMs: momentOf(at), ...words };
  return (await store.takeOverComment(project.id, comment)) ? 'new' : 'there';
}

async function issueOf(
  store: Deps['store'],
  project: Project,
  eventId: string | null,
): Promise<number | null> {
  if (eventId === null) return null;
  const id = parseEventId(eventId);
  if (id === null) throw new BadLine('has an invalid event_id');
  return (await store.findEvent(project.id, id))?.issueId ?? null;
}

function stateOf(issue: ExportedIssue, project: Project, changedAtMs: EpochMs): IssueState {
  const none = { substatus: null, resolution: null, ignore: null, changedAtMs };
  if (issue.status === 'unresolved') return { ...none, status: 'unresolved', substatus: issue.substatus };
  if (issue.status === 'resolved') {
    return { ...none, status: 'resolved', resolution: resolutionOf(issue.resolution, project) };
  }
  return { ...none, status: 'ignored', ignore: ignoreOf(issue.ignore) };
}

function resolutionOf(
  resolution: (ExportedIssue & { status: 'resolved' })['resolution'],
  project: Project,
): IssueState['resolution'] {
  if (resolution.in === 'release') {
    return { ...resolution, release: scrubVersion(resolution.release, project) };
  }
  if (resolution.in === 'now' || resolution.after === null) return resolution;
  return { ...resolution, after: scrubVersion(resolution.after, project) };
}

function ignoreOf(ignore: (ExportedIssue & { status: 'ignored' })['ignore']): IssueState['ignore'] {
  switch (ignore.until) {
    case 'date':
      return { until: 'date', atMs: momentOf(ignore.date) };
    case 'count': {
      const { until, count, window: seconds, events_before: eventsBefore } = ignore;
      return { until, count, windowMs: seconds === null ? null : Math.round(seconds * 1000), eventsBefore };
    }
    case 'users':
      return { until: ignore.until, users: ignore.users, usersBefore: ignore.users_before };
    default:
      return ignore;
  }
}
