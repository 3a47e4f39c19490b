import { beforeEach, describe, expect, it } from '@jest/globals';
import { openDb, openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { adminTokenSetting, type NewSession, sessionsMax } from '../../src/core/store/members.ts';
import { forEachTest } from '../support/shared.ts';
import { databases, startMs } from './support/databases.ts';

const dayMs = 24 * 60 * 60_000;
let made = 0;
const newSession = (createdAtMs = startMs): NewSession => {
  made += 1;
  const expiresAtMs = createdAtMs + dayMs;
  return {
    hash: `session-${made}`,
    createdAtMs,
    expiresAtMs,
    endsByMs: null,
    userAgent: 'Firefox',
    network: '192.0.2.0/24',
    signedInBy: '',
  };
};
const link = (hash: string) => ({ hash, createdAtMs: startMs, expiresAtMs: startMs + 1000, byMail: false });

describe.each(databases)('members on $name', (database) => {
  let url: string;
  const options = { now: () => startMs, log: silentLog };
  const store = forEachTest(async () => {
    url = await database.createMigrated();
    return openStore(url, options);
  });
  const other = forEachTest(() => openStore(url, options));
  const db = forEachTest(() => openDb(url, {}));
  beforeEach(() => store.setSetting(adminTokenSetting, 'digest'));

  const add = async (name: string, at = store) =>
    at.addMember({
      name,
      nameKey: name.toLowerCase(),
      email: null,
      role: 'member',
      createdAtMs: startMs,
      createdBy: 'a test',
    });
  const idOf = async (name: string): Promise<number> => (await add(name))?.id ?? 0;

  it('have unique names, under concurrency too; a name is free after removal', async () => {
    const added = await Promise.all([add('Ann'), add('ANN', other), add('ann'), add('Ann', other)]);
    const [first, ...more] = added.filter((each) => each !== null);
    expect(more).toEqual([]);
    expect((await store.removeMember(first?.id ?? 0, startMs))?.name).toMatch(/^ann$/i);
    expect(await store.removeMember(first?.id ?? 0, startMs)).toBeNull();
    expect(await store.findMember(first?.id ?? 0)).toBeNull();
    expect((await add('Ann'))?.id).toBeGreaterThan(first?.id ?? 0);
  });

  it('accept an invitation link once, under concurrent use in two processes', async () => {
    const memberId = await idOf('Ann');
    await store.addLink({ memberId }, link('once'));
    const spent = await Promise.all(
      Array.from({ length: 12 }, (_, use) =>
        (use % 2 === 0 ? store : other).redeemLink('once', newSession()),
      ),
    );
    expect(spent.filter(({ state }) => state === 'open')).toHaveLength(1);
    expect(spent.filter(({ state }) => state === 'used')).toHaveLength(11);
    expect(await store.listSessions({ memberId }, startMs)).toHaveLength(1);
  });

  it('keep an expired link for seven days', async () => {
    const holder = { tokenHash: 'digest' };
    const weekMs = 7 * 24 * 3_600_000;
    await store.addLink(holder, link('over'));
    const { expiresAtMs } = link('over');
    const later = (hash: string, atMs: number) => ({
      ...link(hash),
      createdAtMs: atMs,
      expiresAtMs: atMs + 1000,
    });
    const stands = async () => (await store.findLink('over', expiresAtMs + weekMs)).state;
    await store.addLink(holder, later('last', expiresAtMs + weekMs - 1));
    expect(await stands()).toBe('over');
    await store.addLink(holder, later('first', expiresAtMs + weekMs));
    expect(await stands()).toBe('unknown');
  });

  it('report the state of a link, and refuse one that is expired, replaced or of another token', async () => {
    const memberId = await idOf('Ann');
    await store.addLink({ memberId }, link('first'));
    await store.addLink({ memberId }, link('second'));
    await store.addLink({ tokenHash: 'digest' }, link('ours'));
    await store.addLink({ tokenHash: 'old' }, link('old'));
    const stands = async (hash: string, nowMs = startMs) => (await store.findLink(hash, nowMs)).state;
    expect(await stands('first')).toBe('unknown');
    expect(await stands('second')).toBe('open');
    expect(await stands('second', startMs + 1000)).toBe('over');
    expect(await stands('ours')).toBe('open');
    expect(await stands('old')).toBe('unknown');
    expect((await store.redeemLink('second', newSession(startMs + 1000))).state).toBe('over');
    expect((await store.redeemLink('old', newSession())).state).toBe('unknown');
    expect(await store.revokeLinks(memberId)).toBe(1);
    expect(await stands('second')).toBe('unknown');
    expect((await store.listMembers(startMs)).map(({ linkEndsAtMs }) => linkEndsAtMs)).toEqual([null]);
  });

  it('have sessions until they expire, which follow changes of the member', async () => {
    const memberId = await idOf('Ann');
    const session = newSession();
    const begun = await store.addSession({ memberId }, session);
    expect(begun).toMatchObject({ owner: { memberId }, member: { name: 'Ann', role: 'member' } });
    const found = (nowMs: number) => other.findSession(session.hash, nowMs);
    expect((await found(startMs + dayMs - 1))?.session.id).toBe(begun?.session.id);
    expect(await found(startMs + dayMs)).toBeNull();
    await store.touchSession(begun?.session.id ?? 0, startMs + 5, startMs + 2 * dayMs);
    expect((await found(startMs + dayMs))?.session.seenAtMs).toBe(startMs + 5);
    expect((await store.findMember(memberId))?.seenAtMs).toBe(startMs + 5);
    await store.changeMember(memberId, { role: 'admin' });
    expect((await found(startMs))?.member?.role).toBe('admin');
    await store.removeMember(memberId, startMs);
    expect(await found(startMs)).toBeNull();
    expect(await store.addSession({ memberId }, newSession())).toBeNull();
    expect(await db.all('SELECT id FROM member_sessions')).toEqual([]);
  });

  it('have a session of the token while that token is valid', async () => {
    const session = newSession();
    await store.addSession({ tokenHash: 'digest' }, session);
    expect(await store.findSession(session.hash, startMs)).toMatchObject({ member: null });
    await store.setSetting(adminTokenSetting, 'another');
    expect(await store.findSession(session.hash, startMs)).toBeNull();
    expect(await store.endTokenSessions()).toBe(1);
  });

  it('end only their own sessions, and have a limited number', async () => {
    const [ann, bob] = [await idOf('Ann'), await idOf('Bob')];
    const theirs = await store.addSession({ memberId: bob }, newSession());
    const kept: number[] = [];
    for (let index = 0; index < sessionsMax + 3; index += 1) {
      kept.push((await store.addSession({ memberId: ann }, newSession(startMs + index)))?.session.id ?? 0);
    }
    const listed = [{ id: bob, name: 'Bob', sessionsCount: 1 }];
    expect(await store.listMembers(startMs, bob)).toMatchObject(listed);
    const held = await store.listSessions({ memberId: ann }, startMs + 100);
    expect(held.map(({ id }) => id)).toEqual(kept.slice(3).reverse());
    expect(await store.endSession({ memberId: ann }, theirs?.session.id ?? 0)).toBe(false);
    expect(await store.endSession({ tokenHash: 'digest' }, held[0]?.id ?? 0)).toBe(false);
    expect(await store.endSessions({ memberId: ann }, held[1]?.id ?? 0)).toBe(sessionsMax - 1);
    expect(await store.listSessions({ memberId: bob }, startMs)).toHaveLength(1);
  });
});
