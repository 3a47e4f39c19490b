import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import { runCommandLine } from '../../../src/cli/run.ts';
import type { Finding } from '../../../src/core/doctor/facts.ts';
import { databases, storeAt } from '../../data/support/databases.ts';
import { eventIdOf, eventOf } from '../../data/support/events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inFull } from '../../support/test-level.ts';
import { writeMigratedFile } from '../../support/throw-away-database.ts';

/** Nothing is asked of a name or of an address outside of this machine. */
async function doctor(databaseUrl: string, env: Record<string, string> = {}, words: readonly string[] = []) {
  let out = '';
  let err = '';
  const code = await runCommandLine(['doctor', '--json', ...words], {
    env: { DATABASE_URL: databaseUrl, PORT: '0', ...env },
    isTerminal: false,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  expect(err).toBe('');
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  const of = (area: string): string[] =>
    findings.filter((each) => each.area === area).map(({ level, what }) => `${level}: ${what}`);
  return { code, findings, of };
}

describe.each(databases)('doctor on $name', (database) => {
  it('checks a database in use', async () => {
    const url = await database.createMigrated();
    const store = await storeAt(url);
    await store.recordEvent(eventOf({ release: '1.2', needsMapping: true }));
    await store.close();
    const { code, of } = await doctor(url);
    // The PostgreSQL of the tests waits for no disk, which is what doctor is there to tell.
    const fine = { SQLite: /^ok: .*none pending/, PostgreSQL: /^problem: fsync of PostgreSQL is off/ };
    expect(of('database')[0]).toMatch(fine[database.name as keyof typeof fine]);
    expect(of('database').at(-1)).toBe('ok: 1 event checked, all intact.');
    expect(code).toBe(1);
    expect(of('keys')).toEqual(['problem: shop has no valid public key, so no events are accepted.']);
    expect(of('maps')).toEqual([expect.stringMatching(/1 event of shop of release 1\.2/)]);
    expect(of('sdks')).toEqual([expect.stringMatching(/no limit|recently|shop had 1 event/)]);
  });
});

describe('doctor', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let url: string;
  const hash = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');
  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder.path, 'n.db');
    url = `sqlite:${file}`;
    await writeMigratedFile(file);
    await (await storeAt(url)).close();
  });
  afterEach(() => folder.remove());

  inFull(it)('changes nothing, neither in a database that is up to date nor in one that is not', async () => {
    const before = hash();
    await doctor(url);
    expect(hash()).toBe(before);
    const db = new Database(file);
    db.prepare('DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations)').run();
    db.close();
    const older = hash();
    const { of } = await doctor(url);
    expect(of('database')).toEqual(['notice: 1 migration pending.']);
    expect([hash(), of('keys')]).toEqual([older, []]);
  });

  it('makes no database where there is none', async () => {
    const none = join(folder.path, 'none.db');
    const { code, of } = await doctor(`sqlite:${none}`);
    expect([code, of('database'), existsSync(none)]).toEqual([
      0,
      [`notice: There is no database at ${none} yet.`],
      false,
    ]);
  });

  it('reports a wrong setting and a wrong file in the words of the start', async () => {
    const wrong = await doctor(url, { PORT: 'http' });
    expect([wrong.code, wrong.findings]).toMatchObject([1, [{ level: 'problem', area: 'settings' }]]);
    const text = join(folder.path, 'text.db');
    writeFileSync(text, 'this is a text and no database at all');
    const { code, of } = await doctor(`sqlite:${text}`);
    expect([code, of('database')]).toEqual([1, [expect.stringMatching(/^problem: .*not a SQLite database/)]]);
  });

  it('finds damage, and files that others may read', async () => {
    const bytes = readFileSync(file);
    bytes.fill(0x5a, bytes.length - 4096 * 3);
    writeFileSync(file, bytes);
    chmodSync(file, 0o644);
    const { code, of } = await doctor(url);
    expect(code).toBe(1);
    expect(of('database').join('\n')).toMatch(/^problem: .*(damaged|malformed)/);
    expect(of('permissions')).toEqual([expect.stringMatching(/n\.db can be read by others \(mode 644\)/)]);
  });

  inFull(it)('finds an event with flipped bytes, which an integrity check does not notice', async () => {
    const store = await openStore(url, { now: () => 1, log: silentLog });
    for (let n = 0; n < 40; n += 1) await store.recordEvent(eventOf({ id: `e${n}` }));
    await store.close();
    const db = new Database(file);
    const { body } = db.prepare('SELECT body FROM event_bodies WHERE event_row = 17').get() as {
      body: Buffer;
    };
    body[body.length - 6] = Number(body[body.length - 6]) ^ 0x20;
    db.prepare('UPDATE event_bodies SET body = ? WHERE event_row = 17').run(body);
    expect(db.pragma('quick_check', { simple: true })).toBe('ok');
    db.close();
    for (const words of [[], ['--whole']]) {
      const { code, of } = await doctor(url, {}, words);
      expect([code, of('database').at(-1)]).toEqual([
        1,
        expect.stringMatching(`^problem: 40 events checked, 1 damaged .*${eventIdOf('e16')}`),
      ]);
    }
  });

  inFull(it)('reports a file that cannot shrink', async () => {
    const db = new Database(file);
    db.pragma('auto_vacuum = NONE');
    db.exec('VACUUM');
    db.close();
    const { of } = await doctor(url);
    expect(of('database')[0]).toMatch(/^notice: The file does not shrink/);
  });

  it('requests the API index from the address of the server', async () => {
    let said = { namespace: 'notifier/v1' };
    const server = createServer((_request, response) => response.end(JSON.stringify(said)));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    expect((await doctor(url, env)).of('addresses')).toEqual([
      expect.stringMatching(/^ok: The server responds at http.* and at http/),
    ]);
    said = { namespace: 'other/v1' };
    expect((await doctor(url, env)).of('addresses')).toEqual([
      expect.stringMatching(/^notice: Notifier does not respond at .*200, but not from Notifier/),
    ]);
    await new Promise((done) => server.close(done));
  });
});
