import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '../../../data/db.ts';
import { openDb, openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import { createRuleDefinition } from '../../../src/core/alerts/rule-definitions.ts';
import { limitStore, scopeOf } from '../../../src/core/members/project-scope.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { mailChannelOf } from '../../data/support/channels.ts';
import { databases, startMs } from '../../data/support/databases.ts';
import { eventOf } from '../../data/support/events.ts';

it('an unknown member has no project, and the workspace token has all', () => {
  expect([scopeOf(new Map(), 5), scopeOf(new Map(), null)]).toEqual([[], null]);
});

describe.each(databases)('a channel of one project on $name', (database) => {
  let store: Store;
  let db: Db;
  let own: number;
  let other: number;
  let channelId: number;
  beforeEach(async () => {
    const url = await database.createMigrated();
    store = await openStore(url, { now: () => startMs, log: silentLog });
    db = await openDb(url, {});
    own = (await store.createProject({ name: 'own', createdAtMs: startMs })).id;
    other = (await store.createProject({ name: 'other', createdAtMs: startMs })).id;
    channelId = (await store.addChannel(mailChannelOf({ projectId: own }))).id;
  });
  afterEach(async () => {
    await Promise.all([store.close(), db.close()]);
  });

  it('shows a member of that project no messages about other projects', async () => {
    const ids: number[] = [];
    for (const projectId of [own, other, null]) {
      const said = { atMs: startMs, subject: 's', rule: 'r', why: '', path: null, body: 'b' };
      ids.push((await store.addDelivery({ projectId, channelId, messageId: `m${projectId}`, ...said })).id);
    }
    const limited = limitStore(store, [own]);
    const slice = { after: null, before: null, limit: 10 };
    expect((await limited.listDeliveries(channelId, slice)).rows.map(({ id }) => id)).toEqual(
      ids.slice(0, 1),
    );
    const found = await Promise.all(ids.map((id) => limited.findDelivery(channelId, id)));
    expect(found.map((each) => each?.id ?? null)).toEqual([ids[0], null, null]);
    expect((await store.listDeliveries(channelId, slice)).rows).toHaveLength(3);
  });

  it('lets a member of one project remove one recipient, and change nothing else', async () => {
    const of = { address: 'a@shop.example, b@shop.example, c@shop.example' };
    for (const projectId of [own, other, null]) await loseOne(projectId, of);
  });

  const loseOne = async (projectId: number | null, of: { readonly address: string }) => {
    const { id } = await store.addChannel(mailChannelOf({ projectId, ...of }));
    const limited = limitStore(store, [own]);
    const seen = await limited.findChannelOfRecipient(id, 'B@shop.example');
    expect([seen?.id, await limited.findChannelOfRecipient(id, 'shop.example')]).toEqual([id, null]);
    const target = '2 recipients';
    const refused = [
      { address: 'a@shop.example, b@shop.example, c@shop.example', target },
      { address: 'a@shop.example, x@shop.example', target },
      { address: 'a@shop.example', target },
      { address: 'a@shop.example, b@shop.example' },
      { address: 'a@shop.example, b@shop.example', target, name: 'Mine' },
      { state: 'paused' as const },
    ];
    for (const change of refused)
      await expect(limited.changeChannel(id, change)).rejects.toMatchObject({ status: 403 });
    const fewer = { address: 'a@shop.example, c@shop.example', target };
    expect(await store.findChannelRecord(id)).toMatchObject(of);
    expect(await limited.changeChannel(id, fewer)).toMatchObject(fewer);
    await expect(limited.changeChannel(channelId, { address: '', target })).rejects.toMatchObject({
      status: 403,
    });
  };

  it('gets no overflow of other projects from a rule of the workspace', async () => {
    for (const projectId of [own, other]) await store.recordEvent(eventOf({ projectId }));
    await db.write((tx) => tx.run('UPDATE issues SET is_overflow = 1'));
    await store.addRule({ ...createRuleDefinition('issue.is_new'), projectId: null }, [channelId]);
    const rows = await db.all<{ id: number }>(
      'SELECT project_id AS id FROM pending_notifications WHERE channel_id = $1 AND notified_events > 0',
      [channelId],
    );
    expect(rows.map(({ id }) => id)).toEqual([own]);
  });
});
