// A process of its own: builds the demo once and says how long that took and what it keeps. Run with
// --expose-gc, as what is kept is what a collection leaves.
import { performance } from 'node:perf_hooks';
import { demoAt } from '../../../src/demo/demo.ts';

const nowMs = Number(process.argv[2]);
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
collect();
const before = process.memoryUsage().heapUsed;
const beganMs = performance.now();
const demo = demoAt('demo-1', nowMs);
const tookMs = performance.now() - beganMs;
collect();
const keptBytes = process.memoryUsage().heapUsed - before;
process.stdout.write(JSON.stringify({ tookMs, keptBytes, nowMs: demo.nowMs }));
