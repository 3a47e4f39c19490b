// What an event of the demo says: made as an SDK makes it, and then read, scrubbed and grouped by the
// program's own rule, so that what is shown is what a real event of this kind would be.

import type { NormalizedEvent } from '../../../../../schemas/event.ts';
import { finishEvent, readEvent } from '../../../../core/events/prepare.ts';
import { toldOf } from '../../../../core/events/told.ts';
import { newestGrouping } from '../../../../core/grouping/versions.ts';
import type { EventFacts, PreparedEvent } from '../../../../core/ports/readings.ts';
import type { Grouping } from '../../../../core/store/events.ts';
import { between, hex } from '../../chance.ts';
import type { IssueTemplate } from '../templates/template.ts';
import { customers } from './customers.ts';
import { stacksOf } from './stacks.ts';
import { customerOf, platforms, surroundingsOf } from './surroundings.ts';

/** An event before it is made: what happened when, and where. */
export interface EventToTell {
  readonly eventId: string;
  readonly template: IssueTemplate;
  readonly projectId: number;
  readonly atMs: number;
  readonly release: string;
  readonly environment: string;
}

/** Users of the demo are counted by hashes under this key; there is nothing to keep secret. */
export const demoUserKey: Uint8Array = Buffer.alloc(32, 'harbour and pine');

/** The event as the store would be handed it. */
export function preparedEvent(toTell: EventToTell): PreparedEvent {
  const facts: EventFacts = {
    receivedAtMs: toTell.atMs,
    envelopeEventId: toTell.eventId,
    newEventId: toTell.eventId,
    sentAtMs: null,
    userAgent: 'harbour-and-pine',
    clientAddress: '192.0.2.10',
    project: {
      id: toTell.projectId,
      groupingVersion: newestGrouping,
      scrubFields: [],
      storeIpAddresses: false,
    },
    userHashKey: demoUserKey,
  };
  return finishEvent(readEvent(sentEvent(toTell), facts), { needsMapping: false }, facts);
}

/** The platform that events of a fault name. */
export function platformOf({ slug, stack }: IssueTemplate): string {
  return stack === 'native' ? 'native' : platforms[slug];
}

/** The event as an SDK of its platform sends it. */
function sentEvent({ eventId, template, atMs, release, environment }: EventToTell): Record<string, unknown> {
  const customer = customerOf(customers, eventId);
  // It takes a moment until an event has come.
  const happenedAtMs = atMs - between(90, 1_400, eventId, 'late');
  return {
    event_id: eventId,
    timestamp: happenedAtMs / 1000,
    platform: platformOf(template),
    level: template.level ?? 'error',
    environment,
    release,
    ...surroundingsOf({ eventId, template, customer, atMs: happenedAtMs }),
    ...whatWentWrong(template, release),
  };
}

function whatWentWrong(template: IssueTemplate, release: string): Record<string, unknown> {
  const stacks = stacksOf(template, release);
  if (template.type === '') return { message: template.value, ...stacks };
  const isPromise = template.slug === 'shop-web';
  const mechanism = { type: isPromise ? 'onunhandledrejection' : 'generic', handled: !isPromise };
  const thrown = { type: template.type, value: template.value, mechanism, ...stacks };
  const cause =
    template.stack === 'minified'
      ? { type: 'RateError', value: 'no shipping rate for zone "IE-D"' }
      : template.cause;
  if (cause === undefined) return { exception: { values: [thrown] } };
  const { type, value } = cause;
  return { exception: { values: [{ type, value, ...stacksOf(template, release, true) }, thrown] } };
}

/** By what the events of a fault are grouped, and what of them is searched beside their title. */
interface Grouped {
  readonly grouping: Grouping;
  readonly text: string;
  readonly tags: PreparedEvent['tags'];
}

const grouped = new Map<string, Grouped>();

/** The same for each event of a fault, so made once, when it is first asked for. */
export function groupedOf(template: IssueTemplate): Grouped {
  const known = grouped.get(template.key);
  if (known !== undefined) return known;
  const { grouping, payload, tags } = plainEvent(template);
  const { text } = toldOf(JSON.parse(payloadText(payload)) as NormalizedEvent);
  const made = { grouping, text, tags };
  grouped.set(template.key, made);
  return made;
}

/** Tags that come from the fault alone, such as the plugin that it lies in, among others. */
export function constantTags(template: IssueTemplate): NonNullable<PreparedEvent['tags']> {
  return groupedOf(template).tags ?? [];
}

/** An event of a fault that nobody sent. */
export function plainEvent(template: IssueTemplate): PreparedEvent {
  return preparedEvent({
    eventId: hex(32, 'plain', template.key),
    template,
    projectId: 1,
    atMs: Date.UTC(2026, 10, 21),
    release: '1.0.0',
    environment: 'production',
  });
}

/** A payload that was made here is a text. */
export function payloadText(payload: PreparedEvent['payload']): string {
  if (typeof payload !== 'string') throw new TypeError('A payload of the demo is not packed.');
  return payload;
}
