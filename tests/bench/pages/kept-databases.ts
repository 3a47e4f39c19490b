// The filled databases, kept in a folder of the system's temporary folder and used again while the schema and
// the way of filling are the same.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPostgres } from '../../data/support/postgres.ts';
import { programPath } from '../../support/program-path.ts';
import { fill } from './fill.ts';

export interface KeptDatabase {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly url: string;
  end(): Promise<void>;
}

type Progress = (text: string) => void;

/** Grows with every change of how a database is filled. */
const fillVersion = 2;
const folder = join(tmpdir(), 'notifier-bench-pages');
const migrations = join(import.meta.dirname, '../../../data/migrations');

/**
 * Both, or SQLite alone where PostgreSQL is not installed; filled where they are not yet. `only` names one of
 * them.
 */
export async function keptDatabases(progress: Progress, only: string | undefined): Promise<KeptDatabase[]> {
  mkdirSync(folder, { recursive: true });
  const made: KeptDatabase[] = [];
  if (only !== 'postgresql') made.push(await sqlite(progress));
  if (only === 'sqlite') return made;
  const [initdb, postgres] = [programPath('initdb'), programPath('postgres')];
  if (initdb === null || postgres === null) progress('PostgreSQL is not installed: nothing measured on it');
  else made.push(await postgresql(initdb, postgres, progress));
  return made;
}

async function sqlite(progress: Progress): Promise<KeptDatabase> {
  const place = join(folder, 'sqlite');
  const url = `sqlite:${join(place, 'bench.db')}`;
  if (!isFilled(place)) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    await fill(url, (text) => progress(`SQLite, ${text}`));
    setFilled(place);
  }
  return { name: 'SQLite', url, end: async () => undefined };
}

async function postgresql(initdb: string, postgres: string, progress: Progress): Promise<KeptDatabase> {
  const place = join(folder, 'postgresql');
  const isThere = isFilled(place);
  if (!isThere) rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const server = await runPostgres({ initdb, postgres, folder: place });
  try {
    const url = server.addressOf('bench');
    if (!isThere) {
      await server.asAdmin('CREATE DATABASE bench');
      await fill(url, (text) => progress(`PostgreSQL, ${text}`));
      setFilled(place);
    }
    return { name: 'PostgreSQL', url, end: () => server.end() };
  } catch (error) {
    await server.end();
    throw error;
  }
}

/** What a kept database must agree with: the way of filling, and the schema. */
function signature(): string {
  return [fillVersion, ...readdirSync(migrations).sort()].join('\n');
}

function isFilled(place: string): boolean {
  const mark = join(place, 'filled.txt');
  return existsSync(mark) && readFileSync(mark, 'utf8') === signature();
}

function setFilled(place: string): void {
  writeFileSync(join(place, 'filled.txt'), signature());
}
