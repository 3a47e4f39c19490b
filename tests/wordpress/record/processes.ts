// Programs of the system that a throw-away site needs: started here, watched until they are ready, ended by
// their id.
import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunningProcess {
  /** Ends it and waits until it is gone; a second call does nothing. */
  stop(): Promise<void>;
}

const readySecondsMax = 60;
const pauseMs = 25;

/**
 * Starts a program and waits until something listens at `address`; rejects with what it printed when it ends
 * before.
 */
export async function startProcess(
  command: readonly [string, ...string[]],
  address: { readonly port: number } | { readonly path: string },
): Promise<RunningProcess> {
  const [program, ...words] = command;
  // In a group of its own: Apache ends with a signal to its whole group, which would be our tests too.
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed = (printed + chunk).slice(-4000);
    });
  }
  let failure: Error | null = null;
  child.once('error', (error) => {
    failure = error;
  });
  const running = { stop: () => stop(child) };
  for (let waitedMs = 0; waitedMs < readySecondsMax * 1000; waitedMs += pauseMs) {
    if (failure !== null || child.exitCode !== null) {
      throw new Error(`${program} ended: ${failure ?? printed}`);
    }
    if (await isListening(address)) return running;
    await sleep(pauseMs);
  }
  await running.stop();
  throw new Error(`${program} does not listen: ${printed}`);
}

/**
 * Runs a program to its end; rejects with what it printed unless it ends well. Answers its standard output.
 */
export function run(command: readonly [string, ...string[]], input = ''): Promise<string> {
  const [program, ...words] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, words);
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${program} ended with ${code}: ${out}${err}`.slice(0, 4000)));
    });
    child.stdin.end(input);
  });
}

function isListening(address: { readonly port: number } | { readonly path: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = 'port' in address ? connect(address.port, '127.0.0.1') : connect(address.path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(timer);
}
