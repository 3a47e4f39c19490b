// Events of the demo as the store answers them: whole ones are made when they are asked for.

import type { PreparedEvent } from '../../../core/ports/readings.ts';
import type { EventReadStore, EventSummary, StoredEvent } from '../../../core/store/events.ts';
import { demoProjects } from '../../world/company.ts';
import type { StoredPlace } from '../../world/errors/stored.ts';
import { payloadText, preparedEvent } from '../../world/errors/told/prepared.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';

/** What this file answers. */
export type EventReads = Pick<EventReadStore, 'findEvent' | 'findEventDomain' | 'findAttachment'>;

/** The reads of single events. */
export function eventReads(world: ErrorsWorld): EventReads {
  const find = (projectId: number, eventId: string): StoredPlace | null => {
    const place = world.storedById(eventId);
    return place?.projectId === projectId ? place : null;
  };
  return {
    async findEvent(projectId, eventId) {
      const place = find(projectId, eventId);
      return place === null ? null : storedEvent(world, place);
    },
    async findEventDomain(projectId, eventId) {
      const place = find(projectId, eventId);
      return place === null ? undefined : domainOf(place);
    },
    findAttachment: async () => null,
  };
}

/** An event whole, with its neighbours. */
function storedEvent(world: ErrorsWorld, place: StoredPlace): StoredEvent {
  const made = preparedOf(place);
  const beside = world.storedOf(place.issueId);
  const at = beside.indexOf(place);
  return {
    ...summaryOf(place, made),
    payload: payloadText(made.payload),
    grouping: made.grouping,
    errors: made.errors,
    attachments: [],
    olderEventId: beside[at - 1]?.eventId ?? null,
    newerEventId: beside[at + 1]?.eventId ?? null,
  };
}

const made = new WeakMap<StoredPlace, PreparedEvent>();

/** What an event says; made once for each place. */
export function preparedOf(place: StoredPlace): PreparedEvent {
  const known = made.get(place);
  if (known !== undefined) return known;
  const { eventId, own, projectId, atMs, release, environment } = place;
  const fresh = preparedEvent({
    eventId,
    template: own.template,
    projectId,
    atMs,
    release,
    environment,
  });
  made.set(place, fresh);
  return fresh;
}

/** An event as lists show it. */
export function summaryOf(place: StoredPlace, event = preparedOf(place)): EventSummary {
  return {
    eventId: place.eventId,
    issueId: place.issueId,
    receivedAtMs: place.atMs,
    timestampMs: event.timestampMs,
    level: event.level,
    platform: event.platform,
    title: event.title,
    culprit: event.culprit,
    release: event.release,
    dist: event.dist,
    environment: event.environment,
    sdkName: event.sdkName,
    sdkVersion: event.sdkVersion,
    domain: domainOf(place),
    scrubbedCount: event.scrubbedCount,
    needsMapping: event.needsMapping,
  };
}

/** Jobs come from no page. */
function domainOf({ projectId }: StoredPlace): string | null {
  const project = demoProjects.find(({ id }) => id === projectId);
  return project === undefined || project.slug === 'worker-queue' ? null : project.host;
}
