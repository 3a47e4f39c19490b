import { describe, expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { expiresSoon, getKeyState, rotateKey, updateKey } from '../../../src/core/projects/change-keys.ts';
import { createExpiryWarning } from '../../../src/core/projects/housekeeping.ts';
import { createKey, parseKeyOptions } from '../../../src/core/projects/keys.ts';
import { databases, startMs, storeWithProject } from '../../data/support/databases.ts';
import { shared } from '../../support/shared.ts';

const dayMs = 86_400_000;

describe('the body of a key request', () => {
  const said = (kind: 'public' | 'secret', words: Parameters<typeof parseKeyOptions>[1]) =>
    parseKeyOptions(kind, words, startMs);

  it('is parsed, without fields that are not given', () => {
    expect(said('secret', {})).toEqual({});
    expect(said('secret', { label: 'ci', scopes: 'read, ci read', expires: '90d' })).toEqual({
      label: 'ci',
      scopes: ['ci', 'read'],
      expiresAtMs: startMs + 90 * dayMs,
    });
    expect(
      said('public', { origins: 'HTTPS://Shop.example/\nhttps://shop.example http://a.example:81' }),
    ).toEqual({
      allowedOrigins: ['https://shop.example', 'http://a.example:81'],
    });
    expect(said('secret', { origins: '' })).toEqual({ allowedOrigins: [] });
    expect(said('secret', { expires: 'never' })).toEqual({ expiresAtMs: null });
    const day = new Date(startMs + 3 * dayMs).toISOString().slice(0, 10);
    expect(said('secret', { expires: day })).toEqual({ expiresAtMs: Date.parse(`${day}T00:00:00Z`) });
  });

  it.each([
    ['secret', { scopes: '' }, 'No scope was given.'],
    ['secret', { scopes: 'read,write' }, '"write" is none of them.'],
    ['secret', { scopes: 'ingest' }, '"ingest" is none of them.'],
    ['public', { scopes: 'read' }, 'The scopes of a public key are ingest.'],
    ['secret', { origins: 'https://shop.example' }, 'has no allowed origins'],
    ['public', { origins: 'https://shop.example/path' }, 'allowed_origins'],
    ['public', { origins: '*' }, 'allowed_origins'],
    [
      'public',
      { origins: Array.from({ length: 51 }, (_, nth) => `https://a${nth}.example`).join() },
      'allowed_origins',
    ],
    ['secret', { expires: '0' }, 'The expiry must be a duration'],
    ['secret', { expires: '90' }, 'The expiry must be a duration'],
    ['secret', { expires: '' }, 'The expiry must be a duration'],
    ['secret', { expires: 'soon' }, 'The expiry must be a duration'],
    ['secret', { expires: '2027-02-30' }, 'The expiry must be a duration'],
    ['secret', { expires: '0d' }, 'must be in the future'],
    ['secret', { expires: '2020-01-01' }, 'must be in the future'],
    ['secret', { expires: '3651d' }, 'within ten years'],
  ] as const)('is refused of a %s key: %j', (kind, words, why) => {
    expect(() => said(kind, words)).toThrow(why);
  });
});

describe.each(databases)('a key on $name', (database) => {
  const store = shared(() => storeWithProject(database));
  let nowMs = startMs;
  const deps = () => ({
    store,
    now: () => nowMs,
    randomBytes: (count: number) => Buffer.alloc(count, nowMs),
  });
  const newKey = (said: Parameters<typeof createKey>[3] = {}) => {
    nowMs += 1;
    return createKey(deps(), 1, 'secret', said);
  };

  it('keeps its fields, and changes only the given ones', async () => {
    const { key } = await newKey({ label: 'ci', scopes: ['ci'], expiresAtMs: startMs + 90 * dayMs });
    expect(key).toMatchObject({ label: 'ci', scopes: ['ci'], allowedOrigins: [] });
    const { key: plain } = await newKey();
    expect(plain).toMatchObject({ scopes: ['ci', 'read', 'admin'], expiresAtMs: null });
    const version = await store.keysVersion();
    const wider = await updateKey(deps(), key, { scopes: ['ci', 'read'] }, commandLineSource);
    expect(wider).toEqual({ ...key, scopes: ['ci', 'read'] });
    expect(await store.keysVersion()).toBeGreaterThan(version);
    const endless = await updateKey(deps(), wider, { expiresAtMs: null, label: '' }, commandLineSource);
    expect(endless).toEqual({ ...wider, label: '', expiresAtMs: null });
    expect((await store.listKeys(1)).find(({ id }) => id === key.id)).toEqual(endless);
    expect(await store.changeKey(2, key.id, { label: 'of another project' })).toBeNull();
  });

  it('is rotated to one with the same scopes, and never lives longer for it', async () => {
    const { key: old } = await newKey({ scopes: ['read'], expiresAtMs: nowMs + dayMs });
    nowMs += 1;
    const { created: made, ending } = await rotateKey(deps(), old, 7 * dayMs, null, commandLineSource);
    expect(made.key).toMatchObject({ scopes: ['read'], expiresAtMs: null });
    expect(ending.expiresAtMs).toBe(old.expiresAtMs);
    nowMs += 1;
    const sooner = await rotateKey(deps(), made.key, 3_600_000, nowMs + 30 * dayMs, commandLineSource);
    expect(sooner.ending.expiresAtMs).toBe(nowMs + 3_600_000);
    expect(sooner.created.key.expiresAtMs).toBe(nowMs + 30 * dayMs);
  });

  it('that has expired cannot be changed', async () => {
    const { key } = await newKey({ expiresAtMs: nowMs + 10 });
    nowMs += 10;
    expect(getKeyState(key, nowMs)).toBe('expired');
    await expect(updateKey(deps(), key, { expiresAtMs: null }, commandLineSource)).rejects.toThrow(
      'is already expired',
    );
    const { key: gone } = await newKey();
    const revoked = await store.revokeKey(1, gone.id, nowMs);
    await expect(updateKey(deps(), revoked ?? gone, { label: 'x' }, commandLineSource)).rejects.toThrow(
      'is already revoked',
    );
  });

  it('that expires within two weeks is logged at the start and once a day', async () => {
    const { key } = await newKey({ label: 'soon', expiresAtMs: nowMs + 1 + 14 * dayMs });
    const { key: later } = await newKey({ expiresAtMs: nowMs + 2 + 14 * dayMs });
    const begin = nowMs;
    expect([expiresSoon(key, begin), expiresSoon(later, begin), expiresSoon(later, begin + 1)]).toEqual([
      true,
      false,
      true,
    ]);
    const told: number[] = [];
    const warn = ({ keyId }: { keyId: number }, message: string): void => {
      if (message === 'a key expires soon' && [key.id, later.id].includes(keyId)) told.push(keyId);
    };
    const sweep = createExpiryWarning({ store, log: { ...silentLog, warn: warn as never } });
    const toldAt = async (atMs: number): Promise<number[]> => {
      expect(await sweep(atMs, () => false)).toBe(0);
      return told.splice(0);
    };
    expect(await toldAt(begin)).toEqual([key.id]);
    expect(await toldAt(begin + dayMs - 1)).toEqual([]);
    expect(await toldAt(begin + dayMs)).toEqual([key.id, later.id]);
    expect(await toldAt(begin + 15 * dayMs)).toEqual([]);
  });
});
