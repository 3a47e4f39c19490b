// Loads the program once in a process, to run failing starts and commands one after another. Real exit codes
// are tested with program.ts.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Finished, programEnvironment } from './program.ts';

export interface LoadedProgram {
  /** Exit code and output of a start that fails. Never resolves if it succeeds. */
  failingStart(env: Record<string, string>): Promise<Finished>;
  command(words: readonly string[], env: Record<string, string>): Promise<Finished>;
  end(): void;
}

/** `words` null: a start. */
export interface Run {
  readonly env: Record<string, string>;
  readonly words: readonly string[] | null;
}

/** `uid`: run as that user. Only PATH is inherited. */
export async function loadProgram(options: { uid?: number } = {}): Promise<LoadedProgram> {
  const child = fork(join(import.meta.dirname, 'run-and-report.ts'), {
    cwd: join(import.meta.dirname, '../..'),
    env: programEnvironment({}),
    execArgv: [],
    ...options,
  });
  const gone = once(child, 'exit').then(([code]): never => {
    throw new Error(`The process that has the program loaded ended with ${code}.`);
  });
  const said = () => Promise.race([once(child, 'message'), gone]);
  const run = async (asked: Run): Promise<Finished> => {
    child.send(asked);
    const [finished] = await said();
    return finished as Finished;
  };
  await said();
  return {
    failingStart: (env) => run({ env: { PORT: '0', ...env }, words: null }),
    command: (words, env) => run({ env, words }),
    end: () => void child.kill('SIGKILL'),
  };
}
