// Empty databases for a measurement, and what they weigh afterwards.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb, openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/program/log.ts';
import { runPostgres } from '../../data/support/postgres.ts';
import { programPath } from '../../support/program-path.ts';
import type { Options } from '../full/options.ts';

export interface EmptyDatabase {
  readonly url: string;
  /** Of what is kept, without logs of the database that it writes anew; nobody may have it open on SQLite. */
  bytes(): Promise<number>;
  drop(): Promise<void>;
}

export interface Dbms {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A database with its schema. */
  create(): Promise<EmptyDatabase>;
  end(): Promise<void>;
}

/** Those that are wanted and there; durable as an operator's are. */
export async function openDbmses({ databases }: Options, tell: (text: string) => void): Promise<Dbms[]> {
  const made: Dbms[] = [];
  if (databases.includes('sqlite')) made.push(sqlite());
  if (!databases.includes('postgresql')) return made;
  const [initdb, postgres] = [programPath('initdb'), programPath('postgres')];
  if (initdb === null || postgres === null) tell('PostgreSQL is not installed: nothing is measured on it');
  else made.push(await postgresql(initdb, postgres));
  return made;
}

function sqlite(): Dbms {
  return {
    name: 'SQLite',
    async create() {
      const folder = mkdtempSync(join(tmpdir(), 'notifier-bench-'));
      const file = join(folder, 'bench.db');
      await migrated(`sqlite:${file}`);
      return {
        url: `sqlite:${file}`,
        bytes: async () => statSync(file).size,
        drop: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
    end: async () => undefined,
  };
}

async function postgresql(initdb: string, postgres: string): Promise<Dbms> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-bench-'));
  const server = await runPostgres({ initdb, postgres, folder, isDurable: true });
  let made = 0;
  return {
    name: 'PostgreSQL',
    async create() {
      made += 1;
      const name = `bench_${made}`;
      await server.asAdmin(`CREATE DATABASE ${name}`);
      const url = server.addressOf(name);
      await migrated(url);
      return {
        url,
        bytes: () => oneNumber(url, 'SELECT pg_database_size(current_database()) AS n'),
        drop: () => server.asAdmin(`DROP DATABASE ${name}`),
      };
    },
    async end() {
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function migrated(url: string): Promise<void> {
  await (await openStore(url, { now: () => Date.now(), log: silentLog })).close();
}

/** How many events a database holds. */
export function eventsIn(url: string): Promise<number> {
  return oneNumber(url, 'SELECT COUNT(*) AS n FROM events');
}

async function oneNumber(url: string, sql: string): Promise<number> {
  const db = await openDb(url, {});
  try {
    return Number((await db.get<{ n: number }>(sql, []))?.n ?? 0);
  } finally {
    await db.close();
  }
}
