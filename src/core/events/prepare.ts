// Reads, scrubs and groups an event without the store, so that it also runs in a worker thread.

import type { EventError, NormalizedEvent } from '../../../schemas/event.ts';
import { parseEventId } from '../ids.ts';
import { normalizeEvent } from '../normalize/event.ts';
import type { EventFacts, Mapping, PreparedEvent } from '../ports/readings.ts';
import { isRecord, own } from '../reading/lenient.ts';
import { parseTimestamp } from '../reading/moments.ts';
import { scrubEvent } from '../scrub/event.ts';
import { faultyCodeOf, withCodeTag } from '../site-code/faulty.ts';
import type { NewEvent } from '../store/events.ts';
import { keyOf } from './key.ts';
import { countedTags } from './told.ts';
import { userHashOf, userKeysOf } from './user-hash.ts';

export interface SentEvent {
  readonly event: NormalizedEvent;
  readonly errors: readonly EventError[];
  readonly userHash: string | null;
  /** Hashes of further names of the user. */
  readonly userKeys: readonly string[];
}

/** `replacedAt` says where invalid text was replaced. Never throws. */
export function readEvent(raw: unknown, facts: EventFacts, replacedAt: readonly string[] = []): SentEvent {
  const { event, errors } = normalizeEvent(raw, {
    receivedAtMs: facts.receivedAtMs,
    eventId: eventIdOf(raw, facts),
    sentAtMs: facts.sentAtMs,
    userAgent: facts.userAgent,
    replacedAt,
  });
  const { userHashKey, clientAddress, project } = facts;
  const userHash = userHashKey === null ? null : userHashOf(event, clientAddress, userHashKey, project.id);
  const userKeys = userHashKey === null ? [] : userKeysOf(event, userHashKey, project.id);
  return { event, errors, userHash, userKeys };
}

/** Scrubs and groups an event that is already symbolicated if possible. */
export function finishEvent(sent: SentEvent, mapping: Mapping, facts: EventFacts): PreparedEvent {
  return groupScrubbed(scrubSent(sent, facts), mapping);
}

interface ScrubbedEvent extends Pick<SentEvent, 'userHash' | 'userKeys'> {
  readonly clean: ReturnType<typeof scrubEvent>;
}

/** After symbolication, because source maps bring source lines. */
export function scrubSent(
  { event, errors, userHash, userKeys }: SentEvent,
  facts: EventFacts,
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
export function groupScrubbed({ clean, userHash, userKeys }: ScrubbedEvent, mapping: Mapping): PreparedEvent {
  const { errors = [], ...event } = clean.event;
  const code = faultyCodeOf(event);
  const stored = withCodeTag(event, code);
  return {
    ...columnsOf(event),
    ...keyOf(event, code),
    payload: JSON.stringify(stored),
    tags: countedTags(stored),
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
    timestampMs: Math.floor((parseTimestamp(event.timestamp) ?? 0) / 1000),
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
function eventIdOf(raw: unknown, facts: EventFacts): string {
  const sent = isRecord(raw) ? parseEventId(own(raw, 'event_id')) : null;
  return facts.envelopeEventId ?? sent ?? facts.newEventId;
}
