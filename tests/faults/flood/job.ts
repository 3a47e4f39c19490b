// What the flood is told and what it answers: plain data, for it is a process of its own.

export interface FloodJob {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  /** Eight hexadecimal digits with which the ids of its events begin: one a job. */
  readonly idsBegin: string;
  readonly milliseconds: number;
  /** Connections at the most. */
  readonly connections: number;
  /**
   * Requests are due at this rate, whoever still waits; one that finds no connection free is not offered.
   * Null: each connection asks again as soon as it is answered.
   */
  readonly perSecond: number | null;
  /** Every so many-th event is of 900 KB, the others of 2 KB. */
  readonly largeEvery: number;
}

export interface FloodResult {
  /** Ends of the ids that were answered with 201 or 200, as numbers: the ledger. */
  readonly accepted: readonly number[];
  /** Accepted while the flood lasted, and not after it. */
  readonly acceptedInTime: number;
  readonly offered: number;
  /** Due, and no connection was free. */
  readonly notOffered: number;
  /** Answers by status; `lost` are connections that ended without one. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly acceptedMs: Times;
  readonly shedMs: Times;
  readonly opened: number;
  /** Of one processor that the flood had. */
  readonly ownShare: number;
}

interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The id of an event, as its sender says it. */
export function eventIdOf(idsBegin: string, serial: number): string {
  return idsBegin + serial.toString(16).padStart(24, '0');
}
