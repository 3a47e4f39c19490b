import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { watchDb } from '../../data/counts/health.ts';
import { openDb, openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { inFull } from '../support/test-level.ts';
import { sqliteDatabase } from './support/databases.ts';
import { eventIdOf, eventOf, startMs } from './support/events.ts';

/** Whether this machine lets us mount a small disk of our own; containers often do not. */
const canMount =
  spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' }).status === 0;

const filler = join(import.meta.dirname, 'support', 'fill-disk.ts');
const program = join(import.meta.dirname, 'support', 'write-until-refused.ts');
const fileBlocksMax = 12_000;

inFull(describe)('a file that may not grow', () => {
  const database = sqliteDatabase();
  afterAll(() => database.end());

  it('refuses events as unavailable and keeps every accepted one', async () => {
    const address = await database.create();
    const command = `ulimit -f ${fileBlocksMax}; exec "$0" "$@"`;
    const said = execFileSync('sh', ['-c', command, process.execPath, program, address], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const { accepted, ...rest } = JSON.parse(said) as { accepted: number };
    const ready = { readyBefore: true, readyAfter: false };
    expect(rest).toEqual({ refusal: 'StoreUnavailableError', readable: true, ...ready });
    expect(accepted).toBeGreaterThan(5);

    const store = await openStore(address, { now: () => startMs, log: silentLog });
    const { rows } = await store.listIssues(1, { orderBy: 'id', descending: false, limit: 9, offset: 0 });
    expect(rows.map((issue) => issue.eventsCount)).toEqual([accepted]);
    for (let index = 0; index < accepted; index += 1) {
      expect(await store.findEvent(1, eventIdOf(`e${index}`))).not.toBeNull();
    }
    expect(await store.recordEvent(eventOf({ id: `e${accepted}` }))).toMatchObject({ duplicate: false });
    await store.close();
  });
});

describe('a disk that is full', () => {
  (canMount ? inFull(it) : it.skip)(
    'is noticed before any event arrives, and is ready again once there is space',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'notifier-disk-'));
      const command = `mount -t tmpfs -o size=16m tmpfs "$1" && exec "$2" "$3" "$1"`;
      const said = execFileSync(
        'unshare',
        ['-Urm', 'sh', '-c', command, 'sh', folder, process.execPath, filler],
        { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
      );
      rmSync(folder, { recursive: true });
      expect(JSON.parse(said)).toEqual({ before: true, full: false, after: true, kept: true });
    },
  );

  it('is noticed too at the page limit of the database, and the probe leaves nothing', async () => {
    const database = sqliteDatabase();
    const db = await openDb(await database.createMigrated(), {});
    const { health } = watchDb(db);
    expect(await health(startMs)).toMatchObject({ writable: true, reason: null });
    const pages = (await db.get<{ page_count: number }>('PRAGMA page_count'))?.page_count ?? 0;
    for (let times = 0; times < 20; times += 1) await health(startMs);
    expect((await db.get<{ page_count: number }>('PRAGMA page_count'))?.page_count).toBe(pages);
    // The pages that the probe gave back are taken by what is kept, as events would.
    await db.run(`PRAGMA max_page_count = ${pages}`);
    await db.run("INSERT INTO meta (name, value) VALUES ('kept', $1)", ['x'.repeat(40_000)]);
    const full = await health(startMs);
    expect(full.writable).toBe(false);
    expect(full.reason).toContain('SQLITE_FULL');
    await db.run(`PRAGMA max_page_count = ${pages + 300}`);
    expect((await health(startMs)).writable).toBe(true);
    await db.close();
    await database.end();
  });
});
