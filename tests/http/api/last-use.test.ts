import { expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import { buildKey, hashKey } from '../../../src/core/projects/keys.ts';
import type { ProjectKey } from '../../../src/core/store/projects.ts';
import { createCallerFinder, type PresentedCredentials } from '../../../src/http/api/authenticate.ts';

const minuteMs = 60_000;

/** A finder on a store of two keys; `touched` is what it wrote. */
function found({ lastUsedAtMs = null as number | null, fails = false } = {}) {
  let nowMs = 10 * minuteMs;
  const touched: Array<readonly [keyId: number, atMs: number]> = [];
  const keys = ['the first key', 'the second key'].map((text, nth): ProjectKey => {
    const facts = { projectId: 1, kind: 'public', text, isImported: true, createdAtMs: 0 } as const;
    return { ...buildKey(facts), id: nth + 1, revokedAtMs: null, lastUsedAtMs };
  });
  const project = { id: 1, name: 'shop' };
  const store = {
    keysVersion: async () => 1,
    findKeyByHash: async (hash: string) => {
      const key = keys.find(({ publicKey }) => hashKey(publicKey ?? '') === hash);
      return key === undefined ? null : { key, project };
    },
    touchKey: async (keyId: number, atMs: number) => {
      touched.push([keyId, atMs]);
      if (fails) throw new Error('the disk is full');
    },
  };
  const deps = { store, now: () => nowMs, log: silentLog };
  const find = createCallerFinder(deps as unknown as Parameters<typeof createCallerFinder>[0]);
  const use = async (nth: 0 | 1): Promise<void> => {
    const presented: PresentedCredentials = {
      header: (name) => (name === 'x-notifier-key' ? (keys[nth]?.publicKey ?? '') : undefined),
      authorizationCount: () => 0,
      sentryKey: undefined,
      pathProject: null,
      dsn: async () => null,
    };
    expect((await find('public', presented))?.key.id).toBe(nth + 1);
  };
  const pass = (milliseconds: number): void => {
    nowMs += milliseconds;
  };
  return { use, pass, touched };
}

it('is written once a minute for each key, however many requests use it', async () => {
  const { use, pass, touched } = found();
  const first = 10 * minuteMs;
  for (let nth = 0; nth < 100; nth += 1) await use(0);
  await use(1);
  pass(minuteMs - 1);
  await use(0);
  expect(touched).toEqual([
    [1, first],
    [2, first],
  ]);
  pass(1);
  await use(0);
  expect(touched.slice(2)).toEqual([[1, first + minuteMs]]);
});

it('is not written again after a restart within the minute', async () => {
  const { use, pass, touched } = found({ lastUsedAtMs: 10 * minuteMs - 1 });
  await use(0);
  expect(touched).toEqual([]);
  pass(minuteMs);
  await use(0);
  expect(touched).toHaveLength(1);
});

it('does not fail the request when it cannot be written', async () => {
  const { use, touched } = found({ fails: true });
  await use(0);
  await use(0);
  expect(touched).toHaveLength(1);
});
