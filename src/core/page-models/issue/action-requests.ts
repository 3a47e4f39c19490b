import type { IssueChangeRequest, IssueIgnoreForm, IssueResolveForm } from '../../../../schemas/issues.ts';
import { hashActionToken } from '../../alerts/issue-details.ts';
import { createInvalidParamError } from '../../errors.ts';
import { parseId } from '../../ids.ts';
import { dayMs, hourMs } from '../../parsing/durations.ts';
import { invalidPageInput, PageError, type RequestContext } from '../request-context.ts';

const noRest = { in: 'now', until: 'forever' } as const;

export function resolveRequest({ in: when, release }: IssueResolveForm): IssueChangeRequest {
  if (release !== undefined) return { ...noRest, status: 'resolved', in: 'release', release };
  return { ...noRest, status: 'resolved', in: when ?? 'now' };
}

export const reopenRequest: IssueChangeRequest = { ...noRest, status: 'unresolved' };

/** Throws 400 for missing or invalid values. */
export function ignoreRequest(fields: IssueIgnoreForm, nowMs: number): IssueChangeRequest {
  const ignored = { ...noRest, status: 'ignored' } as const;
  switch (fields.until) {
    case 'forever':
      return ignored;
    case '24-hours':
      return { ...ignored, until: 'date', date: new Date(nowMs + 24 * hourMs).toISOString() };
    case '7-days':
      return { ...ignored, until: 'date', date: new Date(nowMs + 7 * dayMs).toISOString() };
    case '100-events':
      return { ...ignored, until: 'count', count: 100 };
    case '10-users':
      return { ...ignored, until: 'users', users: 10 };
    case 'date':
      return { ...ignored, until: 'date', date: dayOf(fields.date, nowMs) };
    case 'count': {
      const window =
        fields.window === undefined ? {} : { window: numberOf('window', fields.window, 31_536_000) };
      return { ...ignored, until: 'count', count: numberOf('count', fields.count, 1e9), ...window };
    }
    case 'users':
      return { ...ignored, until: 'users', users: numberOf('users', fields.users, 10_000) };
    default:
      throw invalidPageInput('Choose a date, a number of events or users, or forever.');
  }
}

/** The selected issues, and one entered by number. Throws 400 without any. */
export function mergeRequest(
  chosen: readonly string[],
  issueId: string | undefined,
  ownId: number,
): IssueChangeRequest {
  const texts = issueId === undefined ? chosen : [...chosen, issueId.trim().replace(/^#/, '')];
  const ids = texts.map((text) => parseId(text));
  const known = ids.filter((id) => id !== null && id !== ownId);
  if (ids.includes(null)) throw invalidPageInput('Enter an issue number such as 1043.');
  if (known.length === 0) throw invalidPageInput('Select at least one other issue, or enter its number.');
  if (known.length > 100) throw invalidPageInput('At most 100 issues can be merged at once.');
  return { ...noRest, merge: known.map(Number) };
}

function numberOf(name: string, text: string | undefined, max: number): number {
  const value = parseId(text?.trim());
  if (value === null || value > max) {
    throw createInvalidParamError({ [name]: `Enter a number from 1 to ${max.toLocaleString('en')}.` });
  }
  return value;
}

function dayOf(text: string | undefined, nowMs: number): string {
  const match = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');
  const atMs = match ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isFinite(atMs)) throw createInvalidParamError({ date: 'Enter a date such as 2026-11-30.' });
  if (atMs <= nowMs) throw createInvalidParamError({ date: 'This date is in the past. Enter a later one.' });
  return new Date(atMs).toISOString();
}

export type ActionLinkModel = Awaited<ReturnType<typeof actionLinkModel>>;

export async function actionLinkModel(context: RequestContext) {
  const { link, project } = await findActionLink(context);
  const issue = await context.deps.store.findIssue(project.id, link.issueId);
  if (issue === null) throw linkGone();
  const { action } = link;
  return {
    action,
    issue_id: issue.id,
    title: issue.title,
    project: project.name,
    status: issue.state.status,
  };
}

/** 404 for a link that is unknown, used, expired, or of a project that the user does not see. */
export async function findActionLink({ deps, path, projects, nowMs }: RequestContext) {
  const link = await deps.store.findActionLink(hashActionToken(path['token'] ?? ''), nowMs);
  const project = projects.find(({ id }) => id === link?.projectId);
  if (link === null || project === undefined) throw linkGone();
  return { link, project };
}

export function linkGone(): PageError {
  const message = 'A link in a message works once, for 7 days. Open the issue to change it.';
  return new PageError(404, 'This link no longer works', message);
}
