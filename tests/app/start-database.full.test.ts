import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { openStore, probeDatabase } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { postgresDatabase } from '../data/support/postgres.ts';
import { type LoadedProgram, loadProgram } from '../support/loaded-program.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { spawnProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { allOrSome, nightlyOrFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
let loaded: LoadedProgram;
beforeAll(async () => {
  loaded = await loadProgram();
});
afterAll(() => {
  loaded.end();
  folder.remove();
});
const at = (...names: string[]): string => join(folder.path, ...names);

interface Ended {
  readonly code: number | null;
  readonly err: string;
}

async function command(env: Record<string, string>, words = ['project', 'list']): Promise<Ended> {
  const { code, err } = await loaded.command(words, env);
  return { code, err };
}

async function server(env: Record<string, string>): Promise<Ended> {
  const { code, err } = await loaded.failingStart(env);
  return { code, err };
}

function stateOf(path: string): unknown {
  const found = lstatSync(path);
  if (found.isDirectory()) return readdirSync(path).map((name) => [name, stateOf(join(path, name))]);
  const content = found.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
  return [found.size, found.mode, found.mtimeMs, content];
}

/** A database of ours, made by `change` into what a test is about. */
async function ourDatabase(file: string, change: (db: Database.Database) => void = () => {}): Promise<void> {
  const store = await openStore(`sqlite:${file}`, { now: () => 1, log: silentLog });
  await store.close();
  const db = new Database(file);
  change(db);
  db.close();
}

describe('a SQLite address that cannot be used', () => {
  let listening: Server;
  beforeAll(async () => {
    writeFileSync(at('empty.db'), '');
    writeFileSync(at('text.db'), 'To be, or not to be, that is the question.\n');
    writeFileSync(at('short.db'), 'SQLite');
    writeFileSync(at('header.db'), Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84, 7)]));
    mkdirSync(at('folder.db'));
    symlinkSync(at('circle.db'), at('circle.db'));
    const foreign = new Database(at('foreign.db'));
    foreign.exec('CREATE TABLE bookmarks (url TEXT)');
    foreign.close();
    await ourDatabase(at('newer.db'), (db) => {
      db.exec("INSERT INTO schema_migrations VALUES ('9999_from_tomorrow', 'x', 1)");
    });
    await ourDatabase(at('older.db'), (db) =>
      db.exec("UPDATE schema_migrations SET id = '0001_core' WHERE id = '0001_schema'"),
    );
    await ourDatabase(at('other.db'), (db) => db.exec("UPDATE schema_migrations SET checksum = 'x'"));
    await ourDatabase(at('cut.db'));
    truncateSync(at('cut.db'), 6000);
    listening = createServer();
    await new Promise<void>((resolve) => listening.listen(at('socket.db'), resolve));
  });
  let refused = 0;
  afterAll(() => {
    process.stderr.write(`F13: ${refused} databases that are none of ours: 78 each, and nothing touched\n`);
    return new Promise((resolve) => listening.close(resolve));
  });

  it.each(
    allOrSome(
      [
        ['nothing', 'sqlite:', /it must start with sqlite:/],
        ['another kind of database', 'mysql://shop:s3cret@h/d', /it must start with sqlite:/],
        ['a path with two slashes', 'sqlite://data/x.db', /sqlite:data\/x\.db .* sqlite:\/data\/x\.db/],
        [
          'a home that only a shell knows',
          'sqlite:~/x.db',
          /only expanded by a shell.*sqlite:\/.*sqlite:\.\/~\/x\.db/,
        ],
        ['a home of another user', 'sqlite:~ann/x.db', /only expanded by a shell/],
        ['a variable that only a shell knows', 'sqlite:$HOME/x.db', /only expanded by a shell/],
        ['a variable in braces', `sqlite:\${HOME}/x.db`, /only expanded by a shell/],
        ['a file of no bytes', 'empty.db', /empty \(0 bytes\)/],
        ['a text', 'text.db', /not a SQLite database/],
        ['a file of six bytes', 'short.db', /not a SQLite database/],
        ['a header and nothing that fits it', 'header.db', /not a SQLite database|damaged/],
        ['a database that was cut', 'cut.db', /damaged/],
        ['a folder', 'folder.db', /is a folder/],
        ['a folder, with a slash', 'folder.db/', /is a folder/],
        ['a circle of links', 'circle.db', /link to itself/],
        ['a socket', 'socket.db', /not a regular file/],
        ['a file below a file', 'text.db/x.db', /must be a folder/],
        ['a folder below a file', 'text.db/data/x.db', /must be a folder/],
        ['a name that is too long', `${'x'.repeat(300)}.db`, /too long/],
        ['another program’s database', 'foreign.db', /tables of another program/],
        ['a newer program’s database', 'newer.db', /newer version/],
        ['a database of before the first release', 'older.db', /from before its first release/],
        ['a database of other texts', 'other.db', /a different version of 0001_schema/],
      ] as const,
      2,
    ),
  )('%s: 78, and nothing is touched', async (_what, path, words) => {
    const url = path.includes(':') ? path : `sqlite:${folder.path}/${path}`;
    const before = stateOf(folder.path);
    const { code, err } = await command({ DATABASE_URL: url });
    expect([code, err]).toEqual([78, expect.stringMatching(words)]);
    expect(err).toMatch(/^DATABASE_URL is "[^\n]*\.\n$/);
    expect(err).not.toContain('s3cret');
    expect(stateOf(folder.path)).toEqual(before);
    refused += 1;
  });

  // Told to make all folders of such a path, Node tries for ever.
  const below = existsSync('/proc/self') ? it : it.skip;
  below.each(['/proc/x/y.db', '/proc/self/x/y/z.db'])('%s: 78, and at once', async (path) => {
    const { code, err } = await command({ DATABASE_URL: `sqlite:${path}` }, ['migrate']);
    expect([code, err]).toEqual([78, expect.stringMatching(/cannot be created|not allowed/)]);
  });

  it.each(
    allOrSome(
      [
        ['empty.db', 78],
        ['newer.db', 78],
      ] as const,
      2,
    ),
  )('%s: the server says the same', async (path, code) => {
    const env = { DATABASE_URL: `sqlite:${at(path)}` };
    const before = stateOf(folder.path);
    const said = await server(env);
    expect(said).toEqual(await command(env));
    expect(said.code).toBe(code);
    expect(stateOf(folder.path)).toEqual(before);
  });

  it('a start after the empty file was deleted creates a database', async () => {
    const path = at('begun', 'anew.db');
    mkdirSync(at('begun'));
    const { code } = await command({ DATABASE_URL: `sqlite:${path}` }, ['migrate']);
    expect([code, statSync(path).size > 0]).toEqual([0, true]);
  });

  it('a file that another start is creating is waited for, not called empty', async () => {
    const path = at('begun', 'beside.db');
    await ourDatabase(at('begun', 'made.db'));
    writeFileSync(path, '');
    // It has looked once when the call returns.
    const looked = probeDatabase(`sqlite:${path}`);
    writeFileSync(path, readFileSync(at('begun', 'made.db')));
    await expect(looked).resolves.toBeUndefined();
  });

  it('a folder for temporary files that is not there: the variable is TMPDIR', async () => {
    const { code, err } = await loaded.command(['project', 'list'], {
      DATABASE_URL: 'sqlite::memory:',
      TMPDIR: at('no-such-folder'),
    });
    expect([code, err]).toEqual([78, expect.stringMatching(/Set TMPDIR/)]);
  });
});

