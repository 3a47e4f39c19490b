import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { type TestCommandLine, testCommandLine } from '../../support/command-line.ts';
import { forEachTest } from '../../support/shared.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { allOrSome, inFull, rows } from '../../support/test-level.ts';

describe('backup and restore', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let line: TestCommandLine;
  const at = (name: string): string => join(folder.path, name);
  const restore = (backup: string, target: string, more = '') =>
    line.notifier(`restore ${backup}${more}`, { env: { DATABASE_URL: `sqlite:${target}` } });
  const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
  const manifest = () => JSON.parse(readFileSync(at('b.db.json'), 'utf8'));
  const source = (): string => line.databaseUrl.slice('sqlite:'.length);
  const files = (): string[] => readdirSync(folder.path).sort();

  beforeEach(async () => {
    folder = temporaryFolder();
    line = testCommandLine();
    await line.notifier('project create shop');
  });
  afterEach(() => {
    line.remove();
    folder.remove();
  });

  inFull(it)('copies the database for its owner alone, with a manifest that says what is in it', async () => {
    await line.notifier('project create other');
    const made = await line.json(`backup ${at('b.db')}`);
    expect(files()).toEqual(['b.db', 'b.db.json']);
    expect(statSync(at('b.db')).mode & 0o777).toBe(0o600);
    expect(manifest()).toMatchObject({
      notifier_backup: 1,
      file: 'b.db',
      bytes: statSync(at('b.db')).size,
      sha256: hashOf(at('b.db')),
      counts: { projects: 2, keys: 4, events: 0 },
    });
    expect(made).toMatchObject({ path: at('b.db'), sha256: manifest().sha256 });
  });

  inFull(it)('notes in the database that it was made', async () => {
    await line.notifier(`backup ${at('b.db')}`);
    const db = new Database(source(), { readonly: true });
    const noted = db.prepare("SELECT value FROM meta WHERE name = 'backup_made_at'").pluck().get();
    const told = db.prepare("SELECT object_name FROM audit_entries WHERE action = 'backup.created'").pluck();
    expect([noted, told.all()]).toEqual([manifest().made_at, [at('b.db')]]);
    db.close();
    expect((await line.notifier('verify-audit')).code).toBe(0);
  });

  it('shows on a terminal how far it is', async () => {
    const { err } = await line.notifier(`backup ${at('b.db')}`, { isTerminal: true });
    expect(err).toMatch(/Copying: [\d.]+ of [\d.]+ MB \(100 %\)/);
  });

  it('overwrites no file, and does not create a missing folder', async () => {
    writeFileSync(at('b.db'), 'mine');
    const there = await line.notifier(`backup ${at('b.db')}`);
    expect([there.code, there.err]).toEqual([1, `${at('b.db')} is there already: name a new file.\n`]);
    expect([files(), readFileSync(at('b.db'), 'utf8')]).toEqual([['b.db'], 'mine']);
    expect((await line.notifier(`backup ${at('no/b.db')}`)).err).toContain('There is no folder');
  });

  it('refuses a damaged database, and leaves no file behind', async () => {
    const bytes = readFileSync(source());
    bytes.fill(0x5a, Math.floor(bytes.length / 2));
    writeFileSync(source(), bytes);
    rmSync(`${source()}-wal`, { force: true });
    const damaged = await line.notifier(`backup ${at('b.db')}`);
    expect([damaged.code, damaged.err]).toEqual([1, expect.stringMatching(/damaged|malformed/)]);
    expect(files()).toEqual([]);
  });

  it('refuses where the copy turns out to be damaged', async () => {
    const db = new Database(source());
    db.exec('CREATE TABLE notes (note TEXT); INSERT INTO notes VALUES (NULL)');
    db.unsafeMode().pragma('writable_schema = ON');
    db.prepare(
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE notes (note TEXT NOT NULL)' WHERE name = 'notes'",
    ).run();
    db.close();
    const { code, err } = await line.notifier(`backup ${at('b.db')}`);
    expect([code, files()]).toEqual([1, []]);
    expect(err).toMatch(/The database is damaged, and no backup was made of it: NULL value in notes\.note/);
  });

  it('refuses where there is no database, and creates none', async () => {
    const { code, err } = await line.notifier(`backup ${at('b.db')}`, {
      env: { DATABASE_URL: `sqlite:${at('none.db')}` },
    });
    expect([code, err, files()]).toEqual([1, `There is no database at ${at('none.db')}.\n`, []]);
  });

  it('names pg_dump and pg_restore where the database is PostgreSQL', async () => {
    const env = { DATABASE_URL: 'postgres://ann:secret@127.0.0.1:1/x' };
    const dump = await line.notifier(`backup ${at('b.dump')}`, { env });
    const address = 'postgres://ann@127.0.0.1:1/x';
    expect(dump.code).toBe(2);
    expect(dump.err).toContain(`  pg_dump --format=custom --no-owner --file=${at('b.dump')} ${address}\n`);
    const back = await line.notifier(`restore ${at('b.dump')}`, { env });
    expect(back.code).toBe(2);
    expect(back.err).toContain(` --dbname=${address} ${at('b.dump')}\n`);
    for (const { err } of [dump, back]) {
      expect(err).toContain('PGPASSWORD');
      expect(err).not.toMatch(/secret|\$DATABASE_URL/);
    }
  });

  it('restores where there is no database, byte for byte', async () => {
    await line.notifier(`backup ${at('b.db')}`);
    const { code, out } = await restore(at('b.db'), at('new/notifier.db'));
    expect([code, out]).toEqual([0, expect.stringContaining('1 project, 2 keys, 0 domains')]);
    expect(hashOf(at('new/notifier.db'))).toBe(hashOf(at('b.db')));
    expect(readdirSync(at('new'))).toEqual(['notifier.db']);
    expect(statSync(at('new/notifier.db')).mode & 0o777).toBe(0o600);
    const listed = await line.notifier('project list', {
      env: { DATABASE_URL: `sqlite:${at('new/notifier.db')}` },
    });
    expect(listed.out).toContain('shop');
  });

  it('restores into an empty file and into a database without tables', async () => {
    await line.notifier(`backup ${at('b.db')}`);
    writeFileSync(at('zero.db'), '');
    new Database(at('bare.db')).exec('CREATE TABLE x (a); DROP TABLE x').close();
    expect((await restore(at('b.db'), at('zero.db'))).code).toBe(0);
    expect((await restore(at('b.db'), at('bare.db'))).code).toBe(0);
    expect([hashOf(at('zero.db')), hashOf(at('bare.db'))]).toEqual([hashOf(at('b.db')), hashOf(at('b.db'))]);
  });

  it('refuses to overwrite a database, or to restore beside its WAL', async () => {
    await line.notifier(`backup ${at('b.db')}`);
    const before = hashOf(source());
    const full = await restore(at('b.db'), source());
    expect([full.code, full.err]).toEqual([1, expect.stringContaining('is not empty')]);
    expect(hashOf(source())).toBe(before);
    writeFileSync(at('gone.db-wal'), 'log');
    const log = await restore(at('b.db'), at('gone.db'));
    expect([log.code, log.err]).toEqual([1, expect.stringContaining('gone.db-wal is the log')]);
    expect(existsSync(at('gone.db'))).toBe(false);
    writeFileSync(at('text.db'), 'no database');
    expect((await restore(at('b.db'), at('text.db'))).code).toBe(1);
    expect(readFileSync(at('text.db'), 'utf8')).toBe('no database');
  });

  const spoilt: ReadonlyArray<readonly [what: string, spoil: () => void, said: RegExp]> = [
    ['has other bytes', () => overwrite(at('b.db')), /is not the file that/],
    ['is too short', () => truncateSync(at('b.db'), statSync(at('b.db')).size - 1), /it is not whole/],
    ['is too long', () => appendFileSync(at('b.db'), 'x'), /it is not whole/],
    ['has no manifest', () => rmSync(at('b.db.json')), /--without-manifest/],
    ['has a manifest that is none', () => writeFileSync(at('b.db.json'), '{}'), /no manifest/],
    ['has a log beside it', () => writeFileSync(at('b.db-wal'), 'x'), /a database in use/],
    ['counts otherwise', () => change((told) => ({ ...told, counts: { projects: 7 } })), /says 7/],
  ];
  const overwrite = (file: string): void => {
    const bytes = readFileSync(file);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  const change = (by: (told: object) => object): void =>
    writeFileSync(at('b.db.json'), JSON.stringify(by(manifest())));

  it.each(rows(() => allOrSome(spoilt, 5)))('refuses a backup that %s', async (_what, spoil, said) => {
    await line.notifier(`backup ${at('b.db')}`);
    spoil();
    mkdirSync(at('new'));
    const { code, err } = await restore(at('b.db'), at('new/notifier.db'));
    expect([code, err]).toEqual([1, expect.stringMatching(said)]);
    expect(readdirSync(at('new'))).toEqual([]);
  });

  inFull(it)('refuses a backup of a newer version', async () => {
    const db = new Database(source());
    db.prepare("INSERT INTO schema_migrations VALUES ('9999_later', 'x', 0)").run();
    db.close();
    const { err } = await line.notifier(`backup ${at('b.db')}`);
    expect(err).toBe('');
    mkdirSync(at('new'));
    const refused = await restore(at('b.db'), at('new/notifier.db'));
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('migration 9999_later is unknown'),
    ]);
    expect(readdirSync(at('new'))).toEqual([]);
  });

  it('restores a copy without a manifest if asked to, and checks it', async () => {
    copyFileSync(source(), at('copy.db'));
    mkdirSync(at('new'));
    expect((await restore(at('copy.db'), at('new/a.db'), ' --without-manifest')).code).toBe(0);
    const bytes = readFileSync(at('copy.db'));
    writeFileSync(at('copy.db'), bytes.fill(0x5a, Math.floor(bytes.length / 2)));
    expect((await restore(at('copy.db'), at('new/b.db'), ' --without-manifest')).code).toBe(1);
    writeFileSync(at('copy.db'), 'no database');
    expect((await restore(at('copy.db'), at('new/b.db'), ' --without-manifest')).code).toBe(1);
    expect(readdirSync(at('new'))).toEqual(['a.db']);
  });
});

