import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { eventIdOf, eventOf } from '../../data/support/events.ts';
import { type TestCommandLine, testCommandLine } from '../../support/command-line.ts';
import { inFull } from '../../support/test-level.ts';

describe('prune --compact', () => {
  let line: TestCommandLine;
  const file = (): string => line.databaseUrl.slice('sqlite:'.length);
  const hash = (): string => createHash('sha256').update(readFileSync(file())).digest('hex');
  beforeEach(async () => {
    line = testCommandLine();
    await line.json('project create shop');
    await line.withDeps(async ({ store }) => {
      for (let n = 0; n < 300; n += 1) {
        const payload = JSON.stringify({
          text: Array.from({ length: 60 }, (_, at) => eventIdOf(`${n} ${at}`)),
        });
        await store.recordEvent(eventOf({ id: `e${n}`, receivedAtMs: n + 1, payload }));
      }
    });
    const db = new Database(file());
    db.pragma('auto_vacuum = NONE');
    db.exec('VACUUM');
    db.close();
  });
  afterEach(() => line.remove());

  inFull(it)('makes the file smaller, and turns on incremental vacuum', async () => {
    expect(await line.json('prune --yes')).toMatchObject({ removed: 199, shrinks: false });
    const before = statSync(file()).size;
    const { bytes_before, bytes_after } = await line.json('prune --compact');
    expect([bytes_before, bytes_after]).toEqual([before, statSync(file()).size]);
    expect(bytes_after).toBeLessThan(before - 199 * 1000);
    const db = new Database(file(), { readonly: true });
    expect(db.pragma('auto_vacuum', { simple: true })).toBe(2);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
    await line.withDeps(async ({ store }) => {
      expect(await store.countStoredEvents(1)).toBe(101);
      expect(await store.findEvent(1, eventIdOf('e299'))).not.toBeNull();
    });
    expect(await line.json('prune')).toMatchObject({ removed: 0, shrinks: true });
  });

  // It waits for whoever has it open, twice.
  inFull(it)('refuses a file that a server has open', async () => {
    await line.withDeps(async () => {
      const { code, err } = await line.notifier('prune --compact');
      expect([code, err]).toEqual([1, expect.stringMatching(/n?otifier.*is in use: stop the server/)]);
    });
    const before = hash();
    const reader = new Database(file(), { readonly: true });
    reader.prepare('SELECT 1 FROM meta').get();
    expect((await line.notifier('prune --compact')).err).toContain('is in use');
    reader.close();
    expect(hash()).toBe(before);
  });

  it('takes no other option, and names what PostgreSQL has for it', async () => {
    expect((await line.notifier('prune --compact --yes')).code).toBe(2);
    const env = { DATABASE_URL: 'postgres://ann@127.0.0.1:1/x' };
    const { code, err } = await line.notifier('prune --compact', { env });
    expect([code, err]).toEqual([2, expect.stringContaining('VACUUM FULL')]);
  });
});
