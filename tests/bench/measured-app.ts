// A server of its own that says, when asked, how much its memory grew since the last time, how long its loop
// stood still, and how long the longest turn of its main thread was.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openTestApp } from '../support/app.ts';
import { ownMs } from './own-time.ts';

const app = await openTestApp({ domains: ['a.example'] });
const resolutionMs = 1;
let delay = monitorEventLoopDelay({ resolution: resolutionMs });
let before = 0;
let peak = 0;
let turnMs = 0;
let probe: NodeJS.Timeout | undefined;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);

/** Keeps the most that lay between two looks; a look comes at most once a turn of the loop. */
function probeTurns(): void {
  turnMs = 0;
  let lastMs = ownMs();
  probe = setInterval(() => {
    const nowMs = ownMs();
    turnMs = Math.max(turnMs, nowMs - lastMs - resolutionMs);
    lastMs = nowMs;
  }, resolutionMs);
}

process.on('message', (word) => {
  if (word === 'begin') {
    globalThis.gc?.();
    before = process.memoryUsage.rss();
    peak = before;
    delay = monitorEventLoopDelay({ resolution: resolutionMs });
    delay.enable();
    probeTurns();
    process.send?.({ begun: true });
  } else {
    delay.disable();
    clearInterval(probe);
    const blockedMs = Math.max(0, delay.max / 1e6 - resolutionMs);
    process.send?.({ grownBytes: peak - before, blockedMs, turnMs });
  }
});
process.send?.({ api: app.api, origin: app.origin, secretKey: app.secretKey, publicKey: app.publicKey });
