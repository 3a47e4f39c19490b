// A PostgreSQL server of the test's own: on loopback, in a folder that is removed at the end, ended by its
// process id.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/program/log.ts';
import { startMs } from './events.ts';
import type { TestDatabase } from './test-database.ts';

interface Running {
  readonly port: number;
  readonly server: ChildProcess;
  readonly folder: string;
}

/** Starts with the first database that is asked for. */
export function postgresDatabase(initdb: string, postgres: string): TestDatabase {
  let running: Promise<Running> | null = null;
  let migrated: Promise<string> | null = null;
  let made = 0;
  const created = async (how: string): Promise<string> => {
    running ??= start(initdb, postgres);
    const { port } = await running;
    made += 1;
    const name = `test_${made}`;
    await asAdmin(port, `CREATE DATABASE ${name}${how}`);
    return addressOf(port, name);
  };
  return {
    name: 'PostgreSQL',
    create: () => created(''),
    async createMigrated() {
      migrated ??= created('').then(migratedDatabase);
      return created(` TEMPLATE ${await migrated}`);
    },
    async end() {
      if (running === null) return;
      const { server, folder } = await running;
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Migrates once: what is made from this template begins where every migration has run. Answers its name. */
async function migratedDatabase(address: string): Promise<string> {
  await (await openStore(address, { now: () => startMs, log: silentLog })).close();
  return new URL(address).pathname.slice(1);
}

/** The server refuses to run as root: there it runs as the user that its package made, or as nobody. */
async function start(initdb: string, postgres: string): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-pg-'));
  const user = process.getuid?.() === 0 ? idsOf('postgres', 'nobody') : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const;
  execFileSync(
    initdb,
    ['-D', data, '-A', 'trust', '-U', 'notifier', '-E', 'UTF8', '--locale=C', '--no-sync'],
    options,
  );
  const port = await freePort();
  const flags = [
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'fsync=off',
    '-c',
    'max_connections=80',
  ];
  const server = spawn(postgres, ['-D', data, ...flags], options);
  for (;;) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended while it was starting.');
    try {
      await asAdmin(port, 'SELECT 1');
      return { port, server, folder };
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
}
