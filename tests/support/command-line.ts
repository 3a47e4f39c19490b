// Runs command line commands in the test process, on a temporary database.
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { silentLog } from '../../src/app/log.ts';
import { openDeps } from '../../src/app/open-deps.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import type { Deps } from '../../src/core/deps.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { writeMigratedFile } from './throw-away-database.ts';

export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface TestCommandLine {
  readonly databaseUrl: string;
  /** Runs a command; words are separated by blanks. */
  notifier(line: string, options?: RunOptions): Promise<Finished>;
  /** Parses the JSON output of a successful command without other output. */
  // biome-ignore lint/suspicious/noExplicitAny: what is printed is looked at member by member.
  json(line: string): Promise<any>;
  withDeps<Result>(act: (deps: Deps) => Promise<Result>): Promise<Result>;
  remove(): void;
}

interface RunOptions {
  readonly env?: Record<string, string>;
  readonly isTerminal?: boolean;
  readonly ask?: (question: string) => Promise<string>;
  /** Standard input. */
  readonly input?: string;
}

/** Call `remove` at the end. Without `hasDatabase` the file does not exist yet. */
export function testCommandLine({ hasDatabase = true } = {}): TestCommandLine {
  const folder = temporaryFolder();
  const path = join(folder.path, 'cli.db');
  const databaseUrl = `sqlite:${path}`;
  let made: Promise<void> | undefined = hasDatabase ? undefined : Promise.resolve();
  const makeOnce = (): Promise<void> => {
    made ??= writeMigratedFile(path);
    return made;
  };
  const notifier = async (line: string, options?: RunOptions): Promise<Finished> => {
    await makeOnce();
    return runLine(databaseUrl, line === '' ? [] : line.split(' '), options);
  };
  return {
    databaseUrl,
    notifier,
    async json(line) {
      const { code, out, err } = await notifier(`${line} --json`);
      expect([line, code, err]).toEqual([line, 0, '']);
      return JSON.parse(out);
    },
    async withDeps(act) {
      await makeOnce();
      const opened = await openDeps({ DATABASE_URL: databaseUrl }, { log: silentLog, isUnsynced: true });
      try {
        return await act(opened.deps);
      } finally {
        await opened.close();
      }
    },
    remove: () => folder.remove(),
  };
}

export async function runLine(
  databaseUrl: string,
  words: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  let out = '';
  let err = '';
  const code = await runCommandLine(words, {
    env: { DATABASE_URL: databaseUrl, BASE_URL: 'https://errors.example', ...options.env },
    isTerminal: options.isTerminal ?? false,
    ...(options.ask === undefined ? {} : { ask: options.ask }),
    readInput: async () => options.input ?? '',
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

/** PHP encodes empty objects as empty lists, and so does the API. */
export function asPhpWrites(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asPhpWrites);
  const members = Object.entries(value);
  return members.length === 0
    ? []
    : Object.fromEntries(members.map(([name, each]) => [name, asPhpWrites(each)]));
}
