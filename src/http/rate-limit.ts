// Counting requests (D-13, D-20): express-rate-limit with draft-8 headers over a store that cannot grow without bound.

import type { Request, Response } from 'express';
import {
  type Store as CounterStore,
  ipKeyGenerator,
  type RateLimitRequestHandler,
  rateLimit,
} from 'express-rate-limit';
import type { RateLimits } from '../core/config.ts';
import { type RestError, rateLimited } from '../core/errors.ts';
import type { LimitName } from './route.ts';

/** At most so many counters are kept per limiter; the one whose window began first goes first. */
const countersKeptMax = 100_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;

export interface LimitSubject {
  readonly address: string;
  readonly keyId: number;
  readonly projectId: number;
  /** The proof of a /check, where there is one. */
  readonly resourceId: string;
}

export interface LimitVerdict {
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly refusal: RestError | null;
}

export interface Limiters {
  /** Counts a request on the surface `name` and says whether it may go on. */
  consume(name: LimitName, subject: LimitSubject): Promise<LimitVerdict>;
  /** Counts a failed credential of an address; the refusal comes once the address has used its share up. */
  consumeBadCredential(address: string, category?: string): Promise<LimitVerdict>;
}

interface Policy {
  readonly identifier: string;
  readonly limit: number;
  readonly windowMs: number;
  subject(subject: LimitSubject): string;
}

/**
 * The limiters of decision D-20. `now` gives milliseconds. Off, nothing is counted and no header is written.
 * `category` of a refusal on the event routes lets a Sentry SDK still report what it lost (D-13).
 */
export function createLimiters(
  limits: RateLimits,
  now: () => number,
  { countersMax = countersKeptMax }: { countersMax?: number } = {},
): Limiters {
  if (!limits.enabled) {
    const free = Promise.resolve({ headers: [], refusal: null });
    return { consume: () => free, consumeBadCredential: () => free };
  }
  const surfaces = new Map<LimitName, Limiter[]>();
  for (const [name, policies] of Object.entries(policiesOf(limits))) {
    surfaces.set(
      name as LimitName,
      policies.map((policy) => createLimiter(policy, now, countersMax)),
    );
  }
  const bad = createLimiter(
    {
      identifier: 'credentials',
      limit: limits.badCredentialsPerMinute,
      windowMs: minuteMs,
      subject: byAddress,
    },
    now,
    countersMax,
  );
  return {
    consume: (name, subject) =>
      consumeAll(surfaces.get(name) ?? [], subject, name === 'events' ? 'error' : undefined),
    consumeBadCredential: (address, category) =>
      consumeAll([bad], { address, keyId: 0, projectId: 0, resourceId: '' }, category),
  };
}

const byAddress = (subject: LimitSubject): string => ipKeyGenerator(subject.address, 56);
const byKey = (subject: LimitSubject): string => `key:${subject.keyId}`;
const byProject = (subject: LimitSubject): string => `project:${subject.projectId}`;
const byResource = (subject: LimitSubject): string => `${subject.projectId}:${subject.resourceId}`;

function policiesOf(limits: RateLimits): Record<LimitName, Policy[]> {
  const policy = (
    identifier: string,
    limit: number,
    windowMs: number,
    subject: Policy['subject'],
  ): Policy => ({
    identifier,
    limit,
    windowMs,
    subject,
  });
  return {
    events: [
      policy('events', limits.eventsPerMinute, minuteMs, byKey),
      policy('events-address', limits.eventsPerAddressPerMinute, minuteMs, byAddress),
    ],
    feedback: [
      policy('feedback-address', limits.feedbackPerAddressPerMinute, minuteMs, byAddress),
      policy('feedback', limits.feedbackPerHour, hourMs, byKey),
    ],
    verify: [policy('verify-address', limits.verifyPerAddressPerMinute, minuteMs, byAddress)],
    server: [policy('server', limits.serverPerMinute, minuteMs, byKey)],
    chunks: [policy('chunks', limits.chunksPerMinute, minuteMs, byKey)],
    proofs: [policy('proofs', limits.proofsPerHour, hourMs, byProject)],
    checks: [policy('checks', limits.checksPerMinute, minuteMs, byResource)],
  };
}

interface Limiter {
  readonly policy: Policy;
  readonly handler: RateLimitRequestHandler;
}

