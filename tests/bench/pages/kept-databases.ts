// The filled databases, kept in a folder of the system's temporary folder and used again while the schema and
// the way of filling are the same.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runPostgres } from '../../data/support/postgres.ts';
import { programPath } from '../../support/program-path.ts';
import { fill } from './fill.ts';
import { million, type Scale } from './scale.ts';

export interface KeptDatabase {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly url: string;
  /** The address of a copy that may be written to: what is kept stays as it is. Gone with `drop`. */
  copy(): Promise<{ readonly url: string; drop(): Promise<void> }>;
  end(): Promise<void>;
}

export interface Wanted {
  readonly scale: Scale;
  /** One of the two; absent: both. */
  readonly only?: string | undefined;
  /** Whether PostgreSQL keeps its commits as an operator's does. */
  readonly isDurable?: boolean;
}

type Progress = (text: string) => void;

/** Grows with every change of how a database is filled. */
const fillVersion = 2;
const folder = join(tmpdir(), 'notifier-bench-pages');
const migrations = join(import.meta.dirname, '../../../data/migrations');

/** Both, or SQLite alone where PostgreSQL is not installed; filled where they are not yet. */
export async function keptDatabases(progress: Progress, wanted: Wanted): Promise<KeptDatabase[]> {
  const { only } = wanted;
  mkdirSync(folder, { recursive: true });
  const made: KeptDatabase[] = [];
  if (only !== 'postgresql') made.push(await sqlite(progress, wanted));
  if (only === 'sqlite') return made;
  const [initdb, postgres] = [programPath('initdb'), programPath('postgres')];
  if (initdb === null || postgres === null) progress('PostgreSQL is not installed: nothing measured on it');
  else made.push(await postgresql({ initdb, postgres }, progress, wanted));
  return made;
}

/** The place of a database of that scale. */
function placeOf(dbms: 'sqlite' | 'postgresql', { eventsCount }: Scale): string {
  return join(folder, eventsCount === million.eventsCount ? dbms : `${dbms}-${eventsCount}`);
}

async function sqlite(progress: Progress, { scale }: Wanted): Promise<KeptDatabase> {
  const place = placeOf('sqlite', scale);
  const file = join(place, 'bench.db');
  if (!isFilled(place)) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    await fill(`sqlite:${file}`, scale, (text) => progress(`SQLite, ${text}`));
    setFilled(place);
  }
  return {
    name: 'SQLite',
    url: `sqlite:${file}`,
    copy: async () => copyOfFile(file),
    end: async () => undefined,
  };
}

function copyOfFile(file: string) {
  const copy = join(mkdtempSync(join(tmpdir(), 'notifier-bench-')), 'bench.db');
  copyFileSync(file, copy);
  return {
    url: `sqlite:${copy}`,
    drop: async () => rmSync(dirname(copy), { recursive: true, force: true }),
  };
}

async function postgresql(
  programs: { readonly initdb: string; readonly postgres: string },
  progress: Progress,
  { scale, isDurable = false }: Wanted,
): Promise<KeptDatabase> {
  const place = placeOf('postgresql', scale);
  const isThere = isFilled(place);
  if (!isThere) rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const server = await runPostgres({ ...programs, folder: place, isDurable });
  try {
    const url = server.addressOf('bench');
    if (!isThere) {
      await server.asAdmin('CREATE DATABASE bench');
      await fill(url, scale, (text) => progress(`PostgreSQL, ${text}`));
      setFilled(place);
    }
    const copy = async () => {
      await server.asAdmin('DROP DATABASE IF EXISTS bench_copy');
      await server.asAdmin('CREATE DATABASE bench_copy TEMPLATE bench STRATEGY FILE_COPY');
      return { url: server.addressOf('bench_copy'), drop: () => server.asAdmin('DROP DATABASE bench_copy') };
    };
    return { name: 'PostgreSQL', url, copy, end: () => server.end() };
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
