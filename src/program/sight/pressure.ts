// Reads how the process stands, for the ladder of overload: event loop, memory, queue and disk.
import { totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Store } from '../../core/store/store.ts';
import type { Pressure } from '../../http/server/overload.ts';

export interface PressureReader {
  read(): Pressure;
  close(): void;
}

/** What is noticed of the event loop; its own timer, so an idle loop is as late as that. */
const resolutionMs = 20;
const windowMs = 5_000;
/** Before that a window says too little, and the one before it counts. */
const settledMs = 2_000;
/** As often as the ladder of overload asks. */
const diskLookMs = 500;

const leastDefaultBytes = 512 * 1024 * 1024;

/** Reads this process and `store`; `memoryLimitBytes` null is the machine's say. */
export function openPressure(
  store: Pick<Store, 'load' | 'figures'>,
  memoryLimitBytes: number | null,
): PressureReader {
  const limit = memoryLimitBytes ?? defaultMemoryLimit(process.constrainedMemory(), totalmem());
  const loop = watchLoop();
  let diskFreeBytes: number | null = null;
  const lookAtDisk = (): void => {
    store.figures().then(
      ({ freeBytes }) => {
        diskFreeBytes = freeBytes;
      },
      () => {},
    );
  };
  lookAtDisk();
  const timer = setInterval(lookAtDisk, diskLookMs).unref();
  return {
    read: () => ({
      loopDelayP99Ms: loop.delayMs(),
      memoryShare: process.memoryUsage.rss() / limit,
      queueShare: store.load().share,
      diskFreeBytes,
    }),
    close() {
      clearInterval(timer);
      loop.close();
    },
  };
}

/**
 * What a container or a service manager allows, else half of the machine, and 512 MiB at least: memory of the
 * process seldom shrinks, so a limit that a machine does not have would refuse events for ever.
 */
export function defaultMemoryLimit(allowedBytes: number, machineBytes: number): number {
  const isAllowed = allowedBytes > 0 && allowedBytes < machineBytes;
  return isAllowed ? allowedBytes : Math.max(leastDefaultBytes, machineBytes / 2);
}

/** The delay of the last window that says something: of this one once it is two seconds old. */
function watchLoop() {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let beganAtMs = performance.now();
  let beforeMs = 0;
  return {
    delayMs(): number {
      const ageMs = performance.now() - beganAtMs;
      const nowMs = Math.max(0, delays.percentile(99) / 1e6 - resolutionMs);
      if (ageMs >= windowMs) {
        beforeMs = nowMs;
        beganAtMs += ageMs;
        delays.reset();
      }
      return ageMs >= settledMs ? nowMs : beforeMs;
    },
    close: () => void delays.disable(),
  };
}
