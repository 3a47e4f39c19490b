// The limits of a route that knows what a request costs only once it has read the body (D-20): asked before,
// charged after, with the bytes of the body.
import { RestError } from '../../core/errors.ts';
import { BodyStalled } from '../bodies/body-patience.ts';
import { joinedHeaders, type LimitHeaders } from './headers.ts';
import type { Limiters, LimitSubject } from './rate-limit.ts';

/** Items of a body by who pays for them. */
interface QuotaCost {
  readonly taken: number;
  readonly untaken: number;
  /** What an SDK is to hold back where what is taken is refused; errors unless said. */
  readonly heldBack?: () => readonly string[];
}

export interface Quota {
  /** Whether nothing was left when the request came: then little of its body needs to be read. */
  readonly isSpent: boolean;
  readonly isCharged: boolean;
  /**
   * Asks the limits and charges each with its cost, in one step. What is left is told in the answer's
   * headers. A refusal concerns its own items alone; there is none for items that are not there. The bytes
   * are those of what we take, where there is any of it.
   */
  charge(cost: QuotaCost): Promise<{ readonly taken: RestError | null; readonly untaken: RestError | null }>;
  /** Asks and charges the limit of losses that clients report. */
  admitLosses(quantity: number): Promise<boolean>;
}

/** Asks the limit of events without charging it. `tell` is given the headers of the answer, once. */
export async function openQuota(
  limiters: Limiters,
  subject: LimitSubject,
  tell: (headers: LimitHeaders) => void,
  /** Of the body, as far as it was read. */
  readBytes: () => number,
): Promise<Quota> {
  let isCharged = false;
  return {
    isSpent: await limiters.isSpent(['events', 'bytes'], subject),
    get isCharged() {
      return isCharged;
    },
    async charge({ taken, untaken, heldBack }) {
      isCharged = true;
      const surface = taken > 0 ? 'bytes' : 'untakenBytes';
      const [events, bytes, rest] = await limiters.consumeEach(
        [
          ['events', taken, heldBack],
          [surface, taken + untaken > 0 ? readBytes() : 0, heldBackBy(surface, heldBack)],
          ...(untaken > 0 ? [['untaken', untaken] as const] : []),
        ],
        subject,
      );
      // Of bytes only who has none left is told: they are nothing that a client counts.
      const told = [events, rest, bytes?.refusal === null ? undefined : bytes];
      tell(joinedHeaders(told.flatMap((verdict) => verdict?.headers ?? [])));
      const refusalOf = (items: number, own: RestError | null | undefined): RestError | null =>
        items > 0 ? (own ?? bytes?.refusal ?? null) : null;
      return {
        taken: refusalOf(taken, events?.refusal),
        untaken: taken > 0 ? (rest?.refusal ?? null) : refusalOf(untaken, rest?.refusal),
      };
    },
    async admitLosses(quantity) {
      return (await limiters.consume('losses', subject, quantity)).refusal === null;
    },
  };
}

const errors = (): readonly string[] => ['error'];

function heldBackBy(surface: 'bytes' | 'untakenBytes', heldBack: QuotaCost['heldBack']) {
  return surface === 'bytes' ? (heldBack ?? errors) : undefined;
}

/**
 * What to answer a request that failed before its cost was known. It costs one event; where none is left, the
 * answer is the limit's refusal, unless the body stalled: then that is said. Our own overload costs nothing.
 */
export async function failureOf(quota: Quota, failure: unknown): Promise<unknown> {
  if (quota.isCharged) return failure;
  const isRefusal = failure instanceof RestError;
  const isOverload = isRefusal && failure.status === 429;
  const { taken } = await quota.charge({ taken: isOverload ? 0 : 1, untaken: 0 });
  return isRefusal && !(failure instanceof BodyStalled) ? (taken ?? failure) : failure;
}
