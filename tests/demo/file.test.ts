import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { type DemoDatabase, openDemoDatabase } from '../../src/app/layers/demo-database.ts';
import { programVersion } from '../../src/app/layers/version.ts';
import { silentLog } from '../../src/app/log.ts';
import type { Deps } from '../../src/core/deps.ts';
import { expectGolden } from '../golden/golden.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { demoFolder, golden, goldenMs, putDemoBeside } from './look.ts';

const dayMs = 86_400_000;

let place: ReturnType<typeof temporaryFolder>;
let folder: string;
let nowMs: number;
const opened: DemoDatabase[] = [];
const warned: unknown[] = [];
beforeAll(golden);
beforeEach(() => {
  place = temporaryFolder();
  folder = join(place.path, 'demo');
  nowMs = goldenMs;
});
afterEach(async () => {
  for (const demo of opened.splice(0)) await demo.close();
  warned.splice(0);
  place.remove();
});

function demoWith(diskReserveBytes = 0): DemoDatabase {
  const config = { databaseUrl: `sqlite:${join(place.path, 'x.db')}`, overload: { diskReserveBytes } };
  const log = { ...silentLog, warn: (fields: object) => void warned.push(fields) };
  const demo = openDemoDatabase({
    config: config as Deps['config'],
    now: () => nowMs,
    log,
    version: programVersion(),
    lockCheckMs: 20,
  });
  opened.push(demo);
  return demo;
}

function lockName(): string {
  const [version] = readdirSync(folder).flatMap((name) => /^([0-9a-f]{16})-\d+\.db$/.exec(name)?.[1] ?? []);
  return `${version}.lock`;
}

const said = (demo: DemoDatabase): string => {
  try {
    demo.now();
    return 'it is there';
  } catch (error) {
    return String(error);
  }
};

describe('the file of the demo', () => {
  it('is neither created nor opened before the first request', () => {
    demoWith();
    expect(existsSync(folder)).toBe(false);
  });

  it('is stored beside the database, opened by all processes, and read-only', async () => {
    await putDemoBeside(join(place.path, 'x.db'));
    const [one, other] = [demoWith(), demoWith()];
    expect(said(one)).toContain('It takes a few seconds');
    const { store, nowMs: atMs } = await one.ready();
    expect(atMs).toBe(goldenMs);
    expect(await (await other.ready()).store.listProjects()).toEqual(await store.listProjects());
    await expect(store.createProject({ name: 'x', createdAtMs: 0 })).rejects.toThrow('SQLITE_READONLY');
  });

  it('is built by one process at a time', async () => {
    await putDemoBeside(join(place.path, 'x.db'));
    const lock = lockName();
    const [file = ''] = readdirSync(folder);
    const kept = join(place.path, file);
    cpSync(join(folder, file), kept);
    rmSync(join(folder, file));
    mkdirSync(join(folder, lock));
    const demo = demoWith();
    expect(said(demo)).toContain('It takes a few seconds');
    // Whoever holds the lock puts it there.
    cpSync(kept, join(folder, file));
    expect((await demo.ready()).nowMs).toBe(goldenMs);
    expect(readdirSync(folder)).toContain(lock);
  });

  it('is used until the file of the next day is ready, and then replaced', async () => {
    await putDemoBeside(join(place.path, 'x.db'));
    const demo = demoWith();
    const before = await demo.ready();
    mkdirSync(join(folder, lockName()));
    nowMs = goldenMs + dayMs;
    expect(demo.now()).toBe(before);
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.db'));
    cpSync(join(folder, file), join(folder, file.replace(String(goldenMs), String(nowMs))));
    await until(() => demo.now().nowMs === nowMs);
    expect(await demo.now().store.listProjects()).toHaveLength(5);
  });

  it('has one error message on the page and in the log if it cannot be created', async () => {
    const demo = demoWith(Number.MAX_SAFE_INTEGER);
    await expect(demo.ready()).rejects.toThrow('The demo could not be built: the disk is full.');
    expect(said(demo)).toContain('The demo could not be built: the disk is full.');
    expect(said(demo)).toContain('the disk is full');
    expect(warned).toEqual([{ error: 'the disk is full' }]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Drawn anew in each database: keys of hashes, and what is made with them. */
const drawn = /^(?:meta\.value|issue_users|user_keys|events\.user_hash)/;

// A line for each table: a change of the demo is seen where it was made, and one that was not meant as well.
it('holds the stored rows', () => {
  const [name = ''] = readdirSync(demoFolder).filter((each) => each.endsWith(`-${goldenMs}.db`));
  const db = new Database(join(demoFolder, name), { readonly: true });
  const tables =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  const lines = db
    .prepare<[], string>(tables)
    .pluck()
    .all()
    .map((table) => {
      const rows = db.prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`).all();
      // Compressed text differs with the version of Node.
      const kept = rows.map((row) =>
        Object.entries(row).filter(
          ([column, value]) => !drawn.test(`${table}.${column}`) && !Buffer.isBuffer(value),
        ),
      );
      const hash = createHash('sha256').update(JSON.stringify(kept)).digest('hex').slice(0, 12);
      return `${table} ${rows.length} ${hash}`;
    });
  db.close();
  expectGolden('demo.txt', lines.join('\n'));
});
