import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { programEnvironment } from '../support/program.ts';
import { sharedApp } from '../support/shared.ts';
import { nightlyOrFull } from '../support/test-level.ts';

const app = sharedApp({ nowMs: Date.now() });

const repository = join(import.meta.dirname, '../..');

function send(server: TestApp, how: 'dsn' | 'long dsn' | 'tunnel', count = 10): Promise<string[]> {
  const { port } = new URL(server.origin);
  const path = how === 'dsn' ? '' : '/wp-json/notifier/v1';
  const dsn = `http://${server.publicKey}@127.0.0.1:${port}${path}/${server.project.id}`;
  const env = programEnvironment({
    DSN: dsn,
    HOW: how,
    COUNT: String(count),
    API: server.api,
    KEY: server.publicKey,
  });
  const child = spawn(process.execPath, ['tests/clients/send-with-sentry-node.ts'], { cwd: repository, env });
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

const hows = nightlyOrFull(['dsn', 'long dsn', 'tunnel'] as const, ['dsn', 'tunnel'] as const);

describe.each(hows)('@sentry/node by %s', (how) => {
  it('sends 10 errors, and all 10 are stored with all their data', async () => {
    const ids = await send(app, how);
    expect(new Set(ids).size).toBe(10);
    for (const id of ids) {
      const { body, status } = await app.get(`/events/${id}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        event_id: id,
        release: 'shop@1.2.3',
        environment: 'staging',
        platform: 'node',
        user: { id: 'u-17' },
        sdk: { name: 'sentry.javascript.node' },
      });
      expect(body.tags).toContainEqual(['section', 'checkout']);
      expect(body.breadcrumbs.values.at(-1)).toMatchObject({ category: 'test', message: 'about to fail' });
      const frames = body.exception.values[0].stacktrace.frames;
      expect(frames.at(-1)).toMatchObject({ function: 'failHere', in_app: true });
      expect(frames.at(-1).lineno).toBeGreaterThan(0);
    }
  });
});

describe('@sentry/node after a 429', () => {
  it('reports every discarded event: stored and discarded add up to captured', async () => {
    const limited = await openTestApp({
      nowMs: Date.now(),
      env: { RATE_LIMITS: 'on', RATE_LIMIT_EVENTS_PER_MINUTE: '3' },
    });
    const ids = await send(limited, 'dsn');
    const stored = [];
    for (const id of ids) {
      if ((await limited.deps.store.findEvent(limited.project.id, id)) !== null) stored.push(id);
    }
    const { body } = await limited.get('/outcomes');
    const lines: Array<{ outcome: string; category: string; quantity: number }> = body.flatMap(
      (hour: { outcomes: unknown }) => hour.outcomes,
    );
    const sum = (outcome: string): number =>
      lines
        .filter((line) => line.outcome === outcome && line.category === 'error')
        .reduce((total, line) => total + line.quantity, 0);
    expect(sum('accepted')).toBe(stored.length);
    expect(stored.length).toBeLessThan(10);
    // One event met the 429 itself; the SDK held back the others and said so.
    expect(stored.length + sum('rate_limited') + sum('client_discard')).toBe(10);
    await limited.close();
  });
});
