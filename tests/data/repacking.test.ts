// Bodies of older programs, without a dictionary or with the first one, and how they were grouped beside
// them: packed anew by a job that may be ended at any moment, and read the same by everyone before, meanwhile
// and after.
import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { packPayload } from '../../src/core/events/pack.ts';
import type { Store } from '../../src/core/store/store.ts';
import { benchEvent, eventOfSize } from '../bench/event.ts';
import { inFull } from '../support/test-level.ts';
import { databases, storeAndDbForEachTest } from './support/databases.ts';
import { eventIdOf, eventOf, hashOf } from './support/events.ts';

describe.each(databases)('bodies of an older program on $name', (database) => {
  let store: Store;
  let db: Db;
  storeAndDbForEachTest(database, (opened) => {
    ({ store, db } = opened);
  });

  const count = 120;
  const payloadOf = (nth: number): string => benchEvent(nth);
  const bytes = async (): Promise<number> => {
    const row = await db.get<{ bytes: number }>(
      'SELECT SUM(LENGTH(body) + LENGTH(grouping) + LENGTH(errors)) AS bytes FROM event_bodies',
    );
    return Number(row?.bytes);
  };
  const errors = [{ type: 'invalid_data' as const, name: 'tags', value: 'x' }];
  const stored = async (): Promise<unknown[]> => {
    const all = [];
    for (let nth = 0; nth < count; nth += 1) {
      const event = await store.findEvent(1, eventIdOf(`e${nth}`));
      all.push([event?.payload, event?.grouping, event?.errors]);
    }
    return all;
  };
  const columns = (): Promise<unknown[]> =>
    db.all('SELECT DISTINCT grouping, errors FROM event_bodies ORDER BY grouping');
  /** What older programs would have left. */
  async function file(): Promise<unknown[]> {
    const sent = Array.from({ length: count }, (_, nth) => payloadOf(nth));
    const told = [];
    for (const [nth, payload] of sent.entries()) {
      const unhelped = {
        body: deflateSync(payload, { level: 1 }),
        sha256: hash('sha256', payload, 'buffer'),
      };
      const event = { ...eventOf({ id: `e${nth}`, kind: 'k' }), errors };
      await store.recordEvent({ ...event, payload: nth % 2 === 0 ? unhelped : packPayload(payload) });
      told.push([payload, event.grouping, errors]);
    }
    await db.run("INSERT INTO unpacked_bodies SELECT 'events', MAX(event_row) FROM event_bodies");
    return told;
  }

  inFull(it)('become smaller, slice by slice, and say the same', async () => {
    const sent = await file();
    const before = await bytes();
    expect(await store.repackBodies()).toBe(true);
    const first = await bytes();
    expect(first).toBeLessThan(before);
    expect(await stored()).toEqual(sent);
    while (await store.repackBodies());
    expect(await bytes()).toBeLessThan(Math.min(first, 0.8 * before));
    expect(await stored()).toEqual(sent);
    expect(await store.repackBodies()).toBe(false);
    expect(await columns()).toEqual([{ grouping: '', errors: '' }]);
  });

  it('keep what a run of regrouping wrote beside them, and are let be where they are packed so already', async () => {
    await file();
    const later = JSON.stringify({ ...eventOf({ kind: 'later' }).grouping });
    await db.run('UPDATE event_bodies SET grouping = $1 WHERE event_row <= 3', [later]);
    await store.recordEvent(eventOf({ id: 'new', kind: 'k' }));
    await db.run('UPDATE event_bodies SET grouping = $1 WHERE event_row > $2', [later, count]);
    await db.run('UPDATE unpacked_bodies SET next_row = next_row + 1');
    while (await store.repackBodies());
    const groupings = [];
    for (const id of ['e0', 'e2', 'e3', 'new']) {
      groupings.push((await store.findEvent(1, eventIdOf(id)))?.grouping.hash);
    }
    expect(groupings).toEqual(['later', 'later', 'k', 'later'].map((kind) => hashOf(kind)));
    expect(await columns()).toEqual([
      { grouping: '', errors: '' },
      { grouping: later, errors: '' },
    ]);
  });

  it('stay apart from how they were grouped where they are large', async () => {
    const payload = eventOfSize(27, 1);
    await store.recordEvent({ ...eventOf({ id: 'large', kind: 'k' }), payload });
    const before = await db.all('SELECT * FROM event_bodies');
    await db.run("INSERT INTO unpacked_bodies SELECT 'events', MAX(event_row) FROM event_bodies");
    while (await store.repackBodies());
    expect(await db.all('SELECT * FROM event_bodies')).toEqual(before);
    expect(await store.findEvent(1, eventIdOf('large'))).toMatchObject({
      payload,
      grouping: { hash: hashOf('k') },
    });
  });

  it('go on in another process, and several at once do no harm', async () => {
    const sent = await file();
    await store.repackBodies();
    await Promise.all([store.repackBodies(), store.repackBodies()]);
    while (await store.repackBodies());
    expect(await stored()).toEqual(sent);
    expect(await db.all('SELECT name FROM unpacked_bodies')).toEqual([]);
  });

  it('stay as they are where they are damaged', async () => {
    await file();
    const damaged = Buffer.from('xœ damaged');
    await db.run('UPDATE event_bodies SET body = $1 WHERE event_row = 5', [damaged]);
    while (await store.repackBodies());
    const row = await db.get<{ body: Uint8Array }>('SELECT body FROM event_bodies WHERE event_row = 5');
    expect(Buffer.from(row?.body ?? [])).toEqual(damaged);
  });
});
