// Cache of one value with stale-while-revalidate and stale-if-error; one computation at a time.
import { minuteMs } from '../../core/parsing/durations.ts';

export const freshMs = 15_000;
/** Up to this age a value is returned while the next is computed. */
const staleMs = minuteMs;
/** Up to this age a value is returned if no new one can be computed, e.g. when the database is down. */
const oldestMs = 60 * minuteMs;
const restMs = 2_000;
const waitMsMax = 5_000;

interface Wanted {
  readonly freshMs: number;
  readonly staleMs: number;
}

export interface CachedValue<Value> {
  /** Rejects only without a usable value. */
  get(wanted?: Wanted): Promise<Value>;
  last(): Value | null;
}

export interface CachedValueOptions<Value> {
  readonly now: () => number;
  make(): Promise<Value>;
  failed(error: unknown): void;
}

export function createCachedValue<Value>({
  now,
  make,
  failed,
}: CachedValueOptions<Value>): CachedValue<Value> {
  let made: { readonly value: Value; readonly atMs: number } | null = null;
  let making: Promise<Value> | null = null;
  let failure: { readonly error: unknown; readonly atMs: number } | null = null;
  function remake(): Promise<Value> {
    if (making !== null) return making;
    if (failure !== null && ageOf(failure, now()) < restMs) return Promise.reject(failure.error);
    const atMs = now();
    making = make().then(
      (value) => {
        [made, making, failure] = [{ value, atMs }, null, null];
        return value;
      },
      (error: unknown) => {
        [making, failure] = [null, { error, atMs: now() }];
        failed(error);
        throw error;
      },
    );
    return making;
  }
  return {
    last: () => made?.value ?? null,
    async get(wanted = { freshMs, staleMs }) {
      const there = made;
      if (there === null) return inTime(remake());
      const ageMs = ageOf(there, now());
      if (ageMs < wanted.freshMs) return there.value;
      const next = remake();
      if (ageMs < wanted.staleMs) {
        next.catch(() => {});
        return there.value;
      }
      return inTime(next).catch((error: unknown) => {
        if (ageMs < oldestMs) return there.value;
        throw error;
      });
    },
  };
}

/** If the clock was set back, all values count as old. */
function ageOf({ atMs }: { readonly atMs: number }, nowMs: number): number {
  return nowMs < atMs ? oldestMs : nowMs - atMs;
}

async function inTime<Value>(making: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('It was not rendered in time.')), waitMsMax);
  try {
    return await Promise.race([making, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
