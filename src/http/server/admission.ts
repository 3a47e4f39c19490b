// Load shedding of events and bug reports (docs/overload.md). Bodies wait unread; turns by address, then key.

import { createFairQueue } from './fair-queue.ts';

export type AdmissionLimits = Readonly<typeof admissionLimits>;

export const admissionLimits = {
  concurrencyMax: 24,
  /** Their bodies together; a single one may be larger. */
  runningBytesMax: 48 * 1024 * 1024,
  waitMsMax: 2_000,
  waitingBytesMax: 64 * 1024 * 1024,
  /** Before a request is refused for which there is no memory. */
  refuseAfterMs: 1_000,
  pressureCheckMs: 500,
};

/** The shortage for which no turns are given. */
export type Shortage = 'memory' | 'write_queue';
export type RefusalReason = 'waited' | 'waiting_bytes' | Shortage;
export type AdmissionOutcome = 'admitted' | { readonly refused: RefusalReason };

export interface AdmissionRequest {
  /** As rate limits count it. */
  readonly address: string;
  /** The key sent, not yet verified. */
  readonly key: string;
  readonly bodyBytes: number;
  /** The most it may hold in memory while it waits. */
  readonly heldBytesMax: number;
  heldBytes(): number;
  isHere(): boolean;
  isSlow(ageMs: number): boolean;
  /** Called once, immediately if there is room. Not called after `leave`. */
  settled(outcome: AdmissionOutcome): void;
}

export interface AdmissionOptions {
  readonly limits: AdmissionLimits;
  readonly nowMs: () => number;
  readonly scarce: () => Shortage | null;
  /** Calls `check` about 20 times a second while anyone waits. Returns the function that stops it. */
  readonly every: (check: () => void) => () => void;
  /** For metrics: the waiting time of each admitted request. */
  readonly waited: (milliseconds: number) => void;
}

const measureMsMin = 10;
/** Share of the maximum wait after which what waits longest is given up for the newest. */
const givenUpShare = 0.75;
/** How much of the free memory one address may hold (dynamic thresholds of Choudhury and Hahne). */
const freeTimesMax = 8;

