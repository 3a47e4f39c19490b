// A server of its own that says, when asked, how much its memory grew and how long its loop stood still since the last time.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openTestApp } from '../support/app.ts';

const app = await openTestApp();
const { id: projectId } = app.project;
await app.deps.store.addDomain({
  projectId,
  host: 'a.example',
  bugReports: true,
  createdAtMs: app.deps.now(),
});
const resolutionMs = 1;
let delay = monitorEventLoopDelay({ resolution: resolutionMs });
let before = 0;
let peak = 0;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);

process.on('message', (word) => {
  if (word === 'begin') {
    globalThis.gc?.();
    before = process.memoryUsage.rss();
    peak = before;
    delay = monitorEventLoopDelay({ resolution: resolutionMs });
    delay.enable();
    process.send?.({ begun: true });
  } else {
    delay.disable();
    process.send?.({ grownBytes: peak - before, blockedMs: Math.max(0, delay.max / 1e6 - resolutionMs) });
  }
});
process.send?.({ api: app.api, origin: app.origin, secretKey: app.secretKey, publicKey: app.publicKey });
