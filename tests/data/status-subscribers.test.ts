import { beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { forEachTest } from '../support/shared.ts';
import { databases } from './support/databases.ts';

const lease = { untilMs: 2_000, limits: { email: 2, webhook: 1 } };

describe.each(databases)('messages to subscribers of a status page on $name', (database) => {
  let pageId: number;
  const store = forEachTest(async () =>
    openStore(await database.createMigrated(), { now: () => 0, log: silentLog }),
  );
  beforeEach(async () => {
    const page = await store.addStatusPage({
      ...{
        projectId: null,
        slug: 'shop',
        isSlugFree: true,
        name: 'Shop',
        description: '',
        isPublic: true,
        hosts: [],
      },
      ...{
        shows: ['incidents', 'subscribe'],
        language: 'en',
        accent: null,
        newImages: {},
        createdAtMs: 0,
        createdBy: 'Mara',
      },
      components: [{ id: null, name: 'Parcels', group: '', monitorIds: [], state: 'working' }],
    });
    pageId = page.id;
  });

  const add = async (
    address: string,
    kind: 'email' | 'webhook' = 'email',
    confirmedAtMs: number | null = 0,
  ) =>
    store.addSubscriber({
      ...{
        pageId,
        kind,
        address,
        secret: null,
        token: address,
        language: 'en',
        origin: null,
        createdAtMs: 0,
      },
      ...{ confirmedAtMs, expiresAtMs: confirmedAtMs === null ? 500 : null, mails: 1 },
    });
  const claimed = async (nowMs: number) =>
    (await store.claimStatusDeliveries(nowMs, { ...lease, untilMs: nowMs + 1_000 })).map(
      ({ subscriber }) => subscriber.address,
    );

  it('are queued once for each confirmed subscriber, and claimed by one process', async () => {
    for (const name of ['a', 'b', 'c']) await add(name);
    await add('hook', 'webhook');
    await add('unconfirmed', 'email', null);
    expect(await add('a')).toBeNull();
    await store.addStatusMessage({ pageId, publicId: 'm1', atMs: 0, body: '{}' });
    expect(await store.findStatusMessageWork(0)).toEqual({
      toAnnounce: false,
      toSend: true,
      toExpire: false,
    });
    expect(await claimed(0)).toEqual(['a', 'b', 'hook']);
    expect(await claimed(0)).toEqual(['c']);
    expect(await claimed(0)).toEqual([]);
    // The lease has ended: whoever claimed them died.
    const again = await store.claimStatusDeliveries(1_000, lease);
    for (const each of again)
      await store.finishStatusDelivery(each, each.subscriber.kind === 'email' ? null : 9_000);
    expect(await claimed(2_000)).toEqual(['c']);
    expect(await claimed(9_000)).toEqual(['c', 'hook']);
    for (const { id } of await store.listSubscribers(pageId)) await store.removeSubscriber(id);
    expect((await store.findStatusMessageWork(99_000)).toSend).toBe(false);
  });

  it('ask once for a confirmation, and are deleted with the subscriber', async () => {
    const waiting = await add('mara', 'email', null);
    if (waiting === null) throw new Error('It was not added.');
    for (const nowMs of [0, 1]) await store.addConfirmationMail(waiting, nowMs);
    expect(await store.claimStatusDeliveries(1, lease)).toMatchObject([{ message: null }]);
    expect(await store.countConfirmationMails('mara')).toBe(1);
    expect((await store.findStatusMessageWork(500)).toExpire).toBe(true);
    await store.removeExpiredSubscribers(500);
    expect(await store.findStatusMessageWork(9_000)).toEqual({
      toAnnounce: false,
      toSend: false,
      toExpire: false,
    });
    expect(await store.countSubscribers(pageId, 'email')).toBe(0);
  });

  it('are created for public updates and the resolution, in the same transaction', async () => {
    await add('mara');
    const update = {
      atMs: 5,
      author: 'Mara',
      isPublic: true,
      body: 'Late',
      from: null,
      to: 'investigating',
    } as const;
    const opened = await store.openIncident({
      ...{ projectId: null, monitorId: null, title: 'Late', severity: 'minor', openedBy: 'Mara', lead: null },
      ...{ cause: '', startedAtMs: 5, acknowledgedAtMs: 5, isHandled: true, affects: [], update },
    });
    const change = { ...opened, state: 'resolved', resolvedAtMs: 6 } as const;
    const internal = { ...update, atMs: 6, isPublic: false, from: 'investigating', to: 'resolved' } as const;
    await store.changeIncident(opened, change, { update: internal, link: null });
    expect(await store.takeAnnouncements(4, 9)).toEqual([]);
    expect(await store.takeAnnouncements(6, 9)).toMatchObject([
      { incidentId: opened.id, isFirst: true, body: 'Late' },
      { isPublic: false, state: 'resolved' },
    ]);
    expect(await store.takeAnnouncements(6, 9)).toEqual([]);
  });
});
