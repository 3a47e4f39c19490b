import { type AuditSource, runAudited } from '../audit/audit.ts';
import { auditedIssueName } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createNotFoundError } from '../errors.ts';
import { formatCountWithNoun } from '../parsing/format/numbers.ts';
import type { Issue } from '../store/issues.ts';
import { continueInBackground } from './background-work.ts';

/** Merged issues too; hidden at once, removed in the background. User feedback stays. Throws 404. */
export async function deleteIssue(
  deps: Pick<Deps, 'store' | 'now' | 'log'>,
  issue: Issue,
  by: AuditSource,
): Promise<void> {
  const { projectId, id } = issue;
  await runAudited(deps, by, async ({ store }) => {
    const issues = await store.endIssue(projectId, id, deps.now());
    if (issues === 0) throw createNotFoundError('issue');
    const events = formatCountWithNoun(issue.eventsCount, 'event');
    const summary = issues === 1 ? events : `${events}, with ${issues - 1} merged into it`;
    const object = { kind: 'issue', id, name: auditedIssueName(issue) };
    return { result: issues, auditEvent: { action: 'issue.deleted', object, projectId, summary } };
  });
  await continueInBackground(deps);
}
