import { afterAll, describe, expect, it } from '@jest/globals';
import {
  initialResymbolicationProgress,
  resymbolicationProgressKey,
} from '../../src/core/source-maps/resymbolication-scheduler.ts';
import type { NewKey } from '../../src/core/store/projects.ts';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs, storeWithProject } from './support/databases.ts';
import { hashOf } from './support/events.ts';

describe.each(databases)('projects on $name', (database) => {
  let store: Store;
  const fresh = async (): Promise<Store> => {
    await store?.close();
    store = await storeWithProject(database);
    return store;
  };
  const keyOf = (text: string, parts: Partial<NewKey> = {}): NewKey => ({
    projectId: 1,
    kind: 'secret',
    hash: hashOf(text),
    prefix: 'ntf_sk_ab',
    lastFour: 'wxyz',
    imported: false,
    label: '',
    publicKey: null,
    scopes: ['ci', 'read', 'admin'],
    allowedOrigins: [],
    createdAtMs: startMs,
    expiresAtMs: null,
    ...parts,
  });
  afterAll(() => store?.close());

  it('creates, finds and changes projects', async () => {
    await fresh();
    expect(await store.listProjects()).toEqual([
      {
        id: 1,
        name: 'shop',
        createdAtMs: startMs,
        groupingVersion: 'ng2',
        scrubFields: [],
        storeIpAddresses: false,
        bugReports: true,
        inboundFilters: null,
      },
    ]);
    const changed = await store.changeProject(1, {
      scrubFields: ['__proto__', 'iban'],
      storeIpAddresses: true,
      bugReports: false,
    });
    expect(changed).toMatchObject({
      name: 'shop',
      scrubFields: ['__proto__', 'iban'],
      storeIpAddresses: true,
      bugReports: false,
    });
    expect(await store.changeProject(1, { name: 'shop' })).toEqual(changed);
    expect(await store.findProject(1)).toEqual(changed);
    expect(await store.findProjectByName('shop')).toEqual(changed);
    expect(await store.changeProject(9, { name: 'x' })).toBeNull();
    await expect(store.createProject({ name: 'shop', createdAtMs: 1 })).rejects.toThrow('already');
  });

  it('sets the initial resymbolication progress of a new project, and none for a refused one', async () => {
    await fresh();
    const { id } = await store.createProject({ name: 'second', createdAtMs: startMs });
    expect(await store.findSetting(resymbolicationProgressKey(id))).toBe(initialResymbolicationProgress);
    await expect(store.createProject({ name: 'second', createdAtMs: startMs })).rejects.toThrow('already');
    expect(await store.findSetting(resymbolicationProgressKey(id + 1))).toBeNull();
  });

  it('finds several active keys by their hash, and stores no secret', async () => {
    await fresh();
    await store.createKey(keyOf('secret one', { label: 'ci' }));
    await store.createKey(keyOf('secret two'));
    await store.createKey(keyOf('public', { kind: 'public', publicKey: 'ntf_pk_whole' }));
    expect(await store.findKeyByHash(hashOf('secret one'))).toMatchObject({
      key: { projectId: 1, kind: 'secret', label: 'ci', publicKey: null, revokedAtMs: null },
      project: { id: 1, name: 'shop' },
    });
    expect(await store.findKeyByHash(hashOf('unknown'))).toBeNull();
    expect((await store.listKeys(1)).map((key) => key.publicKey)).toEqual([null, null, 'ntf_pk_whole']);
    expect(await store.listKeys(2)).toEqual([]);
    await expect(store.createKey(keyOf('public'))).rejects.toThrow();
  });

  it('revokes and expires keys of its own project, and announces changed keys', async () => {
    await fresh();
    const { id } = await store.createKey(keyOf('k'));
    const version = await store.keysVersion();
    expect(await store.revokeKey(2, id, startMs)).toBeNull();
    expect(await store.keysVersion()).toBe(version);
    expect(await store.expireKey(1, id, startMs + 9)).toMatchObject({ expiresAtMs: startMs + 9 });
    expect(await store.revokeKey(1, id, startMs + 1)).toMatchObject({ revokedAtMs: startMs + 1 });
    expect(await store.revokeKey(1, id, startMs + 2)).toMatchObject({ revokedAtMs: startMs + 1 });
    expect(await store.keysVersion()).toBeGreaterThan(version);
  });

  it('writes when a key was used at most once a minute', async () => {
    await fresh();
    const { id } = await store.createKey(keyOf('k'));
    const used: Array<number | null | undefined> = [];
    for (const atMs of [startMs, startMs + 59_999, startMs + 60_000]) {
      await store.touchKey(id, atMs);
      used.push((await store.listKeys(1))[0]?.lastUsedAtMs);
    }
    expect(used).toEqual([startMs, startMs, startMs + 60_000]);
  });

  it('adds a domain once and changes its switches', async () => {
    await fresh();
    const host = { projectId: 1, host: '*.shop.example', bugReports: true, createdAtMs: startMs };
    const [first, second] = await Promise.all([store.addDomain(host), store.addDomain(host)]);
    expect([first?.created, second?.created].sort()).toEqual([false, true]);
    const { id } = first?.domain ?? { id: 0 };
    expect(await store.changeDomain(2, id, { bugReports: false })).toBeNull();
    const changed = await store.changeDomain(1, id, {
      errors: false,
      sampling: 0.25,
      verificationId: 'dv_1',
    });
    expect(changed).toMatchObject({
      bugReports: true,
      errors: false,
      sampling: 0.25,
      verificationId: 'dv_1',
    });
    expect(await store.changeDomain(1, id, { verificationId: null })).toMatchObject({
      sampling: 0.25,
      verificationId: null,
    });
    expect(await store.findDomain(2, id)).toBeNull();
    expect(await store.listDomains(1)).toHaveLength(1);
  });

  it('keeps the first value of a setting if asked to', async () => {
    await fresh();
    const onlyIfAbsent = { onlyIfAbsent: true };
    expect(await store.findSetting('user_hash_key')).toBeNull();
    expect(await store.setSetting('user_hash_key', 'a', onlyIfAbsent)).toBe('a');
    expect(await store.setSetting('user_hash_key', 'b', onlyIfAbsent)).toBe('a');
    expect(await store.setSetting('user_hash_key', 'c')).toBe('c');
  });

  it('reports that it is healthy', async () => {
    await fresh();
    expect(await store.health()).toEqual({ writable: true, reason: null });
  });
});
