import type { Level, NormalizedEvent } from '../../../schemas/event.ts';
import { tagsAndSearchTextOf } from '../../../src/core/events/search-text.ts';
import type { EventTagsAndText, PackedPayload } from '../../../src/core/store/events.ts';
import type { Query, Transaction } from '../../db.ts';
import { readPayload } from '../../event-bodies.ts';
import { toValueList } from '../../value-lists.ts';
import { refreshSearchTags, setSearchHead } from './search-row.ts';
import { type CountedTags, countTags, createTagCache, removeTags } from './tags.ts';

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
  return new Map(bodies.map((row) => [row.event_row, tagsAndTextOfBody(row.body, row.sha256)]));
}

function tagsAndTextOfPayload(payload: string): EventTagsAndText {
  try {
    return tagsAndSearchTextOf(JSON.parse(payload) as NormalizedEvent);
  } catch {
    return noTagsAndText;
  }
}

function tagsAndTextOfBody(body: Uint8Array, sha256: Uint8Array): EventTagsAndText {
  // The event id has no part in the tags.
  const payload = readPayload({ body, sha256 });
  return payload === null ? noTagsAndText : tagsAndTextOfPayload(payload);
}

export function searchTextOf(payload: string | PackedPayload): string {
  const stored =
    typeof payload === 'string'
      ? tagsAndTextOfPayload(payload)
      : tagsAndTextOfBody(payload.body, payload.sha256);
  return stored.text;
}

export function pairsOf(
  events: readonly TaggedEvent[],
  stored: ReadonlyMap<number, EventTagsAndText>,
): CountedTags['pairs'] {
  const pairs = new Map<string, CountedTags['pairs'][number]>();
  for (const event of events) {
    const tags = [['level', event.level] as const, ...(stored.get(event.id)?.tags ?? [])];
    for (const pair of tags) {
      const key = pair.join('\n');
      const before = pairs.get(key);
      pairs.set(key, {
        pair,
        events: (before?.events ?? 0) + 1,
        firstMs: Math.min(before?.firstMs ?? event.received_at_ms, event.received_at_ms),
        lastMs: Math.max(before?.lastMs ?? event.received_at_ms, event.received_at_ms),
      });
    }
  }
  return [...pairs.values()];
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
  const now =
    typeof payload === 'string'
      ? tagsAndTextOfPayload(payload)
      : tagsAndTextOfBody(payload.body, payload.sha256);
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
  await setSearchHead(tx, {
    projectId,
    issueId,
    title: issue.title,
    culprit: issue.culprit,
    text: () => now.text,
  });
}
