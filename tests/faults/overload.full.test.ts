import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricsHeaders, metricsSettings, type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const keys = { NOTIFIER_PUBLIC_KEY: 'overload-public-1', NOTIFIER_SECRET_KEY: 'overload-secret-1' };
let folder: ReturnType<typeof temporaryFolder>;
let program: RunningProgram | null = null;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

type Answer = { readonly status: number; readonly wait: string | null };

async function ask(path: string, options: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${program?.origin}${path}`, options);
  await answer.arrayBuffer();
  return { status: answer.status, wait: answer.headers.get('Retry-After') };
}

const store = (): Promise<Answer> =>
  ask('/wp-json/notifier/v1/store', {
    method: 'POST',
    headers: { 'X-Notifier-Key': keys.NOTIFIER_PUBLIC_KEY },
    body: '{"message":"m"}',
  });
const issues = (): Promise<Answer> =>
  ask('/wp-json/notifier/v1/issues', { headers: { Authorization: `Bearer ${keys.NOTIFIER_SECRET_KEY}` } });

/** Starts the program with these limits, has `look` look at it, and ends it. */
async function withProgram(
  name: string,
  env: Record<string, string>,
  look: () => Promise<void>,
): Promise<void> {
  program = await startProgram({
    DATABASE_URL: `sqlite:${join(folder.path, `${name}.db`)}`,
    LOG_LEVEL: 'error',
    ...keys,
    ...metricsSettings,
    ...env,
  });
  try {
    await look();
  } finally {
    expect(await program.end()).toBe(0);
    program = null;
  }
}

describe('a server that has less than it needs', () => {
  inFull(it)('of memory refuses events with 429, and serves all else', () =>
    withProgram('memory', { OVERLOAD: 'on', MEMORY_LIMIT_MB: '1' }, async () => {
      await until(async () => (await ask('/readyz')).status === 503);
      expect(await store()).toEqual({ status: 429, wait: expect.stringMatching(/^[1-5]$/) });
      for (const answer of [await issues(), await ask('/sign-in'), await ask('/livez')]) {
        expect(answer).toHaveStatus(200);
      }
      expect(await ask('/metrics', { headers: metricsHeaders })).toHaveStatus(200);
    }),
  );

  it('of disk takes nothing, with 503, and is read', () =>
    withProgram('disk', { OVERLOAD: 'on', DISK_RESERVE_MB: '10000000' }, async () => {
      await until(async () => (await ask('/readyz')).status === 503);
      expect(await store()).toEqual({ status: 503, wait: expect.stringMatching(/^[56]$/) });
      expect(await issues()).toHaveStatus(200);
    }));

  inFull(it)('serves everything where OVERLOAD is off', () =>
    withProgram('off', { OVERLOAD: 'off', MEMORY_LIMIT_MB: '1', DISK_RESERVE_MB: '10000000' }, async () => {
      for (let look = 0; look < 20; look += 1) expect(await store()).toHaveStatus(201);
      expect(await ask('/readyz')).toHaveStatus(200);
    }),
  );
});
