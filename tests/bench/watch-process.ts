// Loaded into a measured server by --import: writes its longest turn and its most memory to a file, again and
// again. SIGUSR2 starts the measurement anew.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env['BENCH_WATCH_FILE'];
const sampleMs = 20;

if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let rss = 0;
  let generation = 0;
  process.on('SIGUSR2', () => {
    delay.reset();
    rss = process.memoryUsage.rss();
    generation += 1;
  });
  setInterval(() => {
    rss = Math.max(rss, process.memoryUsage.rss());
    writeFileSync(
      file,
      JSON.stringify({ generation, longestTurnMs: delay.max / 1e6, rssMiB: rss / 1024 / 1024 }),
    );
  }, sampleMs).unref();
}
