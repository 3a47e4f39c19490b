// A PostgreSQL server of the test's own: on loopback, in a folder that is removed at the end, ended by its
// process id.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/program/log.ts';
import { freePort } from '../../support/free-port.ts';
import { startMs } from './events.ts';
import type { TestDatabase } from './test-database.ts';

export interface RunningPostgres {
  addressOf(database: string): string;
  /** Runs a statement on the server's first database. */
  asAdmin(sql: string): Promise<void>;
  /** Ends the server; its folder stays. */
  end(): Promise<void>;
}

/** Starts with the first database that is asked for. */
export function postgresDatabase(initdb: string, postgres: string): TestDatabase {
  let folder: string | null = null;
  let running: Promise<RunningPostgres> | null = null;
  let migrated: Promise<string> | null = null;
  let made = 0;
  const created = async (how: string): Promise<string> => {
    folder ??= mkdtempSync(join(tmpdir(), 'notifier-pg-'));
    running ??= runPostgres({ initdb, postgres, folder });
    const server = await running;
    made += 1;
    const name = `test_${made}`;
    await server.asAdmin(`CREATE DATABASE ${name}${how}`);
    return server.addressOf(name);
  };
  return {
    name: 'PostgreSQL',
    create: () => created(''),
    async createMigrated() {
      migrated ??= created('').then(migratedDatabase);
      return created(` TEMPLATE ${await migrated}`);
    },
    async end() {
      if (running === null || folder === null) return;
      await (await running).end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Migrates once: what is made from this template begins where every migration has run. Answers its name. */
async function migratedDatabase(address: string): Promise<string> {
  await (await openStore(address, { now: () => startMs, log: silentLog })).close();
  return new URL(address).pathname.slice(1);
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
  const settings = [`fsync=${fsync}`, 'max_connections=80'].flatMap((setting) => ['-c', setting]);
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
function idsOf(...users: string[]): { uid?: number; gid?: number } {
  const known = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const user of users) {
    const [, , uid, gid] = known.find((line) => line.startsWith(`${user}:`))?.split(':') ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return {};
}
