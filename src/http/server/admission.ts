// Admission under load: how many requests that bring events or bug reports are answered at once, who waits
// for a turn, whose turn is next, and who is refused. docs/overload.md tells operators the same.
//
// A request for which there is no room waits, its body unread, and is refused only when it has waited too
// long or when those who wait hold too much memory. Turns go round by client address, and within an address
// by key, so that nobody's flood takes the turns of others. Nothing is decided by how many found no room.

import { createFairQueue } from './fair-queue.ts';

export interface AdmissionLimits {
  /** Requests that are answered at once. */
  readonly concurrencyMax: number;
  /** Bytes of body that these may bring together; one alone may bring more. */
  readonly runningBytesMax: number;
  /** Milliseconds that a request may wait for its turn. */
  readonly waitMsMax: number;
  /** Bytes that all who wait may hold in memory together. */
  readonly waitingBytesMax: number;
  /** Milliseconds after which a request is answered for which there is no memory to wait. */
  readonly refuseAfterMs: number;
}

/** Enough to keep the disk and the threads busy; more at once only makes all of them slower. */
export const admissionLimits: AdmissionLimits = {
  concurrencyMax: 24,
  runningBytesMax: 48 * 1024 * 1024,
  waitMsMax: 2_000,
  waitingBytesMax: 64 * 1024 * 1024,
  refuseAfterMs: 1_000,
};

/** What there is too little of for anybody to be given a turn. */
export type Scarce = 'memory' | 'write_queue';
/** Why a request was refused: it waited too long, those who wait hold too much, or something was scarce. */
export type RefusalReason = 'waited' | 'waiting_bytes' | Scarce;
export type AdmissionOutcome = 'admitted' | { readonly refused: RefusalReason };

/** A request as admission sees it. */
export interface AdmissionRequest {
  /** Of the client, as rate limits count it. */
  readonly address: string;
  /** The key that it presents, which nobody has looked at yet. */
  readonly key: string;
  /** Of its body, as its head says. */
  readonly bodyBytes: number;
  /** What it may come to hold in memory while it waits, and what it holds now, in bytes. */
  readonly heldBytesMax: number;
  heldBytes(): number;
  /** Whether its body is here, as far as it comes before anybody reads it. */
  isHere(): boolean;
  /** Whether its body still comes, and so slowly that it is not the server that is waited for. */
  isSlow(ageMs: number): boolean;
  /** Called once: at once where there is room. Not called after `leave`. */
  settled(outcome: AdmissionOutcome): void;
}

export interface Admission {
  /** Gives the request a turn, or has it wait for one. Whoever holds the answer calls `leave` in the end. */
  enter(request: AdmissionRequest): Ticket;
  readonly waiting: number;
  readonly running: number;
  readonly refuseAfterMs: number;
}

/** A request's turn, or its place among those who wait. */
interface Ticket {
  /** Its body may be here by now; it is looked at again by itself, some twenty times a second. */
  arrived(): void;
  /** Gives it back; again does nothing. */
  leave(): void;
}

export interface AdmissionParts {
  readonly limits: AdmissionLimits;
  /** Milliseconds that only go forward. */
  readonly nowMs: () => number;
  /** What is scarce now; asked for each turn that is given. */
  readonly scarce: () => Scarce | null;
  /** Calls `look` some twenty times a second while somebody waits. Answers what ends that. */
  readonly every: (look: () => void) => () => void;
  /** Told how long each waited that was given a turn, and of each refusal. */
  readonly waited: (milliseconds: number) => void;
  readonly refused: (reason: RefusalReason) => void;
}

/** What those who wait hold is measured no more often than this, however many come. */
const measureMsMin = 10;
/**
 * Those of one address hold at most so many times what is still free: one address alone nearly all, and there
 * is room for another whoever floods (dynamic thresholds of Choudhury and Hahne, as switches share buffers).
 */
const freeTimesMax = 8;

/** A request that waits, or has its turn. */
interface Entry {
  readonly request: AdmissionRequest;
  /** When it came; from its turn on when that began. */
  sinceMs: number;
}

/** Nobody waits yet, and nobody has a turn. */
export function createAdmission(parts: AdmissionParts): Admission {
  return new Turns(parts);
}

class Turns implements Admission {
  readonly #parts: AdmissionParts;
  readonly #queue = createFairQueue<Entry>();
  /** All who wait in the order in which they came. */
  readonly #waiting = new Set<Entry>();
  /** Those of them whose bodies are not here yet: nobody is given a turn to wait for a sender. */
  readonly #arriving = new Set<Entry>();
  readonly #running = new Set<Entry>();
  #runningBytes = 0;
  /** What those who wait hold: as was last measured, and for who came since what that may become. */
  #waitingBytes = 0;
  /** The same by address. */
  readonly #addressBytes = new Map<string, number>();
  #measuredAtMs = Number.NEGATIVE_INFINITY;
  /** Since when somebody has waited without a pause; null where nobody does. */
  #waitingSinceMs: number | null = null;
  #endLooks: (() => void) | null = null;
  readonly refuseAfterMs: number;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.refuseAfterMs = parts.limits.refuseAfterMs;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get running(): number {
    return this.#running.size;
  }