interface Entry {
  readonly request: AdmissionRequest;
  /** Arrival; once running, the start. */
  sinceMs: number;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #queue = createFairQueue<Entry>();
  readonly #waiting = new Set<Entry>();
  /** Waiting requests whose bodies have not arrived; they get no turn yet. */
  readonly #arriving = new Set<Entry>();
  readonly #running = new Set<Entry>();
  #runningBytes = 0;
  /** As last measured, plus the maximum of requests added since. */
  #waitingBytes = 0;
  readonly #addressBytes = new Map<string, number>();
  #measuredAtMs = Number.NEGATIVE_INFINITY;
  #order: 'oldest' | 'newest' = 'oldest';
  #stopChecks: (() => void) | null = null;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get refuseAfterMs(): number {
    return this.#options.limits.refuseAfterMs;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get running(): number {
    return this.#running.size;
  }

  enter(request: AdmissionRequest) {
    const entry: Entry = { request, sinceMs: this.#options.nowMs() };
    if (this.#waiting.size === 0 && this.#isRoomFor(entry)) this.#begin(entry);
    else if (this.#isTooMuch(entry)) request.settled({ refused: 'waiting_bytes' });
    else this.#wait(entry);
    return {
      /** Checks whether the body has arrived; this also happens about 20 times a second. */
      arrived: () => this.#arrive(entry),
      /** Idempotent. */
      leave: () => {
        if (this.#end(entry)) this.#giveTurns();
        else this.#leaveQueue(entry);
      },
    };
  }

  #isRoomFor({ request }: Entry): boolean {
    const { limits, scarce } = this.#options;
    if (this.#running.size === 0) return scarce() === null;
    const bytes = this.#runningBytes + request.bodyBytes;
    return this.#running.size < limits.concurrencyMax && bytes <= limits.runningBytesMax && scarce() === null;
  }

  #begin(entry: Entry): void {
    const ms = this.#options.nowMs();
    this.#options.waited(ms - entry.sinceMs);
    entry.sinceMs = ms;
    this.#running.add(entry);
    this.#runningBytes += entry.request.bodyBytes;
    entry.request.settled('admitted');
  }

  #end(entry: Entry): boolean {
    if (!this.#running.delete(entry)) return false;
    this.#runningBytes -= entry.request.bodyBytes;
    return true;
  }

  #wait(entry: Entry): void {
    const { request } = entry;
    this.#waiting.add(entry);
    this.#addBytes(request, request.heldBytesMax);
    if (request.isHere()) this.#queue.add(entry);
    else this.#arriving.add(entry);
    this.#stopChecks ??= this.#options.every(() => this.#check());
  }

  #leaveQueue(entry: Entry): void {
    if (!this.#waiting.delete(entry)) return;
    if (!this.#arriving.delete(entry)) this.#queue.remove(entry);
    if (this.#waiting.size > 0) return;
    this.#order = 'oldest';
    this.#resetBytes();
    this.#stopChecks?.();
    this.#stopChecks = null;
  }

  #arrive(entry: Entry): void {
    if (!entry.request.isHere() || !this.#arriving.delete(entry)) return;
    this.#queue.add(entry);
    this.#giveTurns();
  }

  /** Where not all can be served in time, the newest first ("adaptive LIFO"): most are then answered at once. */
  #orderAt(ms: number): 'oldest' | 'newest' {
    for (const entry of this.#waiting) {
      if (this.#arriving.has(entry)) continue;
      return ms - entry.sinceMs >= givenUpShare * this.#options.limits.waitMsMax ? 'newest' : 'oldest';
    }
    return 'oldest';
  }

  #giveTurns(): void {
    for (;;) {
      const next = this.#queue.next(this.#order);
      if (next === null || !this.#isRoomFor(next)) return;
      this.#leaveQueue(next);
      this.#begin(next);
    }
  }

  #addBytes({ address }: AdmissionRequest, bytes: number): void {
    this.#waitingBytes += bytes;
    this.#addressBytes.set(address, (this.#addressBytes.get(address) ?? 0) + bytes);
  }

  #resetBytes(): void {
    this.#waitingBytes = 0;
    this.#addressBytes.clear();
  }

  #measure(ms: number): void {
    this.#measuredAtMs = ms;
    this.#resetBytes();
    for (const { request } of this.#waiting) this.#addBytes(request, request.heldBytes());
  }

  #isTooMuch({ request, sinceMs: ms }: Entry): boolean {
    const isOver = (): boolean => {
      const { address, heldBytesMax } = request;
      const freeBytes = this.#options.limits.waitingBytesMax - this.#waitingBytes - heldBytesMax;
      return (this.#addressBytes.get(address) ?? 0) + heldBytesMax > freeTimesMax * freeBytes;
    };
    if (isOver() && ms - this.#measuredAtMs >= measureMsMin) this.#measure(ms);
    return isOver();
  }

  #check(): void {
    const { limits, nowMs, scarce } = this.#options;
    const ms = nowMs();
    this.#measure(ms);
    this.#order = this.#orderAt(ms);
    for (const entry of this.#arriving) this.#arrive(entry);
    // Slow senders give up their slot, so that they cannot keep out others on purpose.
    for (const entry of this.#running) {
      if (entry.request.isSlow(ms - entry.sinceMs)) this.#end(entry);
    }
    this.#giveTurns();
    for (const entry of this.#waiting) {
      if (ms - entry.sinceMs < limits.waitMsMax) break;
      const isSlow = this.#arriving.has(entry);
      this.#leaveQueue(entry);
      if (isSlow && scarce() === null) entry.request.settled('admitted');
      else entry.request.settled({ refused: scarce() ?? 'waited' });
    }
  }
}
