// A server on a small disk of its own that somebody else fills: what it answers while the disk is full and
// afterwards, and what became of the reserve. Argument: the folder that the disk is mounted at.

import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import { eventOf } from '../../data/support/events.ts';
import { startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';

const [folder = ''] = process.argv.slice(2);
const file = join(folder, 'notifier.db');
const reserve = `${file}-reserve`;
const keys = { NOTIFIER_PUBLIC_KEY: 'full-disk-public-1', NOTIFIER_SECRET_KEY: 'full-disk-secret-1' };
const kept = 500;
const stored = 5_000;

const free = (): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

const program = await startProgram({
  DATABASE_URL: `sqlite:${file}`,
  OVERLOAD: 'on',
  DISK_RESERVE_MB: '8',
  RETENTION_DAYS: '0',
  RETENTION_EVENTS_PER_PROJECT: String(kept),
  // Else a quarter of this disk, which would have retention begin before the disk is full.
  RETENTION_BYTES_PER_PROJECT: '0',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  ...keys,
});
// Whoever waits for this process must not be left with the server of it.
setTimeout(() => {
  program.process.kill('SIGKILL');
  process.stderr.write(`not back after 100 s, with ${free()} bytes free: ${program.errors()}`);
  process.exit(1);
}, 100_000).unref();
let sent = 0;
async function send(): Promise<number> {
  sent += 1;
  const answer = await fetch(`${program.origin}/wp-json/notifier/v1/store`, {
    method: 'POST',
    headers: { 'X-Notifier-Key': keys.NOTIFIER_PUBLIC_KEY },
    body: JSON.stringify({ message: 'of the server', event_id: sent.toString(16).padStart(32, '0') }),
  });
  await answer.arrayBuffer();
  if (answer.status === 201) accepted.push(sent);
  return answer.status;
}
const get = async (path: string): Promise<number> => {
  const answer = await fetch(`${program.origin}${path}`, {
    headers: { Authorization: `Bearer ${keys.NOTIFIER_SECRET_KEY}` },
  });
  await answer.arrayBuffer();
  return answer.status;
};
const accepted: number[] = [];

await until(() => existsSync(reserve) && statSync(reserve).size === 8 * 1_048_576);
const before = await send();
// More than is kept comes after the first round, by another process: the next one is ten minutes away.
const store = await openStore(`sqlite:${file}`, { now: () => Date.now(), log: silentLog });
const nowMs = Date.now();
for (let at = 0; at < stored; at += 100) {
  await Promise.all(
    Array.from({ length: 100 }, (_, n) => {
      const payload = JSON.stringify({ text: randomBytes(4000).toString('hex') });
      const receivedAtMs = nowMs - 1e6 + at + n;
      return store.recordEvent(eventOf({ receivedAtMs, timestampMs: receivedAtMs, payload }));
    }),
  );
}
// A log that has grown has room of its own for a while: without it the next write needs the disk.
const raw = new Database(file);
raw.pragma('wal_checkpoint(TRUNCATE)');
raw.close();
const fullBytes = statSync(file).size;
try {
  for (;;) appendFileSync(join(folder, 'ballast'), Buffer.alloc(65_536, 1));
} catch {
  // Not a page is left.
}
const freeWhenFull = free();
const during: number[] = [];
const reads: number[] = [];
const beganMs = performance.now();
await until(async () => {
  const status = await send();
  during.push(status);
  reads.push(await get('/wp-json/notifier/v1/issues?per_page=1'), await get('/livez'));
  return status === 201 && during.includes(503);
});
const seconds = (performance.now() - beganMs) / 1000;
await until(() => existsSync(reserve) && statSync(reserve).size === 8 * 1_048_576);
const left = await store.countStoredEvents(1);
let missing = 0;
for (const id of accepted) {
  if ((await store.findEvent(1, id.toString(16).padStart(32, '0'))) === null) missing += 1;
}
await store.close();
const code = await program.end();
process.stdout.write(
  JSON.stringify({
    before,
    freeWhenFull,
    statuses: [...new Set(during)].sort(),
    reads: [...new Set(reads)],
    missing,
    accepted: accepted.length,
    left,
    shrunkBy: fullBytes - statSync(file).size,
    seconds: Math.round(seconds),
    code,
    said: program.errors(),
  }),
);
