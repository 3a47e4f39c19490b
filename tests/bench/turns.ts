// A server in a process of its own, and the longest turn of its main thread while it answers a body.
import { type ChildProcess, fork } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeavyBody } from '../support/heavy-bodies.ts';
import { benignBody } from '../support/wide-json.ts';
import { ownMs } from './own-time.ts';

export interface Turn {
  readonly status: number;
  readonly text: string;
  /** The longest that the loop did not turn, its waiting for a processor left out. */
  readonly longestMs: number;
}

export interface MeasuredServer {
  /** Sends a body and tells what its answer took of the main thread at a time. */
  send(body: HeavyBody, bytes: Buffer): Promise<Turn>;
  /** The same for what a path below the namespace answers to the secret key. */
  read(path: string): Promise<Turn>;
  stop(): void;
}

/** What is freed late belongs to the body that was sent. */
const settleMs = 20;

/**
 * Starts the server; its database lies in memory where the machine has a place for that, so that no disk is
 * measured.
 */
export async function startMeasuredServer(): Promise<MeasuredServer> {
  const child = fork(join(import.meta.dirname, 'measured-app.ts'), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, TMPDIR: '/dev/shm' },
  });
  const keys = (await heard(child, 'api')) as unknown as Keys;
  const measure = async (answer: () => Promise<Omit<Turn, 'longestMs'>>): Promise<Turn> => {
    const begun = heard(child, 'begun');
    child.send('begin');
    await begun;
    const answered = await answer();
    await sleep(settleMs);
    const measured = heard(child, 'turnMs');
    child.send('end');
    return { ...answered, longestMs: Number((await measured)['turnMs']) };
  };
  const server: MeasuredServer = {
    send: (body, bytes) => measure(() => post(keys, body, bytes)),
    read: (path) => measure(() => ask('GET', keys.api + path, bearerOf(keys))),
    stop: () => void child.kill('SIGKILL'),
  };
  // The threads are started, and what both threads do is compiled.
  const warm: HeavyBody = {
    name: 'warm',
    path: '/store',
    credential: 'public',
    body: () => benignBody(2_000),
  };
  for (const bytes of [2_000, 100_000, 1_000_000, 2_000, 1_000_000]) {
    await server.send(warm, benignBody(bytes));
  }
  return server;
}

/** What JSON.parse takes for a benign body of so many bytes on this machine now: the least of some tries. */
export function benignParseMs(bytes: number, tries = 7): number {
  const text = benignBody(bytes).toString();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < tries; round += 1) {
    const begunMs = ownMs();
    JSON.parse(text);
    least = Math.min(least, ownMs() - begunMs);
  }
  return least;
}

interface Keys {
  readonly api: string;
  readonly origin: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

function heard(child: ChildProcess, word: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new Error('the measured server ended'));
    const listen = (message: Record<string, unknown>): void => {
      if (!(word in message)) return;
      child.off('message', listen).off('exit', end);
      resolve(message);
    };
    child.on('message', listen).once('exit', end);
  });
}

function post(keys: Keys, body: HeavyBody, bytes: Buffer): Promise<{ status: number; text: string }> {
  const url = body.path.startsWith('//') ? keys.origin + body.path.slice(1) : keys.api + body.path;
  const headers: Record<string, string> = {
    'content-type': body.contentType ?? 'application/json',
    'content-length': String(bytes.length),
    origin: 'https://a.example',
  };
  if (body.credential === 'public') headers['x-notifier-key'] = keys.publicKey;
  if (body.credential === 'secret') Object.assign(headers, bearerOf(keys));
  return ask('POST', url, headers, bytes);
}

function bearerOf({ secretKey }: Keys): Record<string, string> {
  return { authorization: `Bearer ${secretKey}` };
}

function ask(
  method: string,
  url: string,
  headers: Record<string, string>,
  bytes?: Buffer,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}