describe('a SQLite file of another user', () => {
  // Root may write everywhere: there the program runs as nobody, where nobody may run it.
  const asOther = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  const reads = ['-e', 'fs.accessSync(process.argv[1])', join(import.meta.dirname, '../../src/server.ts')];
  const mayRun = spawnSync(process.execPath, reads, asOther).status === 0;
  if (!mayRun) process.stderr.write('SKIPPED: rights on a SQLite file: nobody may not read this folder\n');

  let other: LoadedProgram | null = null;
  afterAll(() => other?.end());

  (mayRun ? it : it.skip).each(
    allOrSome(
      [
        ['a folder that may not be written', 'closed/x.db'],
        ['a folder in one that may not be written', 'closed/new/x.db'],
        ['a file that may not be read', 'file/unreadable.db'],
        ['a file that may only be read', 'file/readonly.db'],
        ['a folder that may not be entered', 'locked/x.db'],
      ] as const,
      2,
    ),
  )('%s: 78', async (_what, path) => {
    const place = at('rights');
    if (!existsSync(place)) {
      for (const name of ['closed', 'locked', 'file']) mkdirSync(join(place, name), { recursive: true });
      await ourDatabase(join(place, 'file', 'unreadable.db'));
      await ourDatabase(join(place, 'file', 'readonly.db'));
      if (asOther.uid !== undefined) chownSync(join(place, 'file'), asOther.uid, asOther.uid);
      chmodSync(join(place, 'file', 'unreadable.db'), 0o000);
      chmodSync(join(place, 'file', 'readonly.db'), 0o444);
      chmodSync(join(place, 'closed'), 0o555);
      chmodSync(join(place, 'locked'), 0o600);
      chmodSync(folder.path, 0o755);
    }
    other ??= await loadProgram(asOther);
    const { code, err } = await other.failingStart({ DATABASE_URL: `sqlite:${join(place, path)}` });
    expect([code, err]).toEqual([78, expect.stringMatching(/not allowed to read and write/)]);
    expect(err).toMatch(/^DATABASE_URL is "sqlite:[^\n]*\n$/);
  });
});

describe('a file that a setting names', () => {
  const key = 'NOTIFIER_SECRET_KEY_FILE';
  const env = { DATABASE_URL: `sqlite:${at('settings.db')}` };
  beforeAll(() => {
    mkdirSync(at('settings'));
    writeFileSync(at('settings', 'empty'), '\n');
    writeFileSync(at('settings', 'lines'), 'first-line-1\nsecond-line-2\n');
    writeFileSync(at('settings', 'good'), 'deployed-secret-1\r\n');
    writeFileSync(at('settings', 'dialect'), '{"order": ');
  });

  it.each(
    allOrSome(
      [
        ['missing', key, 'settings/nowhere', /there is no such file/],
        ['below a file', key, 'settings/good/x', /part of its path is not a folder/],
        ['a folder', key, 'settings', /it is a folder/],
        ['empty', key, 'settings/empty', /it is empty/],
        ['of two lines', key, 'settings/lines', /more than one line/],
        ['a device', key, '/dev/zero', /not a regular file/],
        ['a dialect that is missing', 'NOTIFIER_DIALECT', 'settings/nowhere', /there is no such file/],
        ['a dialect that is a folder', 'NOTIFIER_DIALECT', 'settings', /it is a folder/],
        ['a dialect that is no JSON', 'NOTIFIER_DIALECT', 'settings/dialect', /not valid JSON/],
      ] as const,
      2,
    ),
  )('%s: 78', async (_what, name, path, words) => {
    const { code, err } = await command({ ...env, [name]: path.startsWith('/') ? path : at(path) });
    expect([code, err]).toEqual([78, expect.stringMatching(words)]);
    expect(err).toMatch(new RegExp(`^${name}[^\\n]* is "[^\\n]*\\.\\n$`));
    expect(existsSync(at('settings.db'))).toBe(false);
  });

  it('both a value and a file: 78', async () => {
    const { code, err } = await command({
      ...env,
      [key]: at('settings/good'),
      NOTIFIER_SECRET_KEY: 'x'.repeat(9),
    });
    expect([code, err]).toEqual([
      78,
      'NOTIFIER_SECRET_KEY and NOTIFIER_SECRET_KEY_FILE are both set. Remove one of them.\n',
    ]);
  });

  it('a line with its end: fine', async () => {
    expect((await command({ ...env, [key]: at('settings/good') }, ['migrate'])).code).toBe(0);
  });

  it('.env that is a folder: 78, from the server and the command line', async () => {
    mkdirSync(at('here', '.env'), { recursive: true });
    for (const program of nightlyOrFull(['server.ts', 'cli.ts'], ['server.ts'])) {
      const path = join(import.meta.dirname, '../../src', program);
      const { code, err } = await endOf([process.execPath, path, 'project', 'list'], at('here'));
      expect([code, err]).toEqual([78, expect.stringMatching(/^\.env is .*it is a folder.*\n$/)]);
    }
  });

  async function endOf(words: [string, ...string[]], cwd: string): Promise<Ended> {
    const program = spawnProgram({}, { command: words, cwd });
    return { code: await program.ended, err: program.errors() };
  }
});

describe('a database URL of no PostgreSQL server', () => {
  /** A server that does `act` with each connection, for as long as `run` takes. */
  async function withServer(
    act: (socket: Socket) => void,
    run: (url: string) => Promise<void>,
  ): Promise<void> {
    const sockets = new Set<Socket>();
    const listening = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      act(socket);
    });
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const address = listening.address();
    if (address === null || typeof address === 'string') throw new Error('No port was given.');
    await run(`postgres://shop:s3cret@127.0.0.1:${address.port}/shop`);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => listening.close(resolve));
  }

  it.each(
    allOrSome(
      [
        [
          'that speaks another language',
          '',
          (socket: Socket) => socket.write('J\0\0\0\n5.5.5-10.11'),
          /not PostgreSQL/,
        ],
        [
          'that is a web server',
          '',
          (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
          /not PostgreSQL .*"HTTP\/1\.1 400/,
        ],
        [
          'that is a web server, asked for TLS',
          '?sslmode=verify-full',
          (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
          /not PostgreSQL/,
        ],
        [
          'that greets first',
          '',
          (socket: Socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'),
          /not PostgreSQL/,
        ],
        [
          'that greets first, asked for TLS',
          '?sslmode=verify-full',
          (socket: Socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'),
          /not PostgreSQL/,
        ],
        [
          'that speaks no TLS',
          '?sslmode=verify-full',
          (socket: Socket) => socket.write('N'),
          /not support TLS/,
        ],
      ] as const,
      3,
    ),
  )('%s: 78', async (_what, query, act, words) => {
    await withServer(act, async (url) => {
      const { code, err } = await command({ DATABASE_URL: url + query });
      expect([code, err]).toEqual([78, expect.stringMatching(words)]);
      expect(err).not.toContain('s3cret');
    });
  });

  it.each(
    allOrSome(
      [
        ['a password with a #', 'postgres://shop:a#b@h/d', /percent-encoded/],
        ['a port that is none', 'postgres://h:99999/d', /percent-encoded/],
        [
          'a certificate that is not there',
          'postgres://h/d?sslmode=verify-full&sslrootcert=/no/such.pem',
          /no such file/,
        ],
      ] as const,
      3,
    ),
  )('%s: 78', async (_what, url, words) => {
    const { code, err } = await command({ DATABASE_URL: url });
    expect([code, err]).toEqual([78, expect.stringMatching(words)]);
    expect(err).toMatch(/^DATABASE_URL is "[^\n]*\.\n$/);
  });

  it('that accepts connections and then does not respond is waited for', async () => {
    // Authentication is fine, and the server is ready for a question.
    const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
    await withServer(
      (socket) => void socket.once('data', () => socket.write(welcome)),
      async (url) => {
        const program = spawnProgram({ DATABASE_URL: url });
        await program.says(/^DATABASE_URL is .*timed out.*Waiting up to 30 s\.$/m);
        program.process.kill('SIGTERM');
        expect([await program.ended, program.printed()]).toEqual([0, '']);
      },
    );
  });

  it.each(nightlyOrFull(['SIGTERM', 'SIGINT'] as const, ['SIGTERM'] as const))(
    'that does not respond is waited for, and %s ends the wait',
    async (signal) => {
      await withServer(
        () => {},
        async (url) => {
          const program = spawnProgram({ DATABASE_URL: url });
          await program.says(/^DATABASE_URL is .*timed out.*Waiting up to 30 s\.$/m);
          program.process.kill(signal);
          expect([await program.ended, program.printed()]).toEqual([0, '']);
        },
      );
    },
  );

  nightlyOrFull(it, it.skip)(
    'that does not respond for 30 s: 75, from the server and the command line',
    async () => {
      await withServer(
        () => {},
        async (url) => {
          const beside = await loadProgram();
          const [served, commanded] = await Promise.all([
            server({ DATABASE_URL: url }),
            beside.command(['project', 'list'], { DATABASE_URL: url }),
          ]);
          beside.end();
          for (const { code, err } of [served, commanded]) {
            expect(code).toBe(75);
            expect(err).toMatch(/Still waiting for the database \(\d+ s\)/);
            expect(err).toMatch(/for 30 s\.\n$/);
          }
        },
      );
    },
  );
});

describeWithPrograms('a PostgreSQL', ['initdb', 'postgres'], () => {
  const database = postgresDatabase();
  afterAll(() => database.end());

  it.each([
    ['without that database', (url: string) => `${url}_gone`, /does not exist.*createdb/],
    ['without that user', (url: string) => url.replace('notifier@', 'stranger@'), /stranger/],
    ['that does not know an option', (url: string) => `${url}?options=-c%20nonsense%3Don`, /nonsense/],
  ])('%s: 78', async (_what, change, words) => {
    const { code, err } = await command({ DATABASE_URL: change(await database.create()) });
    expect([code, err]).toEqual([78, expect.stringMatching(words)]);
  });

  it('that answers later is used', async () => {
    const url = new URL(await database.create());
    const target = url.port;
    // Between us and it stands a proxy that is closed at first.
    const sockets = new Set<Socket>();
    let isOpen = false;
    const proxy = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      if (!isOpen) return void socket.destroy();
      const behind = connect(Number(target), '127.0.0.1').on('error', () => socket.destroy());
      sockets.add(behind);
      socket.pipe(behind).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('No port was given.');
    url.port = String(address.port);
    const starting = startProgram({ DATABASE_URL: url.href });
    await until(() => sockets.size > 0);
    isOpen = true;
    const program = await starting;
    expect(program.errors()).toMatch(/did not respond.*Waiting/);
    expect(await program.end()).toBe(0);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
});
