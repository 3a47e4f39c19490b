import type { IssueBulkRequest, IssueBulkView, IssueChangeRequest } from '../../../schemas/issues.ts';
import type { AuditSource } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createInvalidParamError, createMissingParamsError } from '../errors.ts';
import type { Issue } from '../store/issues.ts';
import type { Project } from '../store/projects.ts';
import type { ResolvedTerm } from '../store/search-terms.ts';
import { bulkIssuesMax, changeIssues, mergeSelectedIssues, type UndoOwner } from './bulk.ts';
import { getIssueAfterMerge } from './resolve-merged.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

/** `terms` are those of the query. Ids of other projects are not found. Throws 400, and then nothing is changed. */
export async function changeIssuesOfProject(
  deps: ServiceDeps,
  project: Project,
  { ids, query, merge = false, ...change }: IssueBulkRequest,
  terms: readonly ResolvedTerm[],
  by: AuditSource,
  undoOwner: UndoOwner,
): Promise<IssueBulkView> {
  requireOneChange(merge, change);
  const { matched, found, missing } = await findRequestedIssues(
    deps,
    project,
    ids,
    query === undefined ? null : terms,
  );
  if (merge) {
    if (missing.length > 0)
      throw createInvalidParamError({ ids: 'ids contains an issue that does not exist.' });
    const heads = [...new Map(found.map((issue) => [issue.id, { project, issue }])).values()];
    const { into, merged, bulkId } = await mergeSelectedIssues(deps, heads, by, undoOwner);
    return {
      ...{ matched, changed: merged, unchanged: [], not_found: [] },
      merged_into: into.id,
      undo_id: bulkId,
    };
  }
  const targets = found.map(({ id }) => ({ project, issueId: id }));
  const done = await changeIssues(deps, targets, change, by, undoOwner);
  const notFound = [...missing, ...done.missing];
  return {
    matched,
    changed: done.changed,
    unchanged: done.unchanged,
    not_found: notFound,
    merged_into: null,
    undo_id: done.bulkId,
  };
}

function requireOneChange(merge: boolean, change: IssueChangeRequest): void {
  const other =
    change.status !== undefined ? 'status' : change.assigned_to !== undefined ? 'assigned_to' : null;
  if (!merge && other === null) throw createMissingParamsError(['status']);
  if (merge && other !== null) {
    throw createInvalidParamError({ merge: `merge cannot be used together with ${other}.` });
  }
}

async function findRequestedIssues(
  deps: ServiceDeps,
  project: Project,
  ids: readonly number[] | undefined,
  terms: readonly ResolvedTerm[] | null,
) {
  if (ids !== undefined && terms !== null) {
    throw createInvalidParamError({ query: 'query cannot be used together with ids.' });
  }
  if (ids !== undefined) return findByIds(deps, project, [...new Set(ids)]);
  if (terms === null) throw createMissingParamsError(['ids']);
  const window = { orderBy: 'last_seen', descending: true, limit: bulkIssuesMax, offset: 0 } as const;
  const { rows, total } = await deps.store.listIssues(project.id, { terms, ...window });
  return { matched: total, found: rows, missing: [] };
}

/** An id of a merged issue means the one that it was merged into. */
async function findByIds({ store }: ServiceDeps, project: Project, ids: readonly number[]) {
  const found: Issue[] = [];
  const missing: number[] = [];
  for (const id of ids) {
    const issue = await store.findIssue(project.id, id);
    if (issue === null) missing.push(id);
    else found.push(issue.mergedInto === null ? issue : await getIssueAfterMerge(store, project.id, id));
  }
  return { matched: ids.length, found, missing };
}
