// The program, loaded once in a process of its own: starts that end by themselves and commands, one after
// another. What is tested is what they say and answer; loading the program takes longer than that. That the
// answer becomes the process's exit code is tested with whole programs (program.ts).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Finished, programEnvironment } from './program.ts';

export interface LoadedProgram {
  /** The code that a start answers and what it wrote. Never resolves where the program serves. */
  failingStart(env: Record<string, string>): Promise<Finished>;
  /** The same of a command of the command line. */
  command(words: readonly string[], env: Record<string, string>): Promise<Finished>;
  end(): void;
}

/** What the process is asked for: a command, or a start where there are no words. */
export interface Run {
  readonly env: Record<string, string>;
  readonly words: readonly string[] | null;
}

/** Loads the program, as another user where `uid` is given; of the environment it has the path alone. */
export async function loadProgram(options: { uid?: number } = {}): Promise<LoadedProgram> {
  const child = fork(join(import.meta.dirname, 'run-and-tell.ts'), {
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
