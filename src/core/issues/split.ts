import { type AuditSource, formatActor, runAudited } from '../audit/audit.ts';
import { issueAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createNotFoundError } from '../errors.ts';
import type { SplitResult } from '../store/issue-queries.ts';
import type { Issue } from '../store/issues.ts';
import type { Project } from '../store/projects.ts';
import { continueInBackground } from './background-work.ts';

const refusals: Readonly<Record<Extract<SplitResult, string>, string>> = {
  gone: 'Someone else changed the issue meanwhile, and one of these no longer belongs to it. Nothing was changed.',
  all: 'At least one fingerprint must stay in the issue. Nothing was changed.',
  'none-stored':
    'One of these has no event among the newest stored events, so it cannot be split off. Nothing was changed.',
};

/** Merging undoes it. Returns the new issue's id. Throws 400 for unsuitable hashes, 404 for no such issue. */
export async function splitOffHashes(
  deps: Pick<Deps, 'store' | 'now' | 'log'>,
  project: Project,
  issue: Issue,
  hashes: readonly string[],
  by: AuditSource,
): Promise<number> {
  const into = await runAudited(deps, by, async ({ store }) => {
    const locked = await store.lockIssueForChange(project.id, issue.id);
    if (locked === null || locked.id !== issue.id) throw createNotFoundError('issue');
    const action = { actor: formatActor(by), nowMs: deps.now() };
    const done = await store.splitIssue(project.id, issue.id, hashes, action);
    if (typeof done === 'string') throw createBadRequestError('notifier_split', refusals[done]);
    const summary = `${hashes.length === 1 ? 'a key' : `${hashes.length} keys`} into #${done.into}`;
    return { result: done.into, auditEvent: issueAuditEvent(issue, 'issue.split', summary) };
  });
  await continueInBackground(deps);
  return into;
}
