// A server whose garbage a test can have collected, so that what it holds is told from what nobody has thrown
// away yet.
import { join } from 'node:path';
import { askThreads } from './inspector.ts';
import { type RunningProgram, startProgram } from './program.ts';

const server = join(import.meta.dirname, '../../src/server.ts');

/** A heap of one thread, in MiB. */
export interface ThreadHeap {
  /** What is in it, and the memory that it has. */
  readonly used: number;
  readonly total: number;
  /** Buffers that hang on it. */
  readonly outside: number;
}

export interface CollectedProgram extends RunningProgram {
  /**
   * Resolves once V8 has collected everything that no thread of the server holds any more: each has a heap of
   * its own, and one that has nothing to do keeps its garbage for ever.
   */
  collectGarbage(): Promise<void>;
  /** The heaps of its threads, the main thread's first. */
  heaps(): Promise<ThreadHeap[]>;
}

/** Starts the server as `startProgram` does, with V8's inspector on a port of its own. */
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
