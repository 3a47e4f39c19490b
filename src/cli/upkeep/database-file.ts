// What the commands that work on the database's file share: which file it is, progress, and tidying up when
// somebody ends them.
import { rmSync } from 'node:fs';
import { fileOf } from '../../../data/upkeep/where.ts';
import { counted } from '../../core/reading/words/figures.ts';
import { readSetup } from '../../program/open-deps.ts';
import { type CommandContext, CommandFailure } from '../command.ts';
import { progressIn } from '../print.ts';

/** The configured database: a file, or null where it is PostgreSQL. */
export function configuredFile(env: CommandContext['env']): string | null {
  const { databaseUrl } = readSetup(env).config;
  const file = fileOf(databaseUrl);
  if (file === ':memory:') {
    throw new CommandFailure('DATABASE_URL is sqlite::memory:, which is not stored in a file.');
  }
  return file;
}

/**
 * A call of a program of PostgreSQL's on the configured database, behind a line that names it: without the
 * password, which no program is to have among its arguments.
 */
export function postgresCall(env: CommandContext['env'], call: (address: string) => string): string {
  const address = new URL(readSetup(env).config.databaseUrl);
  address.password = '';
  address.searchParams.delete('password');
  return (
    `DATABASE_URL is a PostgreSQL database. Use its own program:\n  ${call(quoted(address.href))}\n` +
    'It reads the password from PGPASSWORD or ~/.pgpass.\n'
  );
}

/** A word as a shell reads it. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Progress of a copy on one line of a terminal, and nothing elsewhere. */
export function progressOf(context: Pick<CommandContext, 'err' | 'isTerminal'>, doing: string) {
  const { tell, end } = progressIn(context);
  return {
    tell({ writtenBytes, expectedBytes }: { writtenBytes: number; expectedBytes: number }): void {
      const part = expectedBytes === 0 ? 100 : Math.floor((100 * writtenBytes) / expectedBytes);
      const [written, all] = [writtenBytes, expectedBytes].map((bytes) => (bytes / 1e6).toFixed(1));
      tell(`${doing}: ${written} of ${all} MB (${part} %)`);
    },
    end,
  };
}

/**
 * Runs `act`, and removes the part that it tells of where a signal ends the process before: half a copy is
 * as large as the database.
 */
export async function tidiedUp<T>(act: (onPart: (part: string | null) => void) => Promise<T>): Promise<T> {
  let part: string | null = null;
  const end = (_signal: string, number: number): void => {
    if (part !== null) {
      for (const tail of ['', '-journal', '.json']) rmSync(`${part}${tail}`, { force: true });
    }
    process.exit(128 + number);
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    return await act((path) => {
      part = path;
    });
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}

/** `1 project, 3 keys`: what a database holds, in words; `counts` are by noun, in either number. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => counted(count, ...numbersOf(name.replaceAll('_', ' '))))
    .join(', ');
}

function numbersOf(name: string): [one: string, many: string] {
  if (name === 'feedback') return [name, name];
  const one = name.replace(/ies$/, 'y').replace(/s$/, '');
  return [one, `${one.replace(/(?<![aeiou])y$/, 'ie')}s`];
}
