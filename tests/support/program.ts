// The program as a person starts it: a process of its own, on a folder of its own, ended by its process id.
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');
const server = join(repository, 'src/server.ts');

export interface RunningProgram extends SpawnedProgram {
  readonly origin: string;
  /** Ends it by a signal and waits; answers the exit code, null when the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Settings of a program whose /metrics a test reads, and what is sent there. */
export const metricsSettings = { NOTIFIER_ADMIN_TOKEN: 'a-token-of-the-workspace' };
export const metricsHeaders = { Authorization: `Bearer ${metricsSettings.NOTIFIER_ADMIN_TOKEN}` };

/** The environment of a program of ours: what is said, and of this process's the path alone. */
export function programEnvironment(env: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  // A busy machine must not change what a program answers, nor by how many threads.
  return { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', OVERLOAD: 'off', ...env };
}

export interface StartOptions {
  /** Program and words; the server alone unless said. */
  readonly command?: readonly [string, ...string[]];
  /** Whether it leads a process group of its own, as what is started from a terminal does. */
  readonly detached?: boolean;
  /** The folder it is started in; the repository unless said. */
  readonly cwd?: string;
  /** Where its standard streams go; pipes unless said. */
  readonly stdio?: StdioOptions;
  /** The user it runs as, by number: only root may say. */
  readonly uid?: number;
}

export interface SpawnedProgram {
  readonly process: ChildProcess;
  /** What it has printed on stdout so far. */
  printed(): string;
  errors(): string;
  /** Resolves with the exit code, null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Resolves once its output matches; rejects with what it printed when it ends before. */
  says(pattern: RegExp): Promise<void>;
}

/** Starts the server and waits for nothing. */
export function spawnProgram(env: Record<string, string>, options: StartOptions = {}): SpawnedProgram {
  const { command = [process.execPath, server], cwd = repository, ...more } = options;
  const [program, ...words] = command;
  const child = spawn(program, words, { cwd, env: programEnvironment(env), ...more });
  let [out, err] = ['', ''];
  const listeners = new Set<() => void>();
  child.stdout?.on('data', (chunk) => {
    out += chunk;
    for (const listener of listeners) listener();
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
    for (const listener of listeners) listener();
  });
  // Not 'exit': what it said last is still on its way then.
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    process: child,
    printed: () => out,
    errors: () => err,
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(out) || pattern.test(err)) resolve();
        };
        listeners.add(look);
        look();
        void ended.then((code) => reject(new Error(`ended with ${code}: ${out}${err}`)));
      }),
  };
}

/**
 * Starts the server and waits until it says where it listens. Rejects with what it printed when it ends
 * before.
 */
export async function startProgram(
  env: Record<string, string>,
  options: StartOptions = {},
): Promise<RunningProgram> {
  const program = spawnProgram(env, options);
  // The banner ends with an empty line.
  await program.says(/listening at http:[\s\S]*\n\n$/);
  const origin = /listening at (http:\/\/\S+)/.exec(program.printed())?.[1] ?? '';
  const child = program.process;
  return {
    ...program,
    origin,
    end: (signal: NodeJS.Signals = 'SIGTERM') =>
      new Promise((ended) => {
        if (child.exitCode !== null || child.signalCode !== null) ended(child.exitCode);
        child.once('exit', (code) => ended(code));
        child.kill(signal);
      }),
  };
}

/** Runs a command of the command line to its end. */
export function runCommand(words: readonly string[], env: Record<string, string>): Finished {
  const run = spawnSync(process.execPath, ['src/cli.ts', ...words], {
    cwd: repository,
    env: programEnvironment(env),
    encoding: 'utf8',
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}