describe('migrate', () => {
  const line = forEachTest(() => testCommandLine({ hasDatabase: false }));

  it('lists all migrations as pending where there is no database, and creates none', async () => {
    const { code, out } = await line.notifier('migrate --status');
    expect([code, out]).toEqual([1, expect.stringMatching(/0001_schema +pending[\s\S]+ pending\. /)]);
    expect(existsSync(line.databaseUrl.slice('sqlite:'.length))).toBe(false);
  });

  inFull(it)('applies what is missing, once', async () => {
    const { applied } = await line.json('migrate');
    expect(applied[0]).toBe('0001_schema');
    expect(await line.json('migrate')).toEqual({ applied: [] });
    const status = await line.json('migrate --status');
    expect(status).toMatchObject({ up_to_date: true, to_come: [], unknown: [], changed: [] });
    expect(status.applied.map(({ id }: { id: string }) => id)).toEqual(applied);
  });

  it('names migrations of a newer version, and those whose text differs', async () => {
    const { applied } = await line.json('migrate');
    const db = new Database(line.databaseUrl.slice('sqlite:'.length));
    db.prepare("INSERT INTO schema_migrations VALUES ('9999_later', 'x', 0)").run();
    db.prepare("UPDATE schema_migrations SET checksum = 'x' WHERE id = '0001_schema'").run();
    db.close();
    const { out: lines } = await line.notifier('migrate --status');
    // What is said of each stands below what is said of the one before, under names of any length.
    const said = /(?:applied|unknown: applied by another version|applied with a different text) /;
    const columns = lines
      .split('\n')
      .slice(0, -2)
      .map((each) => each.search(said));
    expect([columns.length, ...new Set(columns)]).toEqual([applied.length + 3, 35]);
    const { code, out } = await line.notifier('migrate --status --json');
    expect([code, JSON.parse(out)]).toMatchObject([1, { unknown: ['9999_later'], changed: ['0001_schema'] }]);
    expect((await line.notifier('migrate')).code).toBe(78);
  });
});
