// The program as a person starts it: a process of its own, on a folder of its own, ended by its process id.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');
const server = join(repository, 'src/server.ts');

export interface RunningProgram {
  readonly process: ChildProcess;
  readonly origin: string;
  /** What it has printed on stdout so far. */
  printed(): string;
  errors(): string;
  /** Ends it by a signal and waits; answers the exit code, null when the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A folder that is removed by `remove`. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'notifier-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function environment(env: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', ...env };
}

export interface StartOptions {
  /** Program and words; the server alone unless said. */
  readonly command?: readonly [string, ...string[]];
  /** Whether it leads a process group of its own, as what is started from a terminal does. */
  readonly detached?: boolean;
  /** The folder it is started in; the repository unless said. */
  readonly cwd?: string;
}

/** Starts the server and waits until it says where it listens. Rejects with what it printed when it ends before. */
export function startProgram(
  env: Record<string, string>,
  options: StartOptions = {},
): Promise<RunningProgram> {
  const { command = [process.execPath, server], cwd = repository, detached = false } = options;
  const [program, ...words] = command;
  const child = spawn(program, words, { cwd, detached, env: environment(env) });
  let out = '';
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${out}${err}`)));
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const origin = /listening at (http:\/\/\S+)/.exec(out)?.[1];
      if (origin !== undefined && out.endsWith('\n\n'))
        resolve({ process: child, origin, printed: () => out, errors: () => err, end });
    });
    const end = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> =>
      new Promise((ended) => {
        if (child.exitCode !== null || child.signalCode !== null) ended(child.exitCode);
        child.once('exit', (code) => ended(code));
        child.kill(signal);
      });
  });
}

/** Runs a command of the command line to its end. */
export function runCommand(words: readonly string[], env: Record<string, string>): Finished {
  const run = spawnSync(process.execPath, ['src/cli.ts', ...words], {
    cwd: repository,
    env: environment(env),
    encoding: 'utf8',
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}
