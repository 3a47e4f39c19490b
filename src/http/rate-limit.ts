// Which limits there are, whom they count, and what a refusal says (D-13, D-20). How counters work is limit-store.ts's affair.
import { ipKeyGenerator } from 'express-rate-limit';
import type { RateLimits } from '../core/config.ts';
import { type RestError, rateLimited } from '../core/errors.ts';
import { type Bucket, type Level, type LimitStore, memoryLimitStore } from './limit-store.ts';
import { joinedHeaders, type LimitHeaders, limitHeaders, secondsOf } from './rate-limit-headers.ts';
import type { LimitName } from './route.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Requests of an address to what needs no credential: the indexes, and WordPress's batch. */
const openPerAddressPerMinute = 120;
/** Losses that client reports may add: more than an honest SDK has, and too few to drown the figures of an hour (D-75). */
const lossesPerAddressPerMinute = 100_000;
const lossesPerHour = 1_000_000;

/**
 * What is limited: the surfaces of the route table, and beside them what no route names. `untaken`: items of envelopes that we
 * do not keep. `losses`: what client reports add. `open`: routes without a credential. `credentials`: failed ones.
 */
export type SurfaceName = LimitName | 'untaken' | 'losses' | 'open' | 'credentials';

export interface LimitSubject {
  readonly address: string;
  readonly keyId: number;
  readonly projectId: number;
  /** The proof of a /check, where there is one. */
  readonly resourceId: string;
}

export interface LimitVerdict {
  readonly headers: LimitHeaders;
  readonly refusal: RestError | null;
}

export interface Limiters {
  /**
   * Asks all limits of a surface and charges each with `cost`, 1 where nothing is said; what one of them refuses costs the
   * others nothing. A cost of 0 only asks. One step: however many ask at once, the last unit admits one of them.
   */
  consume(name: SurfaceName, subject: LimitSubject, cost?: number): Promise<LimitVerdict>;
  /** The same for several surfaces in one step, each admitting or refusing by itself. */
  consumeEach(
    charges: ReadonlyArray<readonly [name: SurfaceName, cost: number]>,
    subject: LimitSubject,
  ): Promise<readonly LimitVerdict[]>;
  /** Counts a failed credential of an address; the refusal comes once the address has used its share up. */
  consumeBadCredential(address: string, category?: string): Promise<LimitVerdict>;
  /** Counts a request of an address to a route that needs no credential. */
  consumeOpen(address: string): Promise<LimitVerdict>;
}

/** One limit. Its identifier stands in the headers and names its counters. */
interface Policy {
  readonly identifier: string;
  readonly limit: number;
  readonly windowMs: number;
  subject(subject: LimitSubject): string;
}

/** The limiters of decision D-20. `now` gives milliseconds. Off, nothing is counted and no header is written. */
export function createLimiters(
  limits: RateLimits,
  now: () => number,
  {
    countersMax,
    store = memoryLimitStore(now, countersMax),
  }: { countersMax?: number; store?: LimitStore } = {},
): Limiters {
  const policies = policiesOf(limits);
  const consumeEach = limits.enabled ? consumer(policies, store) : free;
  const one = async (name: SurfaceName, subject: LimitSubject, cost = 1, category?: string) => {
    const [verdict = unlimited] = await consumeEach([[name, cost]], subject, category);
    return verdict;
  };
  return {
    consume: (name, subject, cost) => one(name, subject, cost),
    consumeEach: (charges, subject) => consumeEach(charges, subject),
    consumeBadCredential: (address, category) => one('credentials', nobodyAt(address), 1, category),
    consumeOpen: (address) => one('open', nobodyAt(address)),
  };
}

type ConsumeEach = (
  charges: ReadonlyArray<readonly [name: SurfaceName, cost: number]>,
  subject: LimitSubject,
  category?: string,
) => Promise<readonly LimitVerdict[]>;

const unlimited: LimitVerdict = { headers: [], refusal: null };

const free: ConsumeEach = async (charges) => charges.map(() => unlimited);

const nobodyAt = (address: string): LimitSubject => ({ address, keyId: 0, projectId: 0, resourceId: '' });

function consumer(policies: Record<SurfaceName, readonly Policy[]>, store: LimitStore): ConsumeEach {
  return async (charges, subject, category) => {
    const asked = charges.map(([name, cost]) => ({
      cost,
      buckets: policies[name].map((policy) => bucketOf(policy, subject)),
    }));
    const taken = await store.take(asked);
    return charges.map(([name], index): LimitVerdict => {
      const { admitted = true, levels = [] } = taken[index] ?? {};
      const headers = (asked[index]?.buckets ?? []).flatMap((bucket, place) =>
        limitHeaders(
          bucket.limiter,
          bucket,
          levels[place] ?? { left: bucket.limit, resetMs: bucket.windowMs },
        ),
      );
      // A Sentry SDK that is told what to hold back still reports what it lost (D-13).
      const heldBack = name === 'events' ? 'error' : category;
      return { headers: joinedHeaders(headers), refusal: admitted ? null : refusalOf(levels, heldBack) };
    });
  };
}

/** The longest wait of those that have nothing left. */
function refusalOf(levels: readonly Level[], category: string | undefined): RestError {
  const waits = levels.map(({ left, resetMs }) => (left > 0 ? 0 : secondsOf(resetMs)));
  return rateLimited(Math.max(...waits), category === undefined ? {} : { category });
}

function bucketOf(policy: Policy, subject: LimitSubject): Bucket {
  const { identifier: limiter, limit, windowMs } = policy;
  return { limiter, limit, windowMs, key: policy.subject(subject) };
}

const byAddress = (subject: LimitSubject): string => ipKeyGenerator(subject.address, 56);
const byKey = (subject: LimitSubject): string => `key:${subject.keyId}`;
const byProject = (subject: LimitSubject): string => `project:${subject.projectId}`;
const byResource = (subject: LimitSubject): string => `${subject.projectId}:${subject.resourceId}`;

function policiesOf(limits: RateLimits): Record<SurfaceName, readonly Policy[]> {
  const policy =
    (windowMs: number) =>
    (identifier: string, limit: number, subject: Policy['subject']): Policy => ({
      identifier,
      limit,
      windowMs,
      subject,
    });
  const [perMinute, perHour] = [policy(minuteMs), policy(hourMs)];
  const ofEvents = (identifier: string): Policy[] => [
    perMinute(identifier, limits.eventsPerMinute, byKey),
    perMinute(`${identifier}-address`, limits.eventsPerAddressPerMinute, byAddress),
  ];
  return {
    events: ofEvents('events'),
    untaken: ofEvents('untaken'),
    losses: [
      perHour('losses', lossesPerHour, byKey),
      perMinute('losses-address', lossesPerAddressPerMinute, byAddress),
    ],
    feedback: [
      perMinute('feedback-address', limits.feedbackPerAddressPerMinute, byAddress),
      perHour('feedback', limits.feedbackPerHour, byKey),
    ],
    verify: [perMinute('verify-address', limits.verifyPerAddressPerMinute, byAddress)],
    server: [perMinute('server', limits.serverPerMinute, byKey)],
    chunks: [perMinute('chunks', limits.chunksPerMinute, byKey)],
    proofs: [perHour('proofs', limits.proofsPerHour, byProject)],
    checks: [perMinute('checks', limits.checksPerMinute, byResource)],
    open: [perMinute('open-address', openPerAddressPerMinute, byAddress)],
    credentials: [perMinute('credentials', limits.badCredentialsPerMinute, byAddress)],
  };
}
