// The real server as a process of its own, and clients that post events to it until it is gone.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { eventIdOf } from './events.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'src', 'server.ts');
const publicKey = 'kill_test_public_key';

export interface Served {
  readonly child: ChildProcess;
  /** Ends in `/wp-json/notifier/v1`. */
  readonly api: string;
}

/** Starts the server on a free port and waits until it says where it listens. */
export async function startServer(databaseUrl: string): Promise<Served> {
  const child = spawn(process.execPath, [program], {
    cwd: resolve(program, '..', '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: databaseUrl,
      PORT: '0',
      RATE_LIMITS: 'off',
      OVERLOAD: 'off',
      LOG_LEVEL: 'error',
      NOTIFIER_PUBLIC_KEY: publicKey,
    },
  });
  if (child.stdout === null) throw new Error('The server has no output to read.');
  for await (const line of createInterface({ input: child.stdout })) {
    const api = /https?:\/\/\S+\/wp-json\/notifier\/v1/.exec(line)?.[0];
    if (api !== undefined) {
      child.stdout.resume();
      return { child, api };
    }
  }
  throw new Error('The server ended before it listened.');
}

const kinds = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf'];

/**
 * Posts events with 64 clients until `answersWanted` of them were answered, kills the server, and gives the
 * ids that were answered 201 or 200. `wordOf(n)` names the n-th event.
 */
export async function postUntilKilled(
  served: Served,
  answersWanted: number,
  wordOf: (number: number) => string,
): Promise<string[]> {
  const answered: string[] = [];
  const ended = once(served.child, 'exit');
  let next = 0;
  let killed = false;
  const client = async (): Promise<void> => {
    while (!killed) {
      next += 1;
      const number = next;
      const id = eventIdOf(wordOf(number));
      const status = await post(served.api, {
        event_id: id,
        message: kinds[number % kinds.length],
        release: '1.0',
      });
      if (status === 201 || status === 200) answered.push(id);
      else if (!killed) throw new Error(`An event was answered ${status}.`);
      if (answered.length >= answersWanted && !killed) {
        killed = true;
        served.child.kill('SIGKILL');
      }
    }
  };
  await Promise.all(Array.from({ length: 64 }, client));
  await ended;
  return answered;
}

/** The status, once the whole answer is here; 0 when the connection broke before. */
async function post(api: string, event: object): Promise<number> {
  try {
    const answer = await fetch(`${api}/store`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Notifier-Key': publicKey },
      body: JSON.stringify(event),
    });
    const body = (await answer.json()) as { accepted?: boolean };
    return body.accepted === true ? answer.status : 0;
  } catch {
    return 0;
  }
}
