import { momentText } from '../../reading/moments.ts';
import { type IssueKey, keyEventsMax } from '../../store/issue-pages.ts';
import type { Visit } from '../visit.ts';
import { headModel, type IssueHeadModel } from './head.ts';

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

export async function issueSplitModel(visit: Visit): Promise<IssueSplitModel> {
  const { head, found } = await headModel(visit);
  const { project, issue } = found;
  const { store } = visit.deps;
  const { keys, looked } = await store.listIssueKeys(project.id, issue.id);
  return {
    ...head,
    keys: keys.map(viewKey).sort((one, other) => other.events - one.events),
    looked,
    looked_at_all: looked < keyEventsMax,
    is_splitting: await store.isSplitting(project.id, issue.id),
  };
}

function viewKey({ hash, algorithm, issueId, sinceMs, title, events, newest }: IssueKey): IssueKeyView {
  return {
    hash,
    algorithm,
    issue_id: issueId,
    since: momentText(sinceMs),
    title,
    events,
    newest_event_id: newest?.eventId ?? null,
    last_seen: newest === null ? null : momentText(newest.receivedAtMs),
  };
}
