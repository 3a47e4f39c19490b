// A server whose garbage a test can have collected, so that what it holds is told from what nobody has thrown
// away yet.
import { join } from 'node:path';
import { type RunningProgram, startProgram } from './program.ts';

const server = join(import.meta.dirname, '../../src/server.ts');

export interface CollectedProgram extends RunningProgram {
  /** Resolves once V8 has collected everything that the server does not hold any more. */
  collectGarbage(): Promise<void>;
}

/** Starts the server as `startProgram` does, with V8's inspector on a port of its own. */
export async function startCollectedProgram(env: Record<string, string>): Promise<CollectedProgram> {
  const command = [process.execPath, '--inspect=127.0.0.1:0', server] as const;
  const program = await startProgram(env, { command: [...command] });
  await program.says(/Debugger listening on ws:/);
  const address = /Debugger listening on (ws:\S+)/.exec(program.errors())?.[1] ?? '';
  return { ...program, collectGarbage: () => ask(address, 'HeapProfiler.collectGarbage') };
}

/** Calls one method of the inspector; rejects where it cannot be reached or answers an error. */
function ask(address: string, method: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.addEventListener('error', () => reject(new Error(`the inspector at ${address} does not answer`)));
    socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, method })));
    socket.addEventListener('message', ({ data }) => {
      const { id, error } = JSON.parse(String(data)) as { id?: number; error?: { message: string } };
      if (id !== 1) return;
      socket.close();
      if (error === undefined) resolve();
      else reject(new Error(error.message));
    });
  });
}
