import { describe, expect, it } from '@jest/globals';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { forEachTest } from '../support/shared.ts';
import { databases, startMs } from './support/databases.ts';

describe.each(databases)('ways to sign in on $name', (database) => {
  const store = forEachTest(async () =>
    openStore(await database.createMigrated(), { now: () => startMs, log: silentLog }),
  );

  const add = async (name: string, email: string | null = null): Promise<number> => {
    const member = {
      name,
      nameKey: name.toLowerCase(),
      email,
      role: 'member',
      createdAtMs: startMs,
    } as const;
    return (await store.addMember({ ...member, createdBy: 'a test' }))?.id ?? 0;
  };
  const identity = (memberId: number, subject: string, issuer = 'https://a.example') => ({
    ...{ memberId, issuer, subject, email: null, createdAtMs: startMs, usedAtMs: startMs },
  });
  const passkey = (memberId: number, credentialId: string, counter = 0) => ({
    ...{ memberId, credentialId, publicKey: 'a-key', counter, transports: ['internal', 'hybrid'] },
    ...{ name: 'Laptop', createdAtMs: startMs },
  });

  it('give a challenge to the first of two concurrent requests, until it expires', async () => {
    const kept = (hash: string) => ({ hash, body: `of ${hash}`, expiresAtMs: startMs + 10 });
    await store.addChallenge(kept('a'), startMs);
    await store.addChallenge(kept('b'), startMs);
    const taken = await Promise.all([1, 2, 3].map(() => store.takeChallenge('a', startMs + 9)));
    expect(taken.filter((body) => body !== null)).toEqual(['of a']);
    expect(await store.takeChallenge('b', startMs + 10)).toBeNull();
  });

  it('have one account of an issuer for a member, and one member for an account', async () => {
    const [ann, ben] = [await add('Ann', 'Ann@Shop.example'), await add('Ben')];
    expect(await store.listMembersByEmail('aNN@shop.example')).toMatchObject([{ id: ann }]);
    expect(await store.addIdentity(identity(ann, 's1'))).toMatchObject({ memberId: ann });
    expect(await store.addIdentity(identity(ben, 's1'))).toBeNull();
    expect(await store.addIdentity(identity(ann, 's2'))).toBeNull();
    const second = await store.addIdentity(identity(ann, 's1', 'https://b.example'));
    await store.touchIdentity(second?.id ?? 0, 'x@y.example', startMs + 5);
    expect(await store.findIdentity('https://b.example', 's1')).toMatchObject({ usedAtMs: startMs + 5 });
    expect(await store.removeIdentity(ben, second?.id ?? 0)).toBeNull();
    expect(await store.removeIdentity(ann, second?.id ?? 0)).toMatchObject({ subject: 's1' });
  });

  it('accept only increasing signature counters of a passkey, unless it has none', async () => {
    const ann = await add('Ann');
    expect(await store.hasPasskeys()).toBe(false);
    const counting = await store.addPasskey(passkey(ann, 'counts', 5));
    const plain = await store.addPasskey(passkey(ann, 'counts none'));
    expect(await store.addPasskey(passkey(ann, 'counts', 9))).toBeNull();
    const use = (id = 0, counter = 0) => store.usePasskey(id, counter, startMs);
    expect(await use(counting?.id, 6)).toBe(true);
    expect([await use(counting?.id, 6), await use(counting?.id, 0)]).toEqual([false, false]);
    expect([await use(plain?.id, 0), await use(plain?.id, 0)]).toEqual([true, true]);
    expect(await store.findPasskey('counts')).toMatchObject({
      ...{ counter: 6, transports: ['internal', 'hybrid'], usedAtMs: startMs },
    });
  });

  it('change a passkey only for its member, and delete all with the member', async () => {
    const [ann, ben] = [await add('Ann'), await add('Ben')];
    const { id = 0 } = (await store.addPasskey(passkey(ann, 'a'))) ?? {};
    await store.addPasskey(passkey(ann, 'b'));
    await store.addIdentity(identity(ann, 's'));
    expect([await store.renamePasskey(ben, id, 'Mine'), await store.removePasskey(ben, id)]).toEqual([
      null,
      null,
    ]);
    expect(await store.renamePasskey(ann, id, 'Phone')).toMatchObject({ name: 'Phone' });
    expect(await store.removePasskey(ann, id)).toMatchObject({ name: 'Phone' });
    await store.addPasskey(passkey(ben, 'c'));
    const methods = { hasPasskey: true, issuers: ['https://a.example'] };
    expect([...(await store.listSignInMethods(ann))]).toEqual([[ann, methods]]);
    await store.removeMember(ann, startMs);
    expect(await store.listPasskeys(ann)).toEqual([]);
    expect(await store.findIdentity('https://a.example', 's')).toBeNull();
  });
});
