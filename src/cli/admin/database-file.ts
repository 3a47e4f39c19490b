import { rmSync } from 'node:fs';
import { databaseFileOf } from '../../../data/maintenance/open-read-only.ts';
import { readSetup } from '../../app/open-deps.ts';
import { formatCountWithNoun } from '../../core/parsing/format/numbers.ts';
import { type CommandContext, CommandError } from '../command.ts';
import { createProgressLine } from '../print.ts';

export function configuredDatabaseFile(env: CommandContext['env']): string | null {
  const { databaseUrl } = readSetup(env).config;
  const file = databaseFileOf(databaseUrl);
  if (file === ':memory:') {
    throw new CommandError('DATABASE_URL is sqlite::memory:, which is not stored in a file.');
  }
  return file;
}

/** The PostgreSQL command line to run, without the password: other users can see arguments. */
export function postgresHint(env: CommandContext['env'], call: (address: string) => string): string {
  const address = new URL(readSetup(env).config.databaseUrl);
  address.password = '';
  address.searchParams.delete('password');
  return (
    `DATABASE_URL is a PostgreSQL database. Use its own program:\n  ${call(quoteForShell(address.href))}\n` +
    'It reads the password from PGPASSWORD or ~/.pgpass.\n'
  );
}

export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export function copyProgress(context: Pick<CommandContext, 'err' | 'isTerminal'>, doing: string) {
  const { update, end } = createProgressLine(context);
  return {
    update({ writtenBytes, expectedBytes }: { writtenBytes: number; expectedBytes: number }): void {
      const part = expectedBytes === 0 ? 100 : Math.floor((100 * writtenBytes) / expectedBytes);
      const [written, all] = [writtenBytes, expectedBytes].map((bytes) => (bytes / 1e6).toFixed(1));
      update(`${doing}: ${written} of ${all} MB (${part} %)`);
    },
    end,
  };
}

/** Runs `write`; if a signal ends the process, deletes its partial file, as large as the database. */
export async function withPartialFileCleanup<T>(
  write: (onPart: (part: string | null) => void) => Promise<T>,
): Promise<T> {
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
    return await write((path) => {
      part = path;
    });
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}

/** `1 project, 3 keys`. The keys of `counts` may be singular or plural. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => formatCountWithNoun(count, ...numbersOf(name.replaceAll('_', ' '))))
    .join(', ');
}

function numbersOf(name: string): [one: string, many: string] {
  if (name === 'feedback') return [name, name];
  const one = name.replace(/ies$/, 'y').replace(/s$/, '');
  return [one, `${one.replace(/(?<![aeiou])y$/, 'ie')}s`];
}
