// PostgreSQL for tests. One server serves all of a run: Jest's global set-up starts it where everything runs,
// and each test has a database of its own there. Tests that stop or kill a server start one for themselves.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import { freePort } from '../../support/free-port.ts';
import { programPath } from '../../support/program-path.ts';
import { inMemory } from '../../support/temporary-folder.ts';
import { startMs } from './events.ts';
import type { TestDatabase } from './test-database.ts';

export interface RunningPostgres {
  addressOf(database: string): string;
  /** Runs a statement on the server's first database. */
  asAdmin(sql: string): Promise<void>;
  /** Ends the server; its folder stays. */
  end(): Promise<void>;
}

/** Making a database takes 15 ms in memory and 200 on a disk; each is gone at the end of its test file. */
const roomMin = 4 * 1_024 * 1_048_576;

/** What keeps data safe, or serves those who stay for long: nobody does here, and each costs time. */
const ofNoWorth = [
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'checkpoint_timeout=1h',
  'max_wal_size=4GB',
];

/** Where workers of a run find its server: the address of its first database. */
const addressName = 'TEST_POSTGRES';

/** What a worker keeps from one test file to the next, which loads what lies below `tests/` anew. */
interface Kept {
  readonly admin: pg.Client;
  /** A database that every migration has run on, copied for each test that wants one. */
  template: Promise<string> | null;
  made: number;
}
const worker = globalThis as { notifierPostgres?: Promise<Kept> };

/**
 * Starts the server of a run, if PostgreSQL is installed, and names it in the environment. Answers how to end
 * it.
 */
export async function startRunsPostgres(): Promise<() => Promise<void>> {
  const [initdb, postgres] = [programPath('initdb'), programPath('postgres')];
  if (initdb === null || postgres === null) return async () => {};
  const folder = mkdtempSync(join(inMemory(roomMin), 'notifier-pg-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const server = await runPostgres({ initdb, postgres, folder, settings: ofNoWorth });
  process.env[addressName] = server.addressOf('postgres');
  return async () => {
    await server.end();
    remove();
  };
}

/** Databases on the server of the run. Ask only where PostgreSQL is installed and everything runs. */
export function postgresDatabase(): TestDatabase {
  const names: string[] = [];
  const create = async (how: (kept: Kept) => Promise<string>): Promise<string> => {
    const kept = await workersPostgres();
    const name = await createDatabase(kept, await how(kept));
    names.push(name);
    return addressIn(name);
  };
  return {
    name: 'PostgreSQL',
    create: () => create(async () => 'template1'),
    createMigrated: () =>
      create((kept) => {
        kept.template ??= migratedTemplate(kept);
        return kept.template;
      }),
    async end() {
      if (names.length === 0) return;
      const { admin } = await workersPostgres();
      for (const name of names.splice(0)) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** The one connection of this worker that makes and drops databases. */
function workersPostgres(): Promise<Kept> {
  worker.notifierPostgres ??= (async () => {
    const admin = new pg.Client({ connectionString: process.env[addressName] ?? '' });
    // The server ends with the run; a worker may still be there, and a question of its would fail by itself.
    admin.on('error', () => {});
    await admin.connect();
    // It holds nobody up who ends.
    (admin as unknown as { connection: { stream: { unref(): void } } }).connection.stream.unref();
    return { admin, template: null, made: 0 };
  })();
  return worker.notifierPostgres;
}

async function migratedTemplate(kept: Kept): Promise<string> {
  const name = await createDatabase(kept, 'template1');
  await (await openStore(addressIn(name), { now: () => startMs, log: silentLog })).close();
  return name;
}

/** Copying files is cheaper than writing every page of the copy to the log, which is the default. */
async function createDatabase(kept: Kept, template: string): Promise<string> {
  kept.made += 1;
  const name = `test_${process.pid}_${kept.made}`;
  await kept.admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return name;
}

function addressIn(database: string): string {
  const url = new URL(process.env[addressName] ?? '');
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Starts a server on what lies in `folder`, made where nothing does. It refuses to run as root: there it runs
 * as the user that its package made, or as nobody.
 */
export async function runPostgres(program: {
  readonly initdb: string;
  readonly postgres: string;
  readonly folder: string;
  /** Where it listens; at a free port unless said. */
  readonly port?: number;
  /** Kept on the disk as by default; without it a crash of the machine loses what tests need no more. */
  readonly isDurable?: boolean;
  /** More settings of its configuration, each as `name=value`. */
  readonly settings?: readonly string[];
}): Promise<RunningPostgres> {
  const { initdb, postgres, folder } = program;
  const user = process.getuid?.() === 0 ? idsOf('postgres', 'nobody') : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const;
  if (!existsSync(data)) {
    const words = ['-D', data, '-A', 'trust', '-U', 'notifier', '-E', 'UTF8', '--locale=C', '--no-sync'];
    execFileSync(initdb, words, options);
  }
  const port = program.port ?? (await freePort());
  const fsync = program.isDurable === true ? 'on' : 'off';
  const all = [`fsync=${fsync}`, 'max_connections=200', ...(program.settings ?? [])];
  const settings = all.flatMap((setting) => ['-c', setting]);
  const place = ['-h', '127.0.0.1', '-p', String(port), '-k', folder];
  const server = spawn(postgres, ['-D', data, ...place, ...settings], options);
  await untilItAnswers(server, port);
  return {
    addressOf: (database) => addressOf(port, database),
    asAdmin: (sql) => asAdmin(port, sql),
    async end() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    },
  };
}

async function untilItAnswers(server: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended while it was starting.');
    try {
      return await asAdmin(port, 'SELECT 1');
    } catch {
      await sleep(50);
    }
  }
}

function addressOf(port: number, database: string): string {
  return `postgres://notifier@127.0.0.1:${port}/${database}`;
}

async function asAdmin(port: number, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(port, 'postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The numbers of the first of these users that the machine knows. */
export function idsOf(...users: string[]): { uid?: number; gid?: number } {
  const known = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const user of users) {
    const [, , uid, gid] = known.find((line) => line.startsWith(`${user}:`))?.split(':') ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return {};
}
