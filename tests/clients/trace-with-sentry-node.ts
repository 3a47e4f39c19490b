// Traces every so often with the real @sentry/node, an error in every third trace, and prints the ids of
// the errors as JSON. Run by sentry-tracing.full.test.ts as a process of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import * as Sentry from '@sentry/node';

const { DSN = '', TRACES = '50', EVERY_MS = '100', LIFECYCLE = 'static' } = process.env;

Sentry.init({
  dsn: DSN,
  release: 'shop@1.2.3',
  tracesSampleRate: 1,
  // `static` sends a transaction for each trace, as all SDKs did for years; `stream` sends spans as they end.
  traceLifecycle: LIFECYCLE === 'stream' ? 'stream' : 'static',
});

const ids: string[] = [];

function workInTrace(serial: number): Promise<void> {
  return Sentry.startSpan({ name: `GET /items/${serial}`, op: 'http.server' }, async () => {
    await Sentry.startSpan({ name: 'SELECT items', op: 'db' }, () => sleep(2));
    await Sentry.startSpan({ name: 'render', op: 'view' }, () => sleep(2));
    if (serial % 3 === 0) ids.push(Sentry.captureException(new TypeError(`item ${serial} is not for sale`)));
  });
}

const startedAt = performance.now();
for (let serial = 0; serial < Number(TRACES); serial += 1) {
  await workInTrace(serial);
  // The SDK drops what has no place among its 64 requests under way: a slow server is waited for.
  if (serial % 30 === 29) await Sentry.flush(60_000);
  await sleep(Math.max(0, startedAt + (serial + 1) * Number(EVERY_MS) - performance.now()));
}
await Sentry.close(10_000);
process.stdout.write(JSON.stringify(ids));
