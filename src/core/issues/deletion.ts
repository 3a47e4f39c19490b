import { type AuditBy, actAudited } from '../audit/audit.ts';
import { issueName } from '../audit/told.ts';
import type { Deps } from '../deps.ts';
import { invalidId } from '../errors.ts';
import { counted } from '../reading/words/figures.ts';
import type { Issue } from '../store/issues.ts';
import { goOnBeside } from './beside.ts';

/** Merged issues too; hidden at once, removed in the background. User feedback stays. Throws 404. */
export async function deleteIssue(
  deps: Pick<Deps, 'store' | 'now' | 'log'>,
  issue: Issue,
  by: AuditBy,
): Promise<void> {
  const { projectId, id } = issue;
  await actAudited(deps, by, async ({ store }) => {
    const issues = await store.endIssue(projectId, id, deps.now());
    if (issues === 0) throw invalidId('issue');
    const events = counted(issue.eventsCount, 'event');
    const summary = issues === 1 ? events : `${events}, with ${issues - 1} merged into it`;
    const object = { kind: 'issue', id, name: issueName(issue) };
    return { result: issues, told: { action: 'issue.deleted', object, projectId, summary } };
  });
  await goOnBeside(deps);
}