interface Outcome {
  headers: Array<[string, string]>;
  retryAfterSeconds: number | null;
}

/** What the library is handed in place of Express's response: the engine writes the headers, in WordPress's order. */
class HeaderCollector {
  readonly headersSent = false;
  readonly headers: Array<[string, string]> = [];

  setHeader(name: string, value: string): void {
    this.headers.push([name, value]);
  }

  append(name: string, value: string): void {
    this.headers.push([name, value]);
  }
}

function createLimiter(policy: Policy, now: () => number, countersMax: number): Limiter {
  const handler = rateLimit({
    windowMs: policy.windowMs,
    limit: policy.limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: policy.identifier,
    store: boundedStore(policy.windowMs, now, countersMax),
    // Addresses come from our own reading of TRUST_PROXY, so the library's guesses about Express do not apply.
    validate: false,
    keyGenerator: (request: Request) => (request as unknown as { subjectKey: string }).subjectKey,
    handler: (_request: Request, response: Response) => {
      (response as unknown as { limited: boolean }).limited = true;
    },
  });
  return { policy, handler };
}

async function consumeAll(
  limiters: readonly Limiter[],
  subject: LimitSubject,
  category: string | undefined,
): Promise<LimitVerdict> {
  const outcomes: Outcome[] = [];
  for (const limiter of limiters) outcomes.push(await consumeOne(limiter, subject));
  const waits = outcomes.flatMap((outcome) =>
    outcome.retryAfterSeconds === null ? [] : [outcome.retryAfterSeconds],
  );
  return {
    headers: joined(outcomes.flatMap((outcome) => outcome.headers)),
    refusal:
      waits.length === 0 ? null : rateLimited(Math.max(...waits), category === undefined ? {} : { category }),
  };
}

async function consumeOne(limiter: Limiter, subject: LimitSubject): Promise<Outcome> {
  const request = { subjectKey: limiter.policy.subject(subject), headers: {} };
  const response = Object.assign(new HeaderCollector(), { limited: false });
  await new Promise<void>((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    Promise.resolve(
      limiter.handler(request as unknown as Request, response as unknown as Response, next),
    ).then(() => resolve(), reject);
  });
  const wait = response.headers.find(([name]) => name === 'Retry-After')?.[1];
  return {
    headers: response.headers.filter(([name]) => name !== 'Retry-After'),
    retryAfterSeconds: response.limited ? Number(wait ?? 1) : null,
  };
}

/** One line a name: several policies stand in one list, as the draft has it. */
function joined(headers: ReadonlyArray<readonly [string, string]>): Array<readonly [string, string]> {
  const lines = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = lines.get(name);
    lines.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return [...lines];
}

/**
 * Counters of fixed windows that start at a key's first hit, at most `countersMax` of them: a Map keeps the order in
 * which windows began, so the oldest is the first. (The library's own memory store grows by 400 bytes a key for ever.)
 */
function boundedStore(windowMs: number, now: () => number, countersMax: number): CounterStore {
  const counters = new Map<string, { totalHits: number; endsAtMs: number }>();
  // One iterator for ever: what it has passed is deleted, so its next is the oldest. A new one would begin by stepping over
  // all that was deleted before (71 µs a request, measured with 140,000 evicted).
  const fromOldest = counters.keys();
  return {
    localKeys: true,
    increment(key) {
      const nowMs = now();
      let counter = counters.get(key);
      if (counter === undefined || counter.endsAtMs <= nowMs || counter.endsAtMs > nowMs + windowMs) {
        counters.delete(key);
        if (counters.size >= countersMax) {
          const oldest = fromOldest.next().value;
          if (oldest !== undefined) counters.delete(oldest);
        }
        counter = { totalHits: 0, endsAtMs: nowMs + windowMs };
        counters.set(key, counter);
      }
      counter.totalHits += 1;
      // The library reads the clock itself for the header; the distance to the end is what it has to see.
      return { totalHits: counter.totalHits, resetTime: new Date(Date.now() + counter.endsAtMs - nowMs) };
    },
    decrement(key) {
      const counter = counters.get(key);
      if (counter !== undefined && counter.totalHits > 0) counter.totalHits -= 1;
    },
    resetKey(key) {
      counters.delete(key);
    },
  };
}
