import type { IssueBulkForm, IssueChangeRequest } from '../../../../schemas/issues.ts';
import { RestError } from '../../errors.ts';
import {
  type BulkResult,
  bulkIssuesMax,
  bulkMergeMax,
  changeIssues,
  kindOf,
  mergeSelectedIssues,
  sliceIssues,
} from '../../issues/bulk.ts';
import { ownerIdOf } from '../../saved-views/saved-views.ts';
import { ignoreRequest, reopenRequest, resolveRequest } from '../issue/action-requests.ts';
import { findIssue } from '../issue/find-issue.ts';
import { invalidPageInput, PageError, type RequestContext } from '../request-context.ts';
import { type IssueFilters, readIssueFilters } from './filters.ts';
import { readListFilter, splitTitle } from './list.ts';

const verbs = ['resolve', 'ignore', 'reopen', 'assign', 'merge'] as const;
type BulkVerb = (typeof verbs)[number];

/** Asked before an action on all that match, and before a merge. */
export interface BulkQuestion {
  readonly form: IssueBulkForm;
  readonly filters: IssueFilters;
  readonly verb: BulkVerb;
  readonly count: number;
  /** More than `count`, of which the ones seen last are meant. */
  readonly matching: number;
  /** For a merge: the issue that stays first. */
  readonly issues: ReadonlyArray<{
    readonly issue_id: number;
    readonly type: string | null;
    readonly message: string;
  }>;
}

type SelectedIssue = NonNullable<Awaited<ReturnType<typeof findOrNull>>>;

/** The code of a notice, or what to ask first. Issues that are gone are skipped; a merge is all or nothing. */
export async function runBulkAction(
  context: RequestContext,
  form: IssueBulkForm,
): Promise<{ readonly notice: string } | { readonly question: BulkQuestion }> {
  const { verb, rest } = readAction(form.do);
  const { filters, ids, matching } = await selectedIds(context, form);
  if (ids.length === 0) return { notice: 'nothing-chosen' };
  if (verb === 'merge') return mergeAll(context, form, { filters, ids, matching });
  if (form.all === 'yes' && form.sure !== 'yes') {
    return { question: { form, filters, verb, count: ids.length, matching, issues: [] } };
  }
  const change = changeOf(context, verb, rest);
  const targets = await targetsOf(context, ids);
  const result = await changeIssues(
    context.deps,
    targets,
    change,
    context.by,
    ownerIdOf(context.currentUser),
  );
  return { notice: noticeOf(change, result, ids.length - targets.length) };
}

function readAction(text: string): { readonly verb: BulkVerb; readonly rest: string } {
  const [, word = '', rest = ''] = /^(\S+)(?: (.*))?$/s.exec(text) ?? [];
  const verb = verbs.find((each) => each === word);
  if (verb === undefined) {
    throw invalidPageInput('Choose an action: resolve, ignore, reopen, assign or merge.');
  }
  return { verb, rest };
}

function changeOf(
  context: RequestContext,
  verb: Exclude<BulkVerb, 'merge'>,
  rest: string,
): IssueChangeRequest {
  switch (verb) {
    case 'resolve': {
      const release = /^release (.+)$/s.exec(rest)?.[1];
      if (release !== undefined) return resolveRequest({ release });
      return resolveRequest({ in: rest === 'next_release' ? 'next_release' : 'now' });
    }
    case 'ignore':
      return ignoreRequest({ until: rest === '' ? 'forever' : rest }, context.nowMs);
    case 'reopen':
      return reopenRequest;
    case 'assign': {
      if (rest === '') throw invalidPageInput('Choose an assignee.');
      return { in: 'now', until: 'forever', assigned_to: rest === 'nobody' ? null : rest };
    }
  }
}

async function selectedIds(context: RequestContext, form: IssueBulkForm) {
  const filters = readIssueFilters({ ...context, query: paramsOf(form) }, []).filters;
  const ids = [...new Set(form.issue)];
  if (form.all !== 'yes') return { filters, ids, matching: ids.length };
  const { filter, search } = await readListFilter(context, filters);
  // Without the wrong term more issues would match than somebody meant.
  const [mistake] = search.shown.mistakes;
  if (mistake !== undefined) throw invalidPageInput(mistake.message.replaceAll('`', ''));
  const found = await context.deps.store.findWorkspaceIssues(filter);
  return { filters, ids: found.ids.slice(0, bulkIssuesMax), matching: found.counts.all };
}

function paramsOf({ query = '', range, environment, sort }: IssueBulkForm): URLSearchParams {
  const entries = Object.entries({ query, range, environment, sort });
  return new URLSearchParams(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

async function findOrNull(context: RequestContext, id: number) {
  try {
    return await findIssue(context, id);
  } catch (error) {
    if ((error instanceof PageError || error instanceof RestError) && error.status === 404) return null;
    throw error;
  }
}

/** Two ids may lead to one issue after a merge. */
async function selectedIssues(context: RequestContext, ids: readonly number[]) {
  const found = new Map<number, SelectedIssue>();
  for (let at = 0; at < ids.length; at += sliceIssues) {
    const slice = await Promise.all(ids.slice(at, at + sliceIssues).map((id) => findOrNull(context, id)));
    for (const each of slice) if (each !== null) found.set(each.issue.id, each);
  }
  return [...found.values()];
}

async function targetsOf(context: RequestContext, ids: readonly number[]) {
  const found = await selectedIssues(context, ids);
  return found.map(({ project, issue }) => ({ project, issueId: issue.id }));
}

function noticeOf(changes: IssueChangeRequest, result: BulkResult, removed: number): string {
  const { changed, unchanged, missing, refused } = result;
  const counts = [changed.length, unchanged.length, missing.length + removed, refused.length];
  return `issues-${kindOf(changes)}.${counts.join('.')}`;
}

async function mergeAll(
  context: RequestContext,
  form: IssueBulkForm,
  { filters, ids, matching }: Awaited<ReturnType<typeof selectedIds>>,
): ReturnType<typeof runBulkAction> {
  if (ids.length > bulkMergeMax) return { notice: 'issues-too-many' };
  const found = await selectedIssues(context, ids);
  const [first, second] = found;
  if (first === undefined || second === undefined) return { notice: 'issues-too-few' };
  if (found.some(({ project }) => project.id !== first.project.id)) return { notice: 'issues-of-projects' };
  if (form.sure !== 'yes') {
    const issues = found
      .toSorted(
        (one, other) => one.issue.firstSeenMs - other.issue.firstSeenMs || one.issue.id - other.issue.id,
      )
      .map(({ issue }) => ({ issue_id: issue.id, ...splitTitle(issue.title) }));
    return { question: { form, filters, verb: 'merge', count: found.length, matching, issues } };
  }
  const { into } = await mergeSelectedIssues(context.deps, found, context.by, ownerIdOf(context.currentUser));
  return { notice: `issues-merged.${found.length}.${into.id}` };
}
