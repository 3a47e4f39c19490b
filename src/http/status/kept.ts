// A value that is made for whoever asks and kept for a while: made by one at a time, and while it is made
// anew the others are given what there is.
import { minuteMs } from '../../core/reading/spans.ts';

/** As old a value is what is. */
export const freshMs = 15_000;
/** As old a value is given while the next is made: who comes first does not wait. */
const staleMs = minuteMs;
/** As old a value is given where no other can be made: the database is down, and they come to see why. */
const oldestMs = 60 * minuteMs;
/** After it could not be made it is not tried again for so long. */
const restMs = 2_000;
/** As long somebody waits who has nothing else to see. */
const waitMsMax = 5_000;

/** How old a value may be for who asks now. */
interface Wanted {
  readonly freshMs: number;
  readonly staleMs: number;
}

export interface Kept<Value> {
  /** Rejects only where there is nothing to give. */
  get(wanted?: Wanted): Promise<Value>;
  /** What there is just now, however old; null for nothing. */
  last(): Value | null;
}

export interface KeptParts<Value> {
  readonly now: () => number;
  make(): Promise<Value>;
  /** Told that it could not be made. */
  failed(error: unknown): void;
}

/** Nothing is made before somebody asks. */
export function keptValue<Value>({ now, make, failed }: KeptParts<Value>): Kept<Value> {
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

/** A clock that was set back makes everything old. */
function ageOf({ atMs }: { readonly atMs: number }, nowMs: number): number {
  return nowMs < atMs ? oldestMs : nowMs - atMs;
}

async function inTime<Value>(making: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('It was not made in time.')), waitMsMax);
  try {
    return await Promise.race([making, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
