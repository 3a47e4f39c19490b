import type { IssueChangeRequest, IssuesQuery } from '../../../schemas/issues.ts';
import type { Deps } from '../deps.ts';
import { createInvalidParamError, createMissingParamsError, createNotFoundError } from '../errors.ts';
import { parseTime } from '../parsing/timestamps.ts';
import { scrubVersion } from '../scrub/record.ts';
import type { IssueChange, IssueFilter, IssueStore } from '../store/issues.ts';
import type { Project } from '../store/projects.ts';

interface ServiceDeps extends Pick<Deps, 'now'> {
  readonly store: Pick<IssueStore, 'findIssue' | 'changeIssue' | 'mergeIssues' | 'unmergeIssues'>;
}

export function toIssueFilter(filters: IssuesQuery): Omit<IssueFilter, 'limit' | 'offset'> {
  return {
    search: filters.search,
    status: filters.status,
    substatus: filters.substatus,
    level: filters.level,
    platform: filters.platform,
    release: filters.release,
    environment: filters.environment,
    firstRelease: filters.first_release,
    orderBy: filters.orderby,
    descending: filters.order === 'desc',
  };
}

/** One action per request; `actor` is shown in the activity. On 404 and 400 nothing is changed. */
export async function applyIssueChange(
  deps: ServiceDeps,
  project: Project,
  issueId: number,
  changes: IssueChangeRequest,
  actor: string,
): Promise<void> {
  if ((await deps.store.findIssue(project.id, issueId)) === null) throw createNotFoundError('issue');
  const action = { actor, nowMs: deps.now() };
  // Everything is validated first, so that an error changes nothing.
  const change = changes.status === undefined ? null : changeOf(changes, project);
  requireOneAction(changes);
  const { merge, undo_merge: mergeId } = changes;
  if (merge !== undefined) {
    const merged = await deps.store.mergeIssues(project.id, issueId, merge, action);
    if (merged === null)
      throw createInvalidParamError({ merge: 'merge contains an issue that does not exist.' });
  } else if (mergeId !== undefined) {
    const undone = await deps.store.unmergeIssues(project.id, issueId, mergeId, action);
    if (undone === null)
      throw createInvalidParamError({ undo_merge: 'undo_merge is not a merge that can be undone.' });
  } else if (change !== null) await deps.store.changeIssue(project.id, issueId, change, action);
}

/** Throws 400 where the members of a status do not fit. */
export function requireStatusChange(changes: IssueChangeRequest, project: Project): void {
  if (changes.status !== undefined) changeOf(changes, project);
}

const issueActions = ['status', 'merge', 'undo_merge', 'assigned_to', 'link', 'unlink'] as const;

/** Throws 400 for no action, and for two at once. */
export function requireOneAction(changes: IssueChangeRequest): void {
  const actions = issueActions.filter((name) => changes[name] !== undefined);
  if (actions.length === 0) throw createMissingParamsError(['status']);
  const [, second] = actions;
  if (second !== undefined) {
    throw createInvalidParamError({ [second]: `${second} cannot be used together with ${actions[0]}.` });
  }
}

function changeOf(changes: IssueChangeRequest, project: Project): IssueChange {
  if (changes.status === 'resolved') {
    if (changes.in !== 'release') return { status: 'resolved', in: changes.in };
    if (changes.release === undefined) throw createMissingParamsError(['release']);
    return { status: 'resolved', in: 'release', release: scrubVersion(changes.release, project) };
  }
  if (changes.status !== 'ignored') return { status: 'unresolved' };
  if (changes.until === 'date') return { status: 'ignored', until: 'date', atMs: dateOf(changes.date) };
  if (changes.until === 'count') {
    if (changes.count === undefined) throw createMissingParamsError(['count']);
    const windowMs = changes.window === undefined ? null : changes.window * 1000;
    return { status: 'ignored', until: 'count', count: changes.count, windowMs };
  }
  if (changes.until !== 'users') return { status: 'ignored', until: 'forever' };
  if (changes.users === undefined) throw createMissingParamsError(['users']);
  return { status: 'ignored', until: 'users', users: changes.users };
}

function dateOf(text: string | undefined): number {
  if (text === undefined) throw createMissingParamsError(['date']);
  const atMs = parseTime(text);
  if (atMs === null) throw createInvalidParamError({ date: 'Invalid date.' });
  return atMs;
}
