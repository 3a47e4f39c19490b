// The real @sentry/node with every trace sampled: what we do not keep never costs an error.
// With the limits as they are; tests/routes/limit-costs.test.ts holds what needs no real client.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { programEnvironment } from '../support/program.ts';
import { nightlyOrFull } from '../support/test-level.ts';

/** Ten a second; the minute of the limits passes by the clock of the test, so that faster is the same. */
const everyMs = nightlyOrFull(100, 20);
const repository = join(import.meta.dirname, '../..');

let app: TestApp | null = null;
afterEach(async () => {
  await app?.close();
});

function trace(
  { origin, publicKey, project }: TestApp,
  traces: number,
  lifecycle: string,
): Promise<string[]> {
  const dsn = `${origin.replace('//', `//${publicKey}@`)}/wp-json/notifier/v1/${project.id}`;
  const env = programEnvironment({
    DSN: dsn,
    TRACES: String(traces),
    EVERY_MS: String(everyMs),
    LIFECYCLE: lifecycle,
  });
  const child = spawn(process.execPath, ['tests/clients/trace-with-sentry-node.ts'], {
    cwd: repository,
    env,
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(out) as string[]) : reject(new Error(`${code}: ${err}`)),
    );
  });
}

const lifecycles = [
  ['static', 'transaction'],
  ['stream', 'span'],
] as const;

describe.each(lifecycles)('@sentry/node at many traces a second, %s', (lifecycle, category) => {
  it('stores all 200 errors sent beside 600 traces', async () => {
    // The clock stands still, so that the whole run is one window: the traces alone would use it up twice.
    app = await openTestApp({ nowMs: Date.now(), env: { RATE_LIMITS: 'on' } });
    const traces = 600;
    const ids = await trace(app, traces, lifecycle);
    expect(new Set(ids).size).toBe(Math.ceil(traces / 3));
    const lost: string[] = [];
    for (const id of ids) {
      if ((await app.deps.store.findEvent(app.project.id, id)) === null) lost.push(id);
    }
    expect(lost).toEqual([]);
    const hours: Array<{ outcomes: Array<{ outcome: string; category: string; quantity: number }> }> = (
      await app.get('/outcomes')
    ).body;
    const lines = hours.flatMap(({ outcomes }) => outcomes);
    const sum = (outcome: string, of: string): number =>
      lines
        .filter((line) => line.outcome === outcome && line.category === of)
        .reduce((total, { quantity }) => total + quantity, 0);
    expect([sum('accepted', 'error'), sum('rate_limited', 'error'), sum('client_discard', 'error')]).toEqual([
      ids.length,
      0,
      0,
    ]);
    // Told once, the SDK keeps its traces to itself, and says so.
    expect(sum('filtered', category)).toBeGreaterThanOrEqual(1);
    expect(sum('client_discard', category)).toBeGreaterThanOrEqual(1);
  });
});
