import type { IssueTagView } from '../../../../schemas/issues.ts';
import type { Deps } from '../../deps.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { Issue } from '../../store/issues.ts';

export type TagView = IssueTagView;

/** Includes merged issues; most frequent first. */
export async function viewIssueTags(
  { store }: Pick<Deps, 'store'>,
  { projectId, id }: Pick<Issue, 'projectId' | 'id'>,
): Promise<TagView[]> {
  const values = await store.listIssueTags(projectId, id);
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
