// What a thread may have of something that is divided among those that answer requests, where counting it
// together would cost more than it tells.
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const name = 'notifier: threads that answer';

/** Says how many threads answer in this process; those that are started from now on know it as well. */
export function divideAmong(threads: number): void {
  setEnvironmentData(name, threads);
}

/** A thread's part of `all`, at least 1. */
export function shareOf(all: number): number {
  const threads = getEnvironmentData(name);
  return typeof threads === 'number' ? Math.max(1, Math.floor(all / threads)) : all;
}
