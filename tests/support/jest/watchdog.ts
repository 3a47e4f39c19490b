// Ends test files stuck in a loop, which Jest's timeouts cannot interrupt: a thread checks that the event
// loop turns, and kills the process otherwise.
import { writeSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** CPU time, so that slow machines and waiting do not count. */
const busySecondsMax = Number(process.env['TEST_BUSY_SECONDS_MAX'] ?? 100);
const lookMs = 1_000;

interface Shared {
  readonly turns: Int32Array;
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
  const thread = new Worker(import.meta.filename, { workerData: { turns }, execArgv: [], stderr: false });
  thread.unref();
  every(() => Atomics.add(turns, 0, 1), lookMs).unref();
  return { begins: (test) => thread.postMessage(test) };
}

function watch({ turns }: Shared): void {
  let test = 'no test';
  let seen = 0;
  let turnedAt = process.cpuUsage();
  parentPort?.on('message', (name: string) => {
    test = name;
  });
  every(() => {
    const now = Atomics.load(turns, 0);
    if (now !== seen) [seen, turnedAt] = [now, process.cpuUsage()];
    const { user, system } = process.cpuUsage(turnedAt);
    if ((user + system) / 1e6 < busySecondsMax) return;
    writeSync(2, `ENDED: it did not turn for ${busySecondsMax} s of processor time: ${test}\n`);
    process.kill(process.pid, 'SIGKILL');
  }, lookMs);
}

if (!isMainThread && workerData?.turns !== undefined) watch(workerData as Shared);
