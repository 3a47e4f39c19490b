// Limits for routes whose cost is known only after reading the body: checked before, charged after.
import { RestError } from '../../core/errors.ts';
import { BodyStalled } from '../bodies/body-timeouts.ts';
import { joinHeaders, type LimitHeaders } from './headers.ts';
import type { Limiters, LimitSubject } from './rate-limit.ts';

interface QuotaCost {
  readonly supported: number;
  readonly unsupported: number;
  /** Categories for X-Sentry-Rate-Limits; default: error. */
  readonly heldBack?: () => readonly string[];
}

export type Quota = Awaited<ReturnType<typeof openQuota>>;

/** Checks the limits of events and bytes without charging. `addHeaders` gets the answer's headers once. */
export async function openQuota(
  limiters: Limiters,
  subject: LimitSubject,
  addHeaders: (headers: LimitHeaders) => void,
  readBytes: () => number,
) {
  let isCharged = false;
  return {
    /** The refusal of a limit that was used up when the request arrived; then little of the body is read. */
    spent: await limiters.findSpent(['events', 'bytes'], subject),
    get isCharged() {
      return isCharged;
    },
    /** Charges all limits in one step and sets the headers; one refusal for supported, one for other items. */
    async charge({ supported, unsupported, heldBack }: QuotaCost) {
      isCharged = true;
      const surface = supported > 0 ? 'bytes' : 'untakenBytes';
      const [events, bytes, rest] = await limiters.consumeEach(
        [
          ['events', supported, heldBack],
          [surface, supported + unsupported > 0 ? readBytes() : 0, heldBackBy(surface, heldBack)],
          ...(unsupported > 0 ? [['untaken', unsupported] as const] : []),
        ],
        subject,
      );
      // The byte limit is shown only when it refuses.
      const verdicts = [events, rest, bytes?.refusal === null ? undefined : bytes];
      addHeaders(joinHeaders(verdicts.flatMap((verdict) => verdict?.headers ?? [])));
      const refusalOf = (items: number, refusal: RestError | null | undefined): RestError | null =>
        items > 0 ? (refusal ?? bytes?.refusal ?? null) : null;
      return {
        supported: refusalOf(supported, events?.refusal),
        unsupported: supported > 0 ? (rest?.refusal ?? null) : refusalOf(unsupported, rest?.refusal),
      };
    },
    async admitDiscarded(quantity: number) {
      return (await limiters.consume('losses', subject, quantity)).refusal === null;
    },
  };
}

const errors = (): readonly string[] => ['error'];

function heldBackBy(surface: 'bytes' | 'untakenBytes', heldBack: QuotaCost['heldBack']) {
  return surface === 'bytes' ? (heldBack ?? errors) : undefined;
}

/** A request that failed uncharged costs one event, and an exhausted limit is its answer unless the body stalled. A
 * 429 of our own overload costs nothing. */
export async function chargeFailure(quota: Quota, failure: unknown): Promise<unknown> {
  if (quota.isCharged) return failure;
  const isRefusal = failure instanceof RestError;
  const isOverload = isRefusal && failure.status === 429;
  const { supported } = await quota.charge({ supported: isOverload ? 0 : 1, unsupported: 0 });
  if (!isRefusal || failure instanceof BodyStalled) return failure;
  // Counters in Redis and of this server may differ: then the limit of the body was only that of a spent quota.
  return supported ?? (isOverload ? failure : (quota.spent ?? failure));
}
