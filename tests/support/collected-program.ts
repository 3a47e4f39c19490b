// A server whose garbage collection tests can trigger, to measure what it really retains.
import { join } from 'node:path';
import { askThreads } from './inspector.ts';
import { type RunningProgram, startProgram } from './program.ts';

const server = join(import.meta.dirname, '../../src/server.ts');

/** Heap of a thread, in MiB. */
export interface ThreadHeap {
  readonly used: number;
  readonly total: number;
  readonly outside: number;
}

export interface CollectedProgram extends RunningProgram {
  /** Collects garbage in all threads; idle threads would otherwise keep theirs forever. */
  collectGarbage(): Promise<void>;
  /** The main thread's heap is first. */
  heaps(): Promise<ThreadHeap[]>;
}

/** Like `startProgram`, with V8's inspector on a free port. */
export async function startCollectedProgram(env: Record<string, string>): Promise<CollectedProgram> {
  const command = [process.execPath, '--inspect=127.0.0.1:0', server] as const;
  const program = await startProgram(env, { command: [...command] });
  await program.says(/Debugger listening on ws:/);
  const address = /Debugger listening on (ws:\S+)/.exec(program.errors())?.[1] ?? '';
  return {
    ...program,
    collectGarbage: async () => {
      await askThreads(address, 'HeapProfiler.collectGarbage');
    },
    heaps: async () => {
      const expression = 'Object.assign({}, process.memoryUsage())';
      const said = await askThreads(address, 'Runtime.evaluate', { expression, returnByValue: true });
      return said.map((one) => heapOf((one as { result: { value: NodeJS.MemoryUsage } }).result.value));
    },
  };
}

function heapOf({ heapUsed, heapTotal, external }: NodeJS.MemoryUsage): ThreadHeap {
  const mebibytes = (bytes: number): number => bytes / 1_048_576;
  return { used: mebibytes(heapUsed), total: mebibytes(heapTotal), outside: mebibytes(external) };
}
