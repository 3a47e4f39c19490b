import { formatTime } from '../../parsing/timestamps.ts';
import { hashEventsMax, type IssueHash } from '../../store/issue-queries.ts';
import type { RequestContext } from '../request-context.ts';
import { type IssueHeadModel, issueHeadModel } from './head.ts';

export interface IssueKeyView {
  readonly hash: string;
  readonly algorithm: string;
  /** The issue itself, or one merged into it. */
  readonly issue_id: number;
  readonly since: string;
  readonly title: string;
  readonly events: number;
  readonly newest_event_id: string | null;
  readonly last_seen: string | null;
}

export interface IssueSplitModel extends IssueHeadModel {
  readonly keys: readonly IssueKeyView[];
  /** Stored events examined; `looked_at_all` is false if there are more. */
  readonly looked: number;
  readonly looked_at_all: boolean;
  readonly is_splitting: boolean;
}

export async function issueSplitModel(visit: RequestContext): Promise<IssueSplitModel> {
  const { head, found } = await issueHeadModel(visit);
  const { project, issue } = found;
  const { store } = visit.deps;
  const { keys, looked } = await store.listIssueKeys(project.id, issue.id);
  return {
    ...head,
    keys: keys.map(viewKey).sort((one, other) => other.events - one.events),
    looked,
    looked_at_all: looked < hashEventsMax,
    is_splitting: await store.isSplitting(project.id, issue.id),
  };
}

function viewKey({ hash, algorithm, issueId, sinceMs, title, events, newest }: IssueHash): IssueKeyView {
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
