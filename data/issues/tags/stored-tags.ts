import type { Level, NormalizedEvent } from '../../../schemas/event.ts';
import { tagsAndSearchTextOf } from '../../../src/core/events/search-text.ts';
import type { EventTagsAndText, PackedPayload } from '../../../src/core/store/events.ts';
import type { Query } from '../../db.ts';
import { readPayload } from '../../event-bodies.ts';
import { toValueList } from '../../value-lists.ts';
import type { CountedTags } from './tags.ts';

export interface TaggedEvent {
  readonly id: number;
  readonly received_at_ms: number;
  readonly level: Level;
}

const nothing: EventTagsAndText = { tags: [], text: '' };

/** By row; a damaged body has none. At most 1,000 rows. */
export async function readTagsAndText(
  query: Pick<Query, 'all'>,
  projectId: number | null,
  rows: readonly number[],
): Promise<Map<number, EventTagsAndText>> {
  if (rows.length === 0) return new Map();
  const list = toValueList(rows, 1);
  const bodies = await query.all<{ event_row: number; body: Uint8Array; sha256: Uint8Array }>(
    `SELECT event_row, body, body_sha256 AS sha256 FROM event_bodies WHERE event_row IN (${list.marks})
     ${projectId === null ? '' : `AND project_id = $${list.values.length + 1}`}`,
    projectId === null ? list.values : [...list.values, projectId],
  );
  return new Map(bodies.map((row) => [row.event_row, tagsAndTextOfBody(row.body, row.sha256)]));
}

export function tagsAndTextOfPayload(payload: string): EventTagsAndText {
  try {
    return tagsAndSearchTextOf(JSON.parse(payload) as NormalizedEvent);
  } catch {
    return nothing;
  }
}

export function tagsAndTextOfBody(body: Uint8Array, sha256: Uint8Array): EventTagsAndText {
  // The event id has no part in the tags.
  const payload = readPayload({ body, sha256 });
  return payload === null ? nothing : tagsAndTextOfPayload(payload);
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
