import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import type { Store } from '../../src/core/store/store.ts';
import { loadProgram } from '../support/loaded-program.ts';
import { startProgram } from '../support/program.ts';
import { forEachTest, shared } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull, nightlyOrFull } from '../support/test-level.ts';

const deployed = { NOTIFIER_PUBLIC_KEY: 'deployed-public-1', NOTIFIER_SECRET_KEY: 'deployed-secret-1' };

const folder = forEachTest(temporaryFolder);
let env: Record<string, string>;
const loaded = shared(() => loadProgram());
beforeEach(() => {
  env = { DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`, LOG_LEVEL: 'warn' };
});

async function between<T>(act: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(env['DATABASE_URL'] ?? '', { now: Date.now, log: silentLog });
  try {
    return await act(store);
  } finally {
    await store.close();
  }
}

function makeProject(store: Store, name: string): Promise<{ id: number }> {
  return store.createProject({ name, createdAtMs: Date.now() });
}

async function statuses(origin: string, keys: typeof deployed): Promise<number[]> {
  const send = async (path: string, headers: Record<string, string>, body: object): Promise<number> => {
    const answer = await fetch(`${origin}/wp-json/notifier/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return answer.status;
  };
  const key = { 'X-Notifier-Key': keys.NOTIFIER_PUBLIC_KEY };
  return [
    await send('/store', key, { message: 'moved' }),
    await send(
      '/releases',
      { Authorization: `Bearer ${keys.NOTIFIER_SECRET_KEY}` },
      { version: origin.slice(-5) },
    ),
    await send('/feedback', { ...key, Origin: 'https://shop.example' }, { message: 'It does not work.' }),
  ];
}

describe('keys and domains of the settings', () => {
  it('apply to an existing database, are never printed, and keep changes, with a warning', async () => {
    await between((store) => makeProject(store, 'shop'));
    const own = { ...env, ...deployed, NOTIFIER_DOMAINS: 'shop.example:bug-reports' };
    const starts = [/Added {6}NOTIFIER_PUBLIC_KEY, NOTIFIER_SECRET_KEY, shop\.example/, /Serving/];
    for (const added of nightlyOrFull(starts, starts.slice(0, 1))) {
      const program = await startProgram(own);
      expect(program.printed()).toMatch(added);
      expect(await statuses(program.origin, deployed)).toEqual([201, 201, 201]);
      expect(program.printed() + program.errors()).not.toMatch(/deployed-/);
      await program.end();
    }
    await between(async (store) => {
      await store.revokeKey(1, 1, Date.now());
      await store.changeDomain(1, 1, { bugReports: false });
    });
    const program = await startProgram(own);
    expect(program.errors()).toMatch(/^Warning: NOTIFIER_PUBLIC_KEY is key 1, which was revoked/m);
    expect(await statuses(program.origin, deployed)).toEqual([401, 201, 401]);
    await program.end();
    expect(await between((store) => store.listDomains(1))).toMatchObject([{ bugReports: false }]);
  });

  it.each([
    ['a key of another project', { NOTIFIER_PROJECT: 'blog', ...deployed }, 'NOTIFIER_PUBLIC_KEY'],
    [
      'one text for both',
      { NOTIFIER_PUBLIC_KEY: 'one-and-the-same', NOTIFIER_SECRET_KEY: 'one-and-the-same' },
      'NOTIFIER_PUBLIC_KEY and NOTIFIER_SECRET_KEY',
    ],
    ['no project that is meant', { NOTIFIER_DOMAINS: 'blog.example' }, 'NOTIFIER_PROJECT'],
    ['a host twice', { NOTIFIER_DOMAINS: 'a.example,A.example:bug-reports' }, 'NOTIFIER_DOMAINS'],
  ])('%s: 78', async (_what, more, variable) => {
    await between(async (store) => {
      const deps = { store, now: Date.now, randomBytes: () => Buffer.alloc(0) };
      const shop = await makeProject(store, 'shop');
      await createKey(deps, shop.id, 'public', { imported: deployed.NOTIFIER_PUBLIC_KEY });
      await makeProject(store, 'blog');
    });
    const { code, out, err } = await loaded.failingStart({ ...env, ...more });
    expect([code, out]).toEqual([78, '']);
    expect(err).toMatch(new RegExp(`^${variable} [^\\n]*\\n$`));
    expect(err).not.toMatch(/deployed-|one-and/);
    expect(await between((store) => store.listKeys(2))).toEqual([]);
  });

  inFull(it)('apply once where two programs start at once on a new file', async () => {
    const own = { ...env, ...deployed };
    const programs = await Promise.all([startProgram(own), startProgram(own)]);
    const printed = programs.map((program) => program.printed());
    expect(printed.filter((text) => text.includes('just created'))).toHaveLength(1);
    expect(printed.filter((text) => text.includes('ntf_admin_'))).toHaveLength(1);
    for (const program of programs) {
      expect((await statuses(program.origin, deployed)).slice(0, 2).every((status) => status < 202)).toBe(
        true,
      );
    }
    for (const program of programs) await program.end();
    expect(await between((store) => store.listProjects())).toHaveLength(1);
  });
});
