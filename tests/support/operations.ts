// Counts executed code blocks with V8's coverage, to test complexity independently of the machine's speed.
// Runs in a worker thread, because coverage must be on when code is compiled. Built-ins are not counted.
import { once } from 'node:events';
import { type Profiler, Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const ours = /\/(?:src|data|routes|schemas)\//;

export interface OperationsCounter {
  /** Calls an exported function and returns the number of executed blocks. */
  operationsOf(name: string, ...given: readonly unknown[]): Promise<number>;
  end(): Promise<unknown>;
}

interface Asked {
  readonly name: string;
  readonly given: readonly unknown[];
}

/** `module`: a URL. */
export function openCounter(module: string): OperationsCounter {
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const thread = new Worker(import.meta.filename, { workerData: { counted: module }, env });
  return {
    async operationsOf(name, ...given) {
      thread.postMessage({ name, given } satisfies Asked);
      const [count] = await once(thread, 'message');
      return count as number;
    },
    async end() {
      await thread.terminate();
      optimize(true);
    },
  };
}

/** The flags are those of the whole process: left off, they would stay off for all test files that come after. */
function optimize(isOn: boolean): void {
  for (const name of ['opt', 'maglev']) setFlagsFromString(isOn ? `--${name}` : `--no-${name}`);
}

async function count(module: string): Promise<void> {
  optimize(false);
  const session = new Session();
  session.connect();
  ask(session, 'Profiler.enable');
  ask(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const all = (await import(module)) as Record<string, (...given: readonly unknown[]) => unknown>;
  parentPort?.on('message', ({ name, given }: Asked) => {
    ask(session, 'Profiler.takePreciseCoverage');
    all[name]?.(...given);
    parentPort?.postMessage(sumOf(ask(session, 'Profiler.takePreciseCoverage').result));
  });
}

interface Coverage {
  readonly result: readonly Profiler.ScriptCoverage[];
}

function ask(session: Session, method: string, words?: object): Coverage {
  let answer: Coverage | null = null;
  session.post(method, words, (error, result) => {
    if (error !== null) throw error;
    answer = result as Coverage;
  });
  if (answer === null) throw new Error(`${method} was not answered at once`);
  return answer;
}

function sumOf(scripts: readonly Profiler.ScriptCoverage[]): number {
  return scripts
    .filter(({ url }) => ours.test(url))
    .flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, range) => sum + range.count, 0);
}

if (!isMainThread && workerData?.counted !== undefined) void count(workerData.counted);
