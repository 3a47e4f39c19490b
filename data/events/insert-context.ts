import { newIssuesPerHourMax } from '../../src/core/issues/state-transitions.ts';
import type { NewEvent } from '../../src/core/store/events.ts';
import { type ProjectLimits, projectLimits } from '../../src/core/store/projects.ts';
import { packBody } from '../event-bodies.ts';
import type { IssueCaches } from '../issues/counters/count-events.ts';
import { createSearchRowCache } from '../issues/tags/search-row.ts';
import { clearTagCache, createTagCache } from '../issues/tags/tags.ts';
import { createNameCache, type NameCache, type NameLimits } from '../releases/bounded-names.ts';
import { createTitleFolder, type FoldTitles } from '../search.ts';
import { type PackedAttachment, packAttachments, sizeOf } from './attachments.ts';

export interface EventLimits extends NameLimits, Pick<ProjectLimits, 'issuePlacesMax'> {
  readonly newIssuesPerHourMax: number;
}

export interface InsertContext {
  readonly limits: EventLimits;
  readonly names: NameCache;
  readonly titles: FoldTitles;
  readonly caches: IssueCaches;
  readonly userKeys: Set<string>;
}

export function createInsertContext(overrides: Partial<EventLimits> = {}): InsertContext {
  const limits = { ...projectLimits, newIssuesPerHourMax, ...overrides };
  const caches = { tags: createTagCache(), search: createSearchRowCache() };
  return {
    limits,
    names: createNameCache(limits),
    titles: createTitleFolder(),
    caches,
    userKeys: new Set(),
  };
}

export function clearInsertCaches({ caches, userKeys }: InsertContext): void {
  clearTagCache(caches.tags);
  caches.search.heads.clear();
  userKeys.clear();
}

/** Memory of an event besides its body and attachments, roughly. */
const indexedBytes = 2048;

export type PackedEvent = ReturnType<typeof toPackedEvent>;

/** Synchronous where there are no attachments, which is usual. */
export function packEvent(event: NewEvent): PackedEvent | Promise<PackedEvent> {
  if (event.attachments.length === 0) return toPackedEvent(event, []);
  return packAttachments(event.attachments).then((attachments) => toPackedEvent(event, attachments));
}

function toPackedEvent(event: NewEvent, attachments: readonly PackedAttachment[]) {
  const packed = packBody(event.payload, event);
  const bytes = sizeOf(event.attachments) + packed.body.byteLength + indexedBytes;
  return { event, packed, attachments, bytes };
}
