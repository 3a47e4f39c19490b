// Deleting an issue with all that was merged into it: at once out of sight, then removed in slices beside a
// running server.
import { type AuditBy, actAudited } from '../audit/audit.ts';
import { issueName } from '../audit/told.ts';
import type { Deps } from '../deps.ts';
import { invalidId } from '../errors.ts';
import type { Issue } from '../store/issues.ts';

/** Whoever deletes waits this long for slices; what is left goes with the next round of housekeeping. */
const waitMs = 500;

/**
 * Deletes an issue that stands for itself, with what was merged into it: from this commit on nothing finds
 * them, and the next event of theirs makes a new issue. Reports of visitors stay. 404 where it has gone.
 */
export async function deleteIssue(
  deps: Pick<Deps, 'store' | 'now'>,
  issue: Issue,
  by: AuditBy,
): Promise<void> {
  const { projectId, id } = issue;
  await actAudited(deps, by, async ({ store }) => {
    const issues = await store.endIssue(projectId, id, deps.now());
    if (issues === 0) throw invalidId('issue');
    const events = `${issue.eventsCount} events`;
    const summary = issues === 1 ? events : `${events}, with ${issues - 1} merged into it`;
    const object = { kind: 'issue', id, name: issueName(issue) };
    return { result: issues, told: { action: 'issue.deleted', object, projectId, summary } };
  });
  const untilMs = deps.now() + waitMs;
  await removeEndedIssues(deps, () => deps.now() >= untilMs);
}

/**
 * Removes what is left of issues that were deleted, slice by slice, and answers how many rows that was. May
 * be interrupted at any moment and called again: a start does.
 */
export async function removeEndedIssues(deps: Pick<Deps, 'store'>, stopped: () => boolean): Promise<number> {
  let rows = 0;
  for (;;) {
    const issue = await deps.store.nextEndingIssue();
    if (issue === null) return rows;
    for (let done = false; !done; ) {
      const slice = await deps.store.removeIssueSlice(issue);
      rows += slice.removed;
      done = slice.done;
      if (stopped()) return rows;
    }
  }
}
