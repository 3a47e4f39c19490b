// Imports what people did with issues. An issue is identified by one of its events; its id differs here.
import {
  type ExportedIssue,
  exportedAssignment,
  exportedComment,
  exportedIssue,
  exportedMerge,
} from '../../../schemas/exports.ts';
import type { Deps } from '../deps.ts';
import { parseEventId } from '../ids.ts';
import { findMemberByName } from '../members/members.ts';
import { type EpochMs, formatTime } from '../parsing/timestamps.ts';
import { removeNul } from '../parsing/unknown-values.ts';
import { scrubVersion } from '../scrub/record.ts';
import type { Issue, IssueState } from '../store/issues.ts';
import type { Project } from '../store/projects.ts';
import { InvalidLineError, type LineImporter, parseLineData, parseLineTime } from './lines.ts';

const done: ReadonlySet<string> = new Set(['resolved', 'ignored', 'unresolved']);

/** The state, with who set it and when. `left` if none of its events is here. */
export const importIssueState: LineImporter = async ({ store }, project, data) => {
  const issue = parseLineData(exportedIssue, data);
  const issueId = await issueOf(store, project, issue.event_id ?? null);
  if (issueId === null) return 'left';
  // The newest activity that set the state, by a person or by a regression.
  const activity = issue.activity.find(({ kind }) => done.has(kind) || kind === 'regressed');
  const atMs = parseLineTime(activity?.at ?? issue.last_seen);
  const state = stateOf(issue, project, atMs);
  const isImported = await store.importIssueStateRecord(project.id, issueId, state, {
    actor: removeNul(activity?.actor ?? 'import'),
    nowMs: atMs,
  });
  return isImported ? 'new' : 'there';
};

/** Skipped if somebody here undid it. */
export const importMerge: LineImporter = async ({ store }, project, data) => {
  const { event_id: eventId, events, actor, at } = parseLineData(exportedMerge, data);
  const into = await issueOf(store, project, eventId);
  if (into === null) return 'left';
  const known = new Set((await store.listMerges(project.id, into)).flatMap(({ issueIds }) => issueIds));
  const others = new Set<number>();
  for (const event of events) {
    const issueId = await issueOf(store, project, event);
    if (issueId !== null && issueId !== into && !known.has(issueId)) others.add(issueId);
  }
  if (others.size === 0) return 'there';
  const action = { actor: removeNul(actor), nowMs: parseLineTime(at) };
  return (await store.mergeIssues(project.id, into, [...others], action)) === null ? 'there' : 'new';
};

export async function exportAssignee({ store }: Deps, issue: Issue): Promise<object | null> {
  if (issue.assignedTo === null) return null;
  const member = await store.findMember(issue.assignedTo);
  if (member === null) return null;
  const activity = await store.lastActivity(issue.projectId, issue.id, ['assigned']);
  return {
    to: member.name,
    actor: activity?.actor ?? 'import',
    at: formatTime(activity?.atMs ?? issue.lastSeenMs),
  };
}

/** Members are not imported; without one of that name the assignment is left out. */
export const importAssignment: LineImporter = async (deps, project, data) => {
  const { event_id: eventId, to, actor, at } = parseLineData(exportedAssignment, data);
  const issueId = await issueOf(deps.store, project, eventId);
  const member = issueId === null ? null : await findMemberByName(deps, removeNul(to));
  if (issueId === null || member === null) return 'left';
  const action = { actor: removeNul(actor), nowMs: parseLineTime(at) };
  const assignee = { memberId: member.id, name: member.name };
  return (await deps.store.importAssignee(project.id, issueId, assignee, action)) ? 'new' : 'there';
};

export const importComment: LineImporter = async ({ store }, project, data) => {
  const { event_id: eventId, author, at, body } = parseLineData(exportedComment, data);
  const issueId = await issueOf(store, project, eventId);
  if (issueId === null) return 'left';
  const words = { author: removeNul(author), body: removeNul(body) };
  const comment = { issueId, atMs: parseLineTime(at), ...words };
  return (await store.importCommentRecord(project.id, comment)) ? 'new' : 'there';
};

async function issueOf(store: Deps['store'], project: Project, eventId: string | null) {
  if (eventId === null) return null;
  const id = parseEventId(eventId);
  if (id === null) throw new InvalidLineError('has an invalid event_id');
  return (await store.findEvent(project.id, id))?.issueId ?? null;
}

function stateOf(issue: ExportedIssue, project: Project, changedAtMs: EpochMs): IssueState {
  const base = { substatus: null, resolution: null, ignore: null, changedAtMs };
  if (issue.status === 'unresolved') return { ...base, status: 'unresolved', substatus: issue.substatus };
  if (issue.status === 'resolved') {
    return { ...base, status: 'resolved', resolution: resolutionOf(issue.resolution, project) };
  }
  return { ...base, status: 'ignored', ignore: ignoreOf(issue.ignore) };
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
      return { until: 'date', atMs: parseLineTime(ignore.date) };
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
