import type { Level, NormalizedEvent } from '../../../schemas/event.ts';
import { tagsAndSearchTextOf } from '../../../src/core/events/search-text.ts';
import type { EventTagsAndText, PackedPayload } from '../../../src/core/store/events.ts';
import type { Query, Transaction } from '../../db.ts';
import { readPayload } from '../../event-bodies.ts';
import { toValueList } from '../../value-lists.ts';
import { refreshSearchTags, setSearchHead } from './search-row.ts';
import { type CountedTags, countTags, createTagCache, removeTags, sumPairs } from './tags.ts';

export interface TaggedEvent {
  readonly id: number;
  readonly received_at_ms: number;
  readonly level: Level;
}

const noTagsAndText: EventTagsAndText = { tags: [], text: '' };

/** By row; a damaged body has none. At most 1,000 rows. */
export async function readTagsAndText(
  query: Pick<Query, 'all'>,
  projectId: number | null,
  rows: readonly number[],
): Promise<Map<number, EventTagsAndText>> {
  if (rows.length === 0) return new Map();
  const list = toValueList(rows, 1);
  const bodies = await query.all<{ event_row: number; body: Uint8Array; sha256: Uint8Array }>(
    `SELECT event_row, body, body_sha256 AS sha256 FROM event_bodies WHERE event_row IN (${list.placeholders})
     ${projectId === null ? '' : `AND project_id = $${list.values.length + 1}`}`,
    projectId === null ? list.values : [...list.values, projectId],
  );
  return new Map(bodies.map((row) => [row.event_row, tagsAndTextOf(row)]));
}

/** Without the event id, on which no tag depends. Empty where the payload is damaged. */
export function tagsAndTextOf(stored: string | PackedPayload): EventTagsAndText {
  try {
    const payload = typeof stored === 'string' ? stored : readPayload(stored);
    return payload === null ? noTagsAndText : tagsAndSearchTextOf(JSON.parse(payload) as NormalizedEvent);
  } catch {
    return noTagsAndText;
  }
}

export function pairsOf(
  events: readonly TaggedEvent[],
  stored: ReadonlyMap<number, EventTagsAndText>,
): CountedTags['pairs'] {
  return sumPairs(
    events.map(({ id, level, received_at_ms: receivedAtMs }) => {
      return { level, receivedAtMs, tags: stored.get(id)?.tags ?? [] };
    }),
  );
}

// Tags of an event after source maps were applied: other files, perhaps another plugin or theme.

export interface ReindexedEvent extends TaggedEvent {
  readonly issue_id: number;
}

/** Call it before the stored payload is replaced. */
export async function reindexTags(
  tx: Transaction,
  projectId: number,
  event: ReindexedEvent,
  payload: string | PackedPayload,
): Promise<void> {
  const before = await readTagsAndText(tx, projectId, [event.id]);
  const now = tagsAndTextOf(payload);
  const issueId = event.issue_id;
  if (JSON.stringify(before.get(event.id)?.tags) !== JSON.stringify(now.tags)) {
    const removed = { projectId, issueId, pairs: pairsOf([event], before) };
    await removeTags(tx, removed);
    const pairs = pairsOf([event], new Map([[event.id, now]]));
    await countTags(tx, createTagCache(), { projectId, issueId, pairs });
    await refreshSearchTags(tx, projectId, issueId);
  }
  const issue = await tx.get<{ title: string; culprit: string; is_overflow: number }>(
    'SELECT title, culprit, is_overflow FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  if (issue === undefined || issue.is_overflow === 1) return;
  const { title, culprit } = issue;
  await setSearchHead(tx, { projectId, issueId, title, culprit, text: () => now.text });
}
