import type { IssueHashView } from '../../../../schemas/issues.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { hashEventsMax, type IssueHash } from '../../store/issue-queries.ts';
import type { RequestContext } from '../request-context.ts';
import { issueHeadModel } from './head.ts';

export type IssueSplitModel = Awaited<ReturnType<typeof issueSplitModel>>;

export async function issueSplitModel(context: RequestContext) {
  const { head, found } = await issueHeadModel(context);
  const { project, issue } = found;
  const { store } = context.deps;
  const { keys, checked } = await store.listIssueKeys(project.id, issue.id);
  return {
    ...head,
    keys: viewIssueHashes(keys),
    /** Stored events examined; `looked_at_all` is false if there are more. */
    looked: checked,
    looked_at_all: checked < hashEventsMax,
    is_splitting: await store.isSplitting(project.id, issue.id),
  };
}

export function viewIssueHashes(hashes: readonly IssueHash[]): IssueHashView[] {
  return hashes.map(viewHash).sort((one, other) => other.events - one.events);
}

function viewHash({ hash, algorithm, issueId, sinceMs, title, events, newest }: IssueHash): IssueHashView {
  return {
    hash,
    algorithm,
    issue_id: issueId,
    since: formatTime(sinceMs),
    title,
    events,
    newest_event_id: newest?.eventId ?? null,
    last_seen: newest === null ? null : formatTime(newest.receivedAtMs),
  };
}
