// Bodies from before there was a dictionary: packed anew by a job that may be ended at any moment, and read
// the same before, meanwhile and after.
import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import type { Store } from '../../src/core/store/store.ts';
import { benchEvent } from '../bench/event.ts';
import { databases, storeAndDbForEachTest } from './support/databases.ts';
import { eventIdOf, eventOf } from './support/events.ts';

describe.each(databases)('bodies of an older program on $name', (database) => {
  let store: Store;
  let db: Db;
  storeAndDbForEachTest(database, (opened) => {
    ({ store, db } = opened);
  });

  const count = 120;
  const payloadOf = (nth: number): string => benchEvent(nth);
  const bytes = async (): Promise<number> => {
    const row = await db.get<{ bytes: number }>('SELECT SUM(LENGTH(body)) AS bytes FROM event_bodies');
    return Number(row?.bytes);
  };
  const payloads = async (): Promise<Array<string | undefined>> => {
    const all = [];
    for (let nth = 0; nth < count; nth += 1) {
      all.push((await store.findEvent(1, eventIdOf(`e${nth}`)))?.payload);
    }
    return all;
  };
  /** What an older program would have left. */
  async function file(): Promise<string[]> {
    const sent = Array.from({ length: count }, (_, nth) => payloadOf(nth));
    for (const [nth, payload] of sent.entries()) {
      const packed = { body: deflateSync(payload, { level: 1 }), sha256: hash('sha256', payload, 'buffer') };
      await store.recordEvent({ ...eventOf({ id: `e${nth}`, kind: 'k' }), payload: packed });
    }
    await db.run("INSERT INTO unpacked_bodies SELECT 'events', MAX(event_row) FROM event_bodies");
    return sent;
  }

  it('become smaller, slice by slice, and say the same', async () => {
    const sent = await file();
    const before = await bytes();
    expect(await store.repackBodies()).toBe(true);
    const first = await bytes();
    expect(first).toBeLessThan(before);
    expect(await payloads()).toEqual(sent);
    while (await store.repackBodies());
    expect(await bytes()).toBeLessThan(Math.min(first, 0.8 * before));
    expect(await payloads()).toEqual(sent);
    expect(await store.repackBodies()).toBe(false);
  });

  it('go on in another process, and several at once do no harm', async () => {
    const sent = await file();
    await store.repackBodies();
    await Promise.all([store.repackBodies(), store.repackBodies()]);
    while (await store.repackBodies());
    expect(await payloads()).toEqual(sent);
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
