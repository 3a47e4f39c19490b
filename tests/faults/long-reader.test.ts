import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { migrate } from '../../data/migrate.ts';
import { openDb } from '../../data/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fullOrShort, inFull } from '../support/test-level.ts';

const mebibyte = 1_048_576;
const leftMax = 16 * mebibyte;

inFull(it)('F15: the log that grew beside a long reader is cut back to 16 MiB when it is gone', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'notifier.db');
  const db = await openDb(`sqlite:${file}`, {});
  await migrate(db, 0);
  const logBytes = (): number => statSync(`${file}-wal`).size;
  const keep = (name: string, bytes: number) =>
    db.run('INSERT INTO meta (name, value) VALUES ($1, $2)', [name, randomBytes(bytes / 2).toString('hex')]);

  const reader = new Database(file, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT COUNT(*) FROM meta').get();
  for (let times = 0; times < fullOrShort(60, 20); times += 1) await keep(`beside ${times}`, mebibyte);
  const grown = logBytes();
  expect(grown).toBeGreaterThan(leftMax);
  reader.exec('COMMIT');
  reader.close();

  // The next commits fold it in, begin it anew, and cut it.
  for (let times = 0; times < 8; times += 1) await keep(`after ${times}`, 1_000);
  const left = logBytes();
  process.stderr.write(
    `F15: ${(grown / mebibyte).toFixed(0)} MiB beside a reader, ${(left / mebibyte).toFixed(0)} after\n`,
  );
  expect(left).toBeLessThanOrEqual(leftMax);
  await db.close();
  folder.remove();
});
