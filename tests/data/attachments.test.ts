import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { openDb, openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs } from './support/databases.ts';
import { eventIdOf, eventOf } from './support/events.ts';

const textOf = (bytes: number): Buffer => Buffer.from('a line of a log\n'.repeat(bytes / 16));
const named = (filename: string, bytes: Uint8Array) => ({
  filename,
  contentType: 'application/octet-stream',
  attachmentType: 'event.attachment',
  bytes,
});

describe.each(databases)('attachments on $name', (database) => {
  const opened: Array<Store | Db> = [];
  afterAll(async () => {
    for (const each of opened) await each.close();
  });
  async function open(): Promise<{ store: Store; db: Db }> {
    const address = await database.createMigrated();
    const store = await openStore(address, { now: () => startMs, log: silentLog });
    const db = await openDb(address, {});
    opened.push(store, db);
    await store.createProject({ name: 'p', createdAtMs: startMs });
    return { store, db };
  }
  const idOf = async (db: Db, filename: string): Promise<number> => {
    const row = await db.get<{ id: number }>('SELECT id FROM event_attachments WHERE filename = $1', [
      filename,
    ]);
    return Number(row?.id);
  };

  it('are compressed where that helps, and are read back byte for byte', async () => {
    const { store, db } = await open();
    const sent = {
      'text.log': textOf(64_000),
      'noise.bin': randomBytes(5_000),
      'empty.txt': Buffer.alloc(0),
    };
    const [first, ...rest] = Object.entries(sent).map(([name, bytes]) => named(name, bytes));
    await store.recordEvent(eventOf({ id: 'a', attachments: [first as never] }));
    expect(await store.addAttachments(1, eventIdOf('a'), [...rest, first as never])).toBe(3);
    const rows = await db.all<{ filename: string; size: number; kept: number }>(
      'SELECT filename, size, LENGTH(bytes) AS kept FROM event_attachments ORDER BY id',
    );
    expect(rows.map(({ filename, size }) => [filename, Number(size)])).toEqual([
      ['text.log', 64_000],
      ['noise.bin', 5_000],
      ['empty.txt', 0],
    ]);
    expect(Number(rows[0]?.kept)).toBeLessThan(1_000);
    expect(Number(rows[1]?.kept)).toBe(5_000);
    for (const [name, bytes] of Object.entries(sent)) {
      const found = await store.findAttachment(1, eventIdOf('a'), await idOf(db, name));
      expect(Buffer.from(found?.bytes ?? []).equals(bytes)).toBe(true);
      expect(found?.sizeBytes).toBe(bytes.length);
    }
    const [weight] = await store.sumEventBytes(() => false);
    expect(weight?.bytes).toBeLessThan(5_000 + 1_000 + 4_000);
  });

  it('are read in the format of earlier versions', async () => {
    const { store, db } = await open();
    await store.recordEvent(eventOf({ id: 'a', attachments: [named('old.log', textOf(16_000))] }));
    await db.run('UPDATE event_attachments SET bytes = $1', [textOf(16_000)]);
    const found = await store.findAttachment(1, eventIdOf('a'), await idOf(db, 'old.log'));
    expect(Buffer.from(found?.bytes ?? []).equals(textOf(16_000))).toBe(true);
  });

  it('with corrupt bytes are refused', async () => {
    const { store, db } = await open();
    await store.recordEvent(eventOf({ id: 'a', attachments: [named('a.log', textOf(16_000))] }));
    await db.run('UPDATE event_attachments SET bytes = $1', [Buffer.from('no frame of anything')]);
    await expect(store.findAttachment(1, eventIdOf('a'), await idOf(db, 'a.log'))).rejects.toThrow(
      'does not inflate',
    );
  });
});
