// Cache of one value with stale-while-revalidate and stale-if-error; one computation at a time.
import { minuteMs } from '../../core/parsing/durations.ts';

export const freshMs = 15_000;
/** Up to this age a value is returned while the next is computed. */
const staleMs = minuteMs;
/** Up to this age a value is returned if no new one can be computed, e.g. when the database is down. */
const oldestMs = 60 * minuteMs;
const restMs = 2_000;
const waitMsMax = 5_000;

interface Freshness {
  readonly freshMs: number;
  readonly staleMs: number;
}

export interface CachedValue<Value> {
  /** Rejects only without a usable value. */
  get(freshness?: Freshness): Promise<Value>;
  last(): Value | null;
}

export interface CachedValueOptions<Value> {
  readonly now: () => number;
  compute(): Promise<Value>;
  failed(error: unknown): void;
}

export function createCachedValue<Value>({
  now,
  compute,
  failed,
}: CachedValueOptions<Value>): CachedValue<Value> {
  let cached: { readonly value: Value; readonly atMs: number } | null = null;
  let pending: Promise<Value> | null = null;
  let failure: { readonly error: unknown; readonly atMs: number } | null = null;
  function recompute(): Promise<Value> {
    if (pending !== null) return pending;
    if (failure !== null && ageOf(failure, now()) < restMs) return Promise.reject(failure.error);
    const atMs = now();
    pending = compute().then(
      (value) => {
        [cached, pending, failure] = [{ value, atMs }, null, null];
        return value;
      },
      (error: unknown) => {
        [pending, failure] = [null, { error, atMs: now() }];
        failed(error);
        throw error;
      },
    );
    return pending;
  }
  return {
    last: () => cached?.value ?? null,
    async get(freshness = { freshMs, staleMs }) {
      const current = cached;
      if (current === null) return withTimeout(recompute());
      const ageMs = ageOf(current, now());
      if (ageMs < freshness.freshMs) return current.value;
      const next = recompute();
      if (ageMs < freshness.staleMs) {
        next.catch(() => {});
        return current.value;
      }
      return withTimeout(next).catch((error: unknown) => {
        if (ageMs < oldestMs) return current.value;
        throw error;
      });
    },
  };
}

/** If the clock was set back, all values count as old. */
function ageOf({ atMs }: { readonly atMs: number }, nowMs: number): number {
  return nowMs < atMs ? oldestMs : nowMs - atMs;
}

async function withTimeout<Value>(pending: Promise<Value>): Promise<Value> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error('The page was not rendered in time.')), waitMsMax);
  try {
    return await Promise.race([pending, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
