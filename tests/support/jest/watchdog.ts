// Ends test files stuck in a loop, which Jest's timeouts cannot interrupt: a thread checks that the event
// loop turns, and kills the process otherwise.
import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** CPU time, so that slow machines and waiting do not count. */
const busySecondsMax = Number(process.env['TEST_BUSY_SECONDS_MAX'] ?? 100);
const lookMs = 1_000;

interface Shared {
  readonly turns: Int32Array;
  /** Name of the test, to the first zero byte: a message for each would take longer than many tests. */
  readonly name: Uint8Array;
}

export interface Watchdog {
  begins(test: string): void;
}

const { setInterval: every } = globalThis;
const kept = globalThis as { notifierWatchdog?: Watchdog };

export function watchdog(): Watchdog {
  kept.notifierWatchdog ??= start();
  return kept.notifierWatchdog;
}

function start(): Watchdog {
  const turns = new Int32Array(new SharedArrayBuffer(4));
  const name = new Uint8Array(new SharedArrayBuffer(1_024));
  const shared: Shared = { turns, name };
  new Worker(import.meta.filename, { workerData: shared, execArgv: [], stderr: false }).unref();
  every(() => Atomics.add(turns, 0, 1), lookMs).unref();
  const bytes = Buffer.from(name.buffer);
  return {
    begins(test) {
      bytes[bytes.write(test, 0, bytes.length - 1)] = 0;
    },
  };
}

function watch({ turns, name }: Shared): void {
  let seen = 0;
  let turnedAt = process.cpuUsage();
  every(() => {
    const now = Atomics.load(turns, 0);
    if (now !== seen) [seen, turnedAt] = [now, process.cpuUsage()];
    const { user, system } = process.cpuUsage(turnedAt);
    if ((user + system) / 1e6 < busySecondsMax) return;
    const test = Buffer.from(name).toString('utf8', 0, name.indexOf(0));
    writeSync(2, `ENDED: it did not turn for ${busySecondsMax} s of processor time: ${test}\n`);
    process.kill(process.pid, 'SIGKILL');
  }, lookMs);
}

if (!isMainThread && workerData?.turns !== undefined) watch(workerData as Shared);
