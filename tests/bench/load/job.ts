// What the load generator is told and what it answers: plain data, for it is a process of its own.

/** Where requests go. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** What stands before `/store`. */
  readonly base: string;
  readonly key: string;
}

type Route = 'store' | 'envelope';
export type Encoding = 'plain' | 'gzip';

/** Which requests are sent. */
export interface Requests {
  readonly route: Route;
  readonly encoding: Encoding;
  /** Size of an event's JSON, in units of 1,000 bytes. */
  readonly kilobytes: number;
  /** Asked by a GET, in place of an event: its path from the root. */
  readonly page?: string;
  /** The address that a proxy says the client has; the generator's own where it is absent. */
  readonly from?: string;
}

export interface Job {
  readonly target: Target;
  readonly requests: Requests;
  readonly connections: number;
  readonly milliseconds: number;
  /**
   * Open loop: requests are due at this rate, whoever still waits. Absent: each connection asks again as soon
   * as it is answered.
   */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** From when a request was due, in an open loop; else from when it was sent. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The longest time in which nothing was answered to anybody. */
  readonly longestSilenceMs: number;
  /** Answers by status, such as {201: 4000}; `lost` are those that never came. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of one processor that the generator had: near 1 it is what is measured, and not the server. */
  readonly generatorShare: number;
}

/** The wanted kind of server on this machine. */
export function localTarget(port: number, key: string): Target {
  return { host: '127.0.0.1', port, isTls: false, base: '/wp-json/notifier/v1', key };
}
