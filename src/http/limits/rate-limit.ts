import type { IncomingMessage } from 'node:http';
import type { RateLimits } from '../../core/config/config.ts';
import { addJitter, createRateLimitError, type RestError } from '../../core/errors.ts';
import { addressShareOfQuota } from '../../core/fair-share.ts';
import { hourMs, minuteMs } from '../../core/parsing/durations.ts';
import type { Bucket, BucketState, Charge, ChargeResult, LimitStore } from '../../core/ports/limit-store.ts';
import type { Meter } from '../../core/ports/metrics.ts';
import type { ProjectQuotas, QuotaLeft } from '../../core/retention/project-quotas.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import { toLimitAddress } from './client-address.ts';
import { joinHeaders, type LimitHeaders, toLimitHeaders, toWholeSeconds } from './headers.ts';
import { createMemoryLimitStore, type LimitName } from './limit-store.ts';

/** Routes without a credential: indexes and WordPress's batch. */
const openPerAddressPerMinute = 120;
/** Losses in client reports: more than an SDK has, too few to distort an hour's statistics. */
const discardsPerAddressPerMinute = 100_000;
const discardsPerHour = 1_000_000;

/** `untaken`: unsupported envelope items. `bytes`: decompressed bodies with a public key; `untakenBytes`: of
 * unsupported items only. `losses`: in client reports. `open`: routes without a key. */
type LimitSurface = LimitName | 'untaken' | 'bytes' | 'untakenBytes' | 'losses' | 'open' | 'credentials';

type HeldBackCategories = () => readonly string[];

/** A cost of 0 only checks. Refused events hold back `error` by default. */
type SurfaceCost = readonly [name: LimitSurface, cost: number, heldBack?: HeldBackCategories | undefined];

export interface LimitSubject {
  readonly address: string;
  readonly keyId: number;
  readonly projectId: number;
  readonly resourceId: string;
}

interface LimitVerdict {
  readonly headers: LimitHeaders;
  readonly refusal: RestError | null;
}

export interface Limiters {
  /** Charges all limits of a surface, or none if one refuses. Atomic; `cost` defaults to 1. */
  consume(name: LimitSurface, subject: LimitSubject, cost?: number): Promise<LimitVerdict>;
  /** Several surfaces in one step, each admitted or refused by itself. */
  consumeEach(costs: readonly SurfaceCost[], subject: LimitSubject): Promise<readonly LimitVerdict[]>;
  /** The refusal of a limit that is used up, without charging; null if none is. */
  findSpent(names: readonly LimitSurface[], subject: LimitSubject): Promise<RestError | null>;
  /** Counts a failed credential; refuses once the address has used up its limit. */
  consumeBadCredential(address: string, isOfEvents?: boolean): Promise<LimitVerdict>;
  consumeOpen(address: string): Promise<LimitVerdict>;
}

/** `identifier` is used in headers and names the counters. */
interface Policy {
  readonly identifier: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Whether it is an address's share of the policy before it. */
  readonly isShare?: boolean;
  subject(subject: LimitSubject): string;
}

interface LimitersOptions {
  readonly countersMax?: number | undefined;
  readonly store?: LimitStore | undefined;
  readonly meter?: Meter | undefined;
  /** In [0, 1): randomizes the Retry-After. */
  readonly random?: (() => number) | undefined;
  /** Byte quotas of projects, which apply even when rate limits are off. */
  readonly limitWindows?: ProjectQuotas | null | undefined;
}

/** Without `limits.enabled` nothing is counted, except for byte quotas. */
export function createLimiters(
  limits: RateLimits,
  now: () => number,
  {
    countersMax,
    store = createMemoryLimitStore(now, countersMax),
    meter,
    random,
    limitWindows = null,
  }: LimitersOptions = {},
): Limiters {
  const policies = policiesOf(limits);
  const charge = ([name, cost]: SurfaceCost, subject: LimitSubject, quotaLeft: QuotaLeft | null): Charge => ({
    cost,
    buckets: [
      ...(limits.enabled ? policies[name].map((policy) => bucketOf(policy, subject)) : []),
      ...(quotaLeft === null || name !== 'bytes' ? [] : [sizeBucket(quotaLeft, subject)]),
    ],
  });
  const quotaLeftOf = async (
    names: readonly LimitSurface[],
    subject: LimitSubject,
  ): Promise<QuotaLeft | null> =>
    limitWindows !== null && names.includes('bytes') ? limitWindows.of(subject.projectId) : null;
  const consumeEach = async (
    costs: readonly SurfaceCost[],
    subject: LimitSubject,
  ): Promise<readonly LimitVerdict[]> => {
    const quotaLeft = await quotaLeftOf(
      costs.map(([name]) => name),
      subject,
    );
    if (!limits.enabled && quotaLeft === null) return costs.map(() => unlimited);
    const charges = costs.map((cost) => charge(cost, subject, quotaLeft));
    const results = await store.take(charges);
    if (quotaLeft !== null && isHalfUsed(quotaLeft, charges, results)) limitWindows?.requestJobRun();
    for (const [index, [name, cost]] of costs.entries()) {
      const isRefused = results[index]?.admitted === false;
      // A check that passes is counted when it is charged.
      if (cost > 0 || isRefused) meter?.count('limitDecisions', [name, isRefused ? 'refused' : 'admitted']);
    }
    return costs.map(([name, , heldBack = name === 'events' ? errors : noCategories], index) =>
      verdictOf(charges[index], results[index], heldBack, random),
    );
  };
  const one = async (cost: SurfaceCost, subject: LimitSubject) => {
    const [verdict = unlimited] = await consumeEach([cost], subject);
    return verdict;
  };
  return {
    consume: (name, subject, cost = 1) => one([name, cost], subject),
    consumeEach,
    async findSpent(names, subject) {
      const quotaLeft = await quotaLeftOf(names, subject);
      if (!limits.enabled && quotaLeft === null) return null;
      const charges = names.map((name) => charge([name, 0], subject, quotaLeft));
      const results = await store.take(charges);
      const at = results.findIndex(({ admitted }) => !admitted);
      return at < 0 ? null : verdictOf(charges[at], results[at], errors, random).refusal;
    },
    consumeBadCredential: (address, isOfEvents = false) =>
      one(['credentials', 1, isOfEvents ? errors : noCategories], anonymousAt(address)),
    consumeOpen: (address) => one(['open', 1], anonymousAt(address)),
  };
}

