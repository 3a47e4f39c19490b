import { formatTime } from '../../parsing/timestamps.ts';
import type { RequestContext } from '../request-context.ts';
import type { FoundIssue } from './find-issue.ts';

export interface TagView {
  readonly tag: string;
  readonly events: number;
  readonly values: ReadonlyArray<{
    readonly value: string;
    readonly events: number;
    readonly first_seen: string;
    readonly last_seen: string;
  }>;
}

/** Includes merged issues; most frequent first. */
export async function viewIssueTags(
  { deps }: RequestContext,
  { project, issue }: FoundIssue,
): Promise<TagView[]> {
  const values = await deps.store.listIssueTags(project.id, issue.id);
  return [...Map.groupBy(values, ({ tag }) => tag)]
    .map(([tag, rows]) => ({
      tag,
      events: rows.reduce((sum, { events }) => sum + events, 0),
      values: rows.map(({ value, events, firstSeenMs, lastSeenMs }) => ({
        value,
        events,
        first_seen: formatTime(firstSeenMs),
        last_seen: formatTime(lastSeenMs),
      })),
    }))
    .sort((one, other) => other.events - one.events || (one.tag < other.tag ? -1 : 1));
}
