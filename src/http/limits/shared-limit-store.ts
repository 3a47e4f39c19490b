// Counters of requests in memory that threads share, so that a limit is one however many threads answer. The
// rules of a window are those of limit-store.ts; here is only where the counters stand.
import type { Charge, LimitStore, Taken } from '../../core/ports/limit-store.ts';
import { withLock } from '../../core/shared/lock.ts';
import { hashName } from '../../core/shared/names.ts';
import { type Counter, takeCharge } from './limit-store.ts';

/** Every limiter there is: each has a table of its own, so that a flood of one pushes out none of another. */
export const limiterNames = [
  'events',
  'events-address',
  'untaken',
  'untaken-address',
  'bytes',
  'bytes-address',
  'bytes-project',
  'untaken-bytes',
  'untaken-bytes-address',
  'untaken-bytes-project',
  'quota-bytes',
  'losses',
  'losses-address',
  'feedback-address',
  'feedback',
  'feedback-share',
  'verify-address',
  'server',
  'chunks',
  'proofs',
  'checks',
  'open-address',
  'credentials',
  'pages-address',
  'sign-in-address',
  'checks-of-host',
  'checks-of-server',
  'checks-of-project',
] as const;

/** Counters that share a row: of a full one the counter whose window ends first goes. */
const rowCounters = 8;
/** With 8 in a row some 131,000 counters a limiter. What is never written takes no room. */
const rows = 16_384;
/** Of a counter: its window's end in milliseconds (8), the name's hash (8), what was used (4), none (4). */
const counterBytes = 24;
const lockBytes = 8;
const tableBytes = rows * rowCounters * counterBytes;

/** What all tables take, with the lock before them. */
export const limitBytes = lockBytes + limiterNames.length * tableBytes;

/** A limit of 1e9 and what is owed beside it fit a word. */
const usedMax = 2 ** 32 - 1;

export interface SharedLimitStore extends LimitStore {
  /** The same, at once. */
  takeNow(charges: readonly Charge[]): readonly Taken[];
}

/** Counters at `offset` of `memory`, which is a multiple of 8. */
export function sharedLimitStore(
  memory: SharedArrayBuffer,
  offset: number,
  seeds: Uint32Array,
  now: () => number,
): SharedLimitStore {
  const lock = new Int32Array(memory, offset, 1);
  const tables = new Map(
    limiterNames.map((name, index) => [
      name as string,
      tableAt(memory, offset + lockBytes + index * tableBytes, seeds),
    ]),
  );
  const countersOf = (limiter: string) => {
    const table = tables.get(limiter);
    if (table === undefined) throw new Error(`There is no limiter called ${limiter}.`);
    return table;
  };
  const takeNow = (charges: readonly Charge[]): readonly Taken[] => {
    const nowMs = now();
    return withLock(lock, 0, () => charges.map((charge) => takeCharge(countersOf, charge, nowMs)));
  };
  return { takeNow, take: async (charges) => takeNow(charges) };
}

function tableAt(memory: SharedArrayBuffer, offset: number, seeds: Uint32Array) {
  const ends = new Float64Array(memory, offset, (rows * rowCounters * counterBytes) / 8);
  const words = new Uint32Array(memory, offset, (rows * rowCounters * counterBytes) / 4);
  /** The number of the counter, and of the one that gives way to it where there is none. */
  function find(key: string) {
    const { high, low } = hashName(key, seeds);
    const first = (high % rows) * rowCounters;
    let oldest = first;
    for (let at = first; at < first + rowCounters; at += 1) {
      if (words[at * 6 + 2] === high && words[at * 6 + 3] === low) return { own: at, oldest, high, low };
      if ((ends[at * 3] ?? 0) < (ends[oldest * 3] ?? 0)) oldest = at;
    }
    return { own: null, oldest, high, low };
  }
  return {
    get(key: string): Counter | undefined {
      const { own } = find(key);
      return own === null ? undefined : { endsAtMs: ends[own * 3] ?? 0, used: words[own * 6 + 4] ?? 0 };
    },
    put(key: string, { used, endsAtMs }: Counter): void {
      const { own, oldest, high, low } = find(key);
      const at = own ?? oldest;
      ends[at * 3] = endsAtMs;
      words[at * 6 + 2] = high;
      words[at * 6 + 3] = low;
      words[at * 6 + 4] = Math.min(used, usedMax);
    },
  };
}
