// Notices that the event loop of this thread has hardly any time left.
import { performance } from 'node:perf_hooks';

const lookMs = 250;
/** Of the loop's time that was worked, from which on it is busy. */
const busyShare = 0.7;
/** So long without a pause: a page that is loaded, or what a start leaves to be done, is over sooner. */
const busyLooks = 6;

export interface BusyLook {
  /** Looks no more. */
  stop(): void;
}

/** Calls `then` once, as soon as the loop has been busy for a second and a half. Keeps no process alive. */
export function whenBusy(
  then: () => void,
  worked: () => number = workedSinceLast(),
  every: (look: () => void, milliseconds: number) => NodeJS.Timeout = setInterval,
): BusyLook {
  let busy = 0;
  const timer = every(() => {
    busy = worked() >= busyShare ? busy + 1 : 0;
    if (busy < busyLooks) return;
    clearInterval(timer);
    then();
  }, lookMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** The share of time that the loop worked since it was asked last. */
function workedSinceLast(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