  enter(request: AdmissionRequest): Ticket {
    const entry: Entry = { request, sinceMs: this.#parts.nowMs() };
    if (this.#waiting.size === 0 && this.#isRoomFor(entry)) this.#begin(entry);
    else if (this.#isTooMuch(entry)) this.#refuse(entry, 'waiting_bytes');
    else this.#wait(entry);
    return {
      arrived: () => this.#arrive(entry),
      leave: () => {
        if (this.#end(entry)) this.#giveTurns();
        else this.#leaveQueue(entry);
      },
    };
  }

  #isRoomFor({ request }: Entry): boolean {
    const { limits, scarce } = this.#parts;
    if (this.#running.size === 0) return scarce() === null;
    const bytes = this.#runningBytes + request.bodyBytes;
    return this.#running.size < limits.concurrencyMax && bytes <= limits.runningBytesMax && scarce() === null;
  }

  #begin(entry: Entry): void {
    const ms = this.#parts.nowMs();
    this.#parts.waited(ms - entry.sinceMs);
    entry.sinceMs = ms;
    this.#running.add(entry);
    this.#runningBytes += entry.request.bodyBytes;
    entry.request.settled('admitted');
  }

  /** Whether it had a turn, which is over. */
  #end(entry: Entry): boolean {
    if (!this.#running.delete(entry)) return false;
    this.#runningBytes -= entry.request.bodyBytes;
    return true;
  }

  #refuse({ request }: Entry, reason: RefusalReason): void {
    this.#parts.refused(reason);
    request.settled({ refused: reason });
  }

  #wait(entry: Entry): void {
    const { request, sinceMs } = entry;
    this.#waiting.add(entry);
    this.#hold(request, request.heldBytesMax);
    if (request.isHere()) this.#queue.add(entry);
    else this.#arriving.add(entry);
    this.#waitingSinceMs ??= sinceMs;
    this.#endLooks ??= this.#parts.every(() => this.#look());
  }

  #leaveQueue(entry: Entry): void {
    if (!this.#waiting.delete(entry)) return;
    if (!this.#arriving.delete(entry)) this.#queue.remove(entry);
    if (this.#waiting.size > 0) return;
    this.#waitingSinceMs = null;
    this.#holdNothing();
    this.#endLooks?.();
    this.#endLooks = null;
  }

  #arrive(entry: Entry): void {
    if (!entry.request.isHere() || !this.#arriving.delete(entry)) return;
    this.#queue.add(entry);
    this.#giveTurns();
  }

  /**
   * In the order of coming while a burst is worked off. Where there are always some who wait, who came last
   * is next: most are then answered at once and the others refused, instead of all waiting for as long as
   * they may, and going on to long after the flood ("adaptive LIFO").
   */
  #order(): 'oldest' | 'newest' {
    const { limits, nowMs } = this.#parts;
    const sinceMs = this.#waitingSinceMs;
    return sinceMs !== null && nowMs() - sinceMs >= limits.waitMsMax ? 'newest' : 'oldest';
  }

  #giveTurns(): void {
    for (;;) {
      const next = this.#queue.next(this.#order());
      if (next === null || !this.#isRoomFor(next)) return;
      this.#leaveQueue(next);
      this.#begin(next);
    }
  }

  #hold({ address }: AdmissionRequest, bytes: number): void {
    this.#waitingBytes += bytes;
    this.#addressBytes.set(address, (this.#addressBytes.get(address) ?? 0) + bytes);
  }

  #holdNothing(): void {
    this.#waitingBytes = 0;
    this.#addressBytes.clear();
  }

  #measure(ms: number): void {
    this.#measuredAtMs = ms;
    this.#holdNothing();
    for (const { request } of this.#waiting) this.#hold(request, request.heldBytes());
  }

  #isTooMuch({ request, sinceMs: ms }: Entry): boolean {
    const isOver = (): boolean => {
      const { address, heldBytesMax } = request;
      const freeBytes = this.#parts.limits.waitingBytesMax - this.#waitingBytes - heldBytesMax;
      return (this.#addressBytes.get(address) ?? 0) + heldBytesMax > freeTimesMax * freeBytes;
    };
    if (isOver() && ms - this.#measuredAtMs >= measureMsMin) this.#measure(ms);
    return isOver();
  }

  #look(): void {
    const { limits, nowMs, scarce } = this.#parts;
    const ms = nowMs();
    this.#measure(ms);
    for (const entry of this.#arriving) this.#arrive(entry);
    // Whose body comes slowly works without a turn: who sends slowly on purpose would keep out all others.
    for (const entry of this.#running) {
      if (entry.request.isSlow(ms - entry.sinceMs)) this.#end(entry);
    }
    this.#giveTurns();
    for (const entry of this.#waiting) {
      if (ms - entry.sinceMs < limits.waitMsMax) break;
      const isSlow = this.#arriving.has(entry);
      this.#leaveQueue(entry);
      if (isSlow && scarce() === null) entry.request.settled('admitted');
      else this.#refuse(entry, scarce() ?? 'waited');
    }
  }
}
