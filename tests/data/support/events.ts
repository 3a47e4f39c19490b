// Events for the store, each with what a test needs to say about it.
import { createHash } from 'node:crypto';
import type { NewEvent } from '../../../src/core/store/events.ts';

/** A moment at the beginning of an hour, so that a test says itself when an hour ends. */
export const startMs = 1_800_000_000_000 - (1_800_000_000_000 % 3_600_000);

export type EventParts = Partial<Omit<NewEvent, 'grouping' | 'eventId'>> & {
  /** Any word: the same word is the same event id. */
  readonly id?: string;
  /** Any word: the same word is the same issue. */
  readonly kind?: string;
  /** Seconds after the start. */
  readonly second?: number;
};

export function hashOf(word: string): string {
  return createHash('sha256').update(word).digest('hex');
}

export function eventIdOf(word: string): string {
  return hashOf(word).slice(0, 32);
}

let made = 0;

/** An event of project 1. Without an id it has one of its own. */
export function eventOf(parts: EventParts = {}): NewEvent {
  const { id, kind, second, ...given } = parts;
  made += 1;
  const receivedAtMs = startMs + (second ?? 0) * 1000;
  const tags: Array<[string, string]> = [['zone', `z${made % 3}`]];
  return {
    projectId: 1,
    eventId: eventIdOf(id ?? `event ${made}`),
    receivedAtMs,
    timestampMs: receivedAtMs,
    level: 'error',
    platform: 'javascript',
    title: `TypeError: ${kind ?? 'x'}`,
    culprit: 'cart.js',
    release: null,
    dist: null,
    environment: null,
    sdkName: 'sentry.javascript.browser',
    sdkVersion: '10.1.0',
    domain: 'shop.example',
    grouping: {
      algorithm: 'ng2',
      source: 'stacktrace',
      parts: ['TypeError @ cart.js · add'],
      notes: [],
      hash: hashOf(kind ?? 'x'),
    },
    payload: JSON.stringify({ message: kind ?? 'x', tags }),
    ...('payload' in given ? {} : { tags }),
    errors: [],
    scrubbedCount: 0,
    userHash: null,
    needsMapping: false,
    attachments: [],
    ...given,
  };
}
