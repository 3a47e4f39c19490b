import type { IssueHashView } from '../../../../schemas/issues.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { hashEventsMax, type IssueHash } from '../../store/issue-queries.ts';
import type { RequestContext } from '../request-context.ts';
import { type IssueHeadModel, issueHeadModel } from './head.ts';

export interface IssueSplitModel extends IssueHeadModel {
  readonly keys: readonly IssueHashView[];
  /** Stored events examined; `looked_at_all` is false if there are more. */
  readonly looked: number;
  readonly looked_at_all: boolean;
  readonly is_splitting: boolean;
}

export async function issueSplitModel(context: RequestContext): Promise<IssueSplitModel> {
  const { head, found } = await issueHeadModel(context);
  const { project, issue } = found;
  const { store } = context.deps;
  const { keys, checked } = await store.listIssueKeys(project.id, issue.id);
  return {
    ...head,
    keys: viewIssueHashes(keys),
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