const errors: HeldBackCategories = () => ['error'];
const noCategories: HeldBackCategories = () => [];

const unlimited: LimitVerdict = { headers: [], refusal: null };

const anonymousAt = (address: string): LimitSubject => ({ address, keyId: 0, projectId: 0, resourceId: '' });

function verdictOf(
  charge: Charge | undefined,
  result: ChargeResult | undefined,
  heldBack: HeldBackCategories,
  random: (() => number) | undefined,
): LimitVerdict {
  if (charge === undefined || result === undefined) return unlimited;
  const headers = charge.buckets.flatMap((bucket, index) => {
    const level = result.levels[index];
    // A share does not always apply, so it has no headers.
    return level === undefined || bucket.isShare === true
      ? []
      : toLimitHeaders(bucket.limiter, bucket, level);
  });
  // The retention job, already requested, frees space long before the window ends.
  const levels = result.levels.map((level, index) =>
    charge.buckets[index]?.limiter === sizeLimiter
      ? { ...level, resetMs: Math.min(minuteMs, level.resetMs) }
      : level,
  );
  return {
    headers: joinHeaders(headers),
    refusal: result.admitted ? null : refusalOf(levels, heldBack(), random),
  };
}

const sizeLimiter = 'quota-bytes';
/** By then another retention run has a new key. */
const sizeWindowMs = hourMs;

function sizeBucket({ roundMs, bytes }: QuotaLeft, { projectId }: LimitSubject): Bucket {
  const key = `project:${projectId}:${roundMs}`;
  return { limiter: sizeLimiter, limit: bytes, windowMs: sizeWindowMs, key };
}

function isHalfUsed(
  { bytes }: QuotaLeft,
  charges: readonly Charge[],
  results: readonly ChargeResult[],
): boolean {
  return charges.some(({ buckets }, index) => {
    const at = buckets.findIndex(({ limiter }) => limiter === sizeLimiter);
    return at >= 0 && (results[index]?.levels[at]?.left ?? bytes) < bytes / 2;
  });
}

function refusalOf(
  levels: readonly BucketState[],
  categories: readonly string[],
  random: (() => number) | undefined,
): RestError {
  const waits = levels.map(({ left: remaining, resetMs }) => (remaining > 0 ? 0 : toWholeSeconds(resetMs)));
  return createRateLimitError(addJitter(Math.max(...waits), random), { categories });
}

function bucketOf(policy: Policy, subject: LimitSubject): Bucket {
  const { identifier: limiter, limit, windowMs, isShare } = policy;
  const bucket = { limiter, limit, windowMs, key: policy.subject(subject) };
  return isShare === true ? { ...bucket, isShare } : bucket;
}

const byAddress = (subject: LimitSubject): string => toLimitAddress(subject.address);
const byKey = (subject: LimitSubject): string => `key:${subject.keyId}`;
const byKeyAndAddress = (subject: LimitSubject): string => `${byKey(subject)} ${byAddress(subject)}`;
const byProject = (subject: LimitSubject): string => `project:${subject.projectId}`;
const byResource = (subject: LimitSubject): string => `${subject.projectId}:${subject.resourceId}`;

function policiesOf(limits: RateLimits): Record<LimitSurface, readonly Policy[]> {
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
  const ofBytes = (identifier: string): Policy[] => [
    perMinute(identifier, limits.bytesPerMinute, byKey),
    perMinute(`${identifier}-address`, limits.bytesPerAddressPerMinute, byAddress),
    perMinute(`${identifier}-project`, limits.bytesPerProjectPerMinute, byProject),
  ];
  return {
    events: ofEvents('events'),
    untaken: ofEvents('untaken'),
    bytes: ofBytes('bytes'),
    untakenBytes: ofBytes('untaken-bytes'),
    losses: [
      perHour('losses', discardsPerHour, byKey),
      perMinute('losses-address', discardsPerAddressPerMinute, byAddress),
    ],
    feedback: [
      perMinute('feedback-address', limits.feedbackPerAddressPerMinute, byAddress),
      perHour('feedback', limits.feedbackPerHour, byKey),
      {
        ...perHour('feedback-share', addressShareOfQuota(limits.feedbackPerHour), byKeyAndAddress),
        isShare: true,
      },
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

/** For `beforeOpen`: charges the request, sets the headers, throws the refusal. */
export function limitUnauthenticated(
  limiters: Limiters,
  clientAddress: (incoming: IncomingMessage) => string,
): (request: RestRequest) => Promise<void> {
  return async ({ incoming, responseHeaders }) => {
    // Requests inside a batch are counted with the batch.
    if (incoming === null) return;
    const { headers, refusal } = await limiters.consumeOpen(clientAddress(incoming));
    responseHeaders.push(...headers);
    if (refusal !== null) throw refusal;
  };
}
