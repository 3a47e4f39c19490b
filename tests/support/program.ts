// Starts the server or the command line as a process.
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');
const server = join(repository, 'src/server.ts');

export interface RunningProgram extends SpawnedProgram {
  readonly origin: string;
  /** Sends the signal and waits; null if the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Settings and headers to read /metrics. */
export const metricsSettings = { NOTIFIER_ADMIN_TOKEN: 'a-token-of-the-workspace' };
export const metricsHeaders = { Authorization: `Bearer ${metricsSettings.NOTIFIER_ADMIN_TOKEN}` };

/** Only PATH, HOME and the compile cache are inherited. */
export function programEnvironment(env: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  // Answers must not depend on the load of the machine.
  return { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', OVERLOAD: 'off', ...env };
}

export interface StartOptions {
  readonly command?: readonly [string, ...string[]];
  /** Own process group, as when started from a terminal. */
  readonly detached?: boolean;
  readonly cwd?: string;
  readonly stdio?: StdioOptions;
  /** Needs root. */
  readonly uid?: number;
}

export interface SpawnedProgram {
  readonly process: ChildProcess;
  printed(): string;
  errors(): string;
  readonly ended: Promise<number | null>;
  /** Resolves once its output matches; rejects with the output when it ends before. */
  says(pattern: RegExp): Promise<void>;
}

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
  // 'exit' may come before the last output.
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

/** Waits for the start banner; rejects with the output when the process ends before. */
export async function startProgram(
  env: Record<string, string>,
  options: StartOptions = {},
): Promise<RunningProgram> {
  const program = spawnProgram(env, options);
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

export function runCommand(words: readonly string[], env: Record<string, string>): Finished {
  const run = spawnSync(process.execPath, ['src/cli.ts', ...words], {
    cwd: repository,
    env: programEnvironment(env),
    encoding: 'utf8',
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}
