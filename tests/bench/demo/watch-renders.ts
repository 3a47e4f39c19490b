// Loaded into the measured server by --import: how long each request took, from when it was read until its
// answer was written, written to a file when the server ends. A client's own clock counts the client too.
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** A request and its milliseconds. */
export type Render = readonly [path: string, ms: number];

const file = process.env['BENCH_RENDERS_FILE'];

if (isMainThread && file !== undefined) {
  const begun = new WeakMap<object, number>();
  const renders: Render[] = [];
  subscribe('http.server.request.start', (message) => {
    begun.set((message as { request: IncomingMessage }).request, performance.now());
  });
  subscribe('http.server.response.finish', (message) => {
    const { request } = message as { request: IncomingMessage };
    renders.push([request.url ?? '', performance.now() - (begun.get(request) ?? Number.NaN)]);
  });
  process.once('exit', () => writeFileSync(file, JSON.stringify(renders)));
}
