// Reads, scrubs and groups an event without the store, so that it also runs in a worker thread.

import type { NormalizedEvent } from '../../../schemas/event.ts';
import { groupEvent } from '../grouping/group-event.ts';
import { parseEventId } from '../ids.ts';
import { findInboundFilter } from '../inbound-filters/find-filter.ts';
import { normalizeEvent } from '../normalize/event.ts';
import { parseMicroseconds } from '../parsing/timestamps.ts';
import { getOwn, isJsonObject } from '../parsing/unknown-values.ts';
import type {
  EventGroupingKey,
  EventReadContext,
  FilteredEvent,
  PreparedEvent,
  SymbolicationState,
} from '../ports/prepared-data.ts';
import { scrubEvent } from '../scrub/event.ts';
import type { NewEvent } from '../store/events.ts';
import { addComponentTag, findSuspectComponent } from '../wordpress-components/suspect-component.ts';
import { listTags } from './search-text.ts';
import { buildCulprit, buildTitle } from './title.ts';
import { hashOtherUserNames, hashUser } from './user-hash.ts';

export type NormalizedInput = ReturnType<typeof normalizeSentEvent>;

/** `replacedAt` says where invalid text was replaced. Never throws. */
export function normalizeSentEvent(
  raw: unknown,
  facts: EventReadContext,
  replacedAt: readonly string[] = [],
) {
  const { event, errors } = normalizeEvent(raw, {
    receivedAtMs: facts.receivedAtMs,
    eventId: eventIdOf(raw, facts),
    sentAtMs: facts.sentAtMs,
    userAgent: facts.userAgent,
    replacedAt,
  });
  const { userHashKey, clientAddress, project } = facts;
  const userHash = userHashKey === null ? null : hashUser(event, clientAddress, userHashKey, project.id);
  const userKeys = userHashKey === null ? [] : hashOtherUserNames(event, userHashKey, project.id);
  return { event, errors, userHash, userKeys };
}

/** Null for an event that is stored. Looks at it as it was sent, before addresses are removed. */
export function filterEvent(event: NormalizedEvent, facts: EventReadContext): FilteredEvent | null {
  const { inboundFilters } = facts.project;
  if (inboundFilters === null) return null;
  const filteredBy = findInboundFilter(event, facts, inboundFilters);
  return filteredBy === null ? null : { eventId: event.event_id, filteredBy };
}

/** Scrubs and groups an event that is already symbolicated if possible. */
export function scrubAndGroup(
  sent: NormalizedInput,
  mapping: SymbolicationState,
  facts: EventReadContext,
): PreparedEvent {
  return groupScrubbedEvent(scrubSentEvent(sent, facts), mapping);
}

interface ScrubbedEvent extends Pick<NormalizedInput, 'userHash' | 'userKeys'> {
  readonly clean: ReturnType<typeof scrubEvent>;
}

/** After symbolication, because source maps bring source lines. */
export function scrubSentEvent(
  { event, errors, userHash, userKeys }: NormalizedInput,
  facts: EventReadContext,
): ScrubbedEvent {
  const clean = scrubEvent(
    { ...event, errors: [...errors] },
    {
      extraFields: facts.project.scrubFields,
      storeIpAddresses: facts.project.storeIpAddresses,
      clientAddress: facts.clientAddress,
    },
  );
  return { clean, userHash, userKeys };
}

/** After scrubbing, so that no secret can be in a title. Adds the suspect plugin or theme. */
export function groupScrubbedEvent(
  { clean, userHash, userKeys }: ScrubbedEvent,
  mapping: SymbolicationState,
): PreparedEvent {
  const { errors = [], ...event } = clean.event;
  const code = findSuspectComponent(event);
  const stored = addComponentTag(event, code);
  return {
    ...columnsOf(event),
    ...groupingKeyOf(event, code),
    payload: JSON.stringify(stored),
    tags: listTags(stored),
    errors,
    scrubbedCount: clean.count,
    userHash,
    userKeys,
    needsMapping: mapping.needsMapping,
    awaits: mapping.awaits ?? [],
  };
}

function columnsOf(
  event: NormalizedEvent,
): Pick<
  NewEvent,
  | 'eventId'
  | 'timestampMs'
  | 'level'
  | 'platform'
  | 'release'
  | 'dist'
  | 'environment'
  | 'sdkName'
  | 'sdkVersion'
> {
  return {
    eventId: event.event_id,
    timestampMs: Math.floor((parseMicroseconds(event.timestamp) ?? 0) / 1000),
    level: event.level,
    platform: event.platform,
    release: event.release ?? null,
    dist: event.dist ?? null,
    environment: event.environment ?? null,
    sdkName: event.sdk?.name ?? null,
    sdkVersion: event.sdk?.version ?? null,
  };
}

/** Malformed ids are ignored here; `/store` refuses them earlier. */
function eventIdOf(raw: unknown, facts: EventReadContext): string {
  const sent = isJsonObject(raw) ? parseEventId(getOwn(raw, 'event_id')) : null;
  const { envelopeEventId, newEventId } = facts;
  return envelopeEventId ?? sent ?? (typeof newEventId === 'string' ? newEventId : newEventId());
}

/** Grouping, title and culprit of a scrubbed event; `code` is the suspect plugin or theme. */
export function groupingKeyOf(event: NormalizedEvent, code = findSuspectComponent(event)): EventGroupingKey {
  return { ...groupEvent(event), title: buildTitle(event), culprit: buildCulprit(event, code) };
}

/** Replaces a lazy `secondaryHash` by its value, so that the key can be posted to a thread or kept. */
export function resolveLazyKey<Key extends Pick<NewEvent, 'secondaryHash'>>(key: Key): Key {
  return typeof key.secondaryHash === 'function' ? { ...key, secondaryHash: key.secondaryHash() } : key;
}
