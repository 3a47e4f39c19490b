import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { killsWanted } from '../support/test-level.ts';
import { sqliteDatabase, startMs } from './support/databases.ts';
import { postUntilKilled, startServer } from './support/served.ts';

const program = join(import.meta.dirname, 'support', 'write-until-killed.ts');
const kills = killsWanted(4);
const timeoutMs = 60_000 + kills * 15_000;
const spread = 10;

describe(`kill -9 during load, ${kills} times`, () => {
  const database = sqliteDatabase();
  afterAll(() => database.end());

  it(
    'loses nothing that was answered and counts nothing twice',
    async () => {
      const address = await database.create();
      const answered = new Set<string>();
      for (let round = 0; round < kills; round += 1) {
        // Killed at a point of the load, not of the clock: the test means the same on a slow machine.
        for (const id of await fileUntilKilled(address, round, 300 + (round % spread) * 77)) answered.add(id);
        // A start checks the schema and recovers the log.
        const store = await openStore(address, { now: () => startMs, log: silentLog });
        await store.close();
        const { ids, ...found } = inspect(address.slice('sqlite:'.length));
        expect([...answered].filter((id) => !ids.has(id))).toEqual([]);
        const events = ids.size;
        expect(found).toEqual({
          integrity: 'ok',
          issues: 10,
          counted: events,
          ownCounted: events,
          inHours: events,
          bodies: events,
          byRelease: events,
          bySdk: events,
          accepted: events,
        });
      }
      // Less what the rounds repeat, each of at least this many new ones.
      expect(answered.size).toBeGreaterThan(kills * 200);
      process.stderr.write(
        `F1: the store killed ${kills} times, ${answered.size} answered, none lost or twice\n`,
      );
    },
    timeoutMs,
  );

  it(
    'of the server itself: every event that was answered is there after the restart, counted once',
    async () => {
      const address = await database.create();
      const answered = new Set<string>();
      for (let round = 0; round < kills; round += 1) {
        const served = await startServer(address);
        // The first events repeat those of the round before, as a client does that had no answer.
        const wordOf = (number: number): string =>
          number <= 100 ? `${round - 1}/${number}` : `${round}/${number - 100}`;
        for (const id of await postUntilKilled(served, 200 + (round % spread) * 37, wordOf)) answered.add(id);
        const { ids, integrity, counted, accepted } = inspect(address.slice('sqlite:'.length));
        expect([...answered].filter((id) => !ids.has(id))).toEqual([]);
        expect({ integrity, counted, accepted }).toEqual({
          integrity: 'ok',
          counted: ids.size,
          accepted: ids.size,
        });
      }
      expect(answered.size).toBeGreaterThan(kills * 130);
      process.stderr.write(
        `F1: the server killed ${kills} times, ${answered.size} answered, none lost or twice\n`,
      );
    },
    timeoutMs,
  );
});

async function fileUntilKilled(address: string, round: number, events: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, address, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const answered: string[] = [];
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    answered.push(line);
    if (answered.length === events) child.kill('SIGKILL');
  }
  const [, signal] = await ended;
  expect(signal).toBe('SIGKILL');
  // A line cut by the kill is no answer.
  return answered.filter((line) => line.length === 32);
}

function inspect(file: string) {
  const db = new Database(file, { readonly: true });
  const one = (sql: string): unknown => db.prepare(sql).pluck().get();
  const found = {
    ids: new Set(db.prepare('SELECT event_id FROM events').pluck().all() as string[]),
    integrity: one('PRAGMA integrity_check'),
    issues: one('SELECT COUNT(*) FROM issues'),
    counted: one('SELECT SUM(events_count) FROM issues'),
    ownCounted: one('SELECT SUM(own_events_count) FROM issues'),
    inHours: one('SELECT SUM(events) FROM issue_hours'),
    bodies: one('SELECT COUNT(*) FROM event_bodies JOIN events ON events.id = event_row'),
    byRelease: one('SELECT SUM(events) FROM issue_releases'),
    bySdk: one('SELECT SUM(events) FROM sdk_statistics'),
    accepted: one("SELECT SUM(quantity) FROM outcomes WHERE outcome = 'accepted'"),
  };
  db.close();
  return found;
}
