// How a server of several threads begins and ends: one port, one file, nothing lost when it is told to stop,
// killed, or left by one of its threads.
import { readdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { spawnProgram, startProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inFull } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';

const publicKey = 'life-public-1';
let folder: ReturnType<typeof temporaryFolder>;
let env: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder();
  env = {
    DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
    WEB_CONCURRENCY: '2',
    NOTIFIER_PUBLIC_KEY: publicKey,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  };
});
afterEach(() => folder.remove());

/** An event's id where it was taken; null where the connection was refused or cut. */
function send(origin: string, agent: Agent): Promise<string | null> {
  const body = JSON.stringify({ message: 'taken' });
  return new Promise((resolve) => {
    const sent = request(
      `${origin}/wp-json/notifier/v1/store`,
      { agent, method: 'POST', headers: { 'X-Notifier-Key': publicKey, 'Content-Length': body.length } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.once('end', () => resolve((JSON.parse(text) as { event_id: string }).event_id));
        response.once('error', () => resolve(null));
      },
    );
    sent.once('error', () => resolve(null));
    sent.end(body);
  });
}

const lanes = 24;

/** Sends over many connections until one is refused; `taken` grows as answers come. */
function load(origin: string) {
  const taken: string[] = [];
  const lane = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let id = await send(origin, agent); id !== null; id = await send(origin, agent)) taken.push(id);
    agent.destroy();
  };
  const over = Promise.all(Array.from({ length: lanes }, lane));
  return { taken, over };
}

function storedIds(): string[] {
  const db = new Database(join(folder.path, 'notifier.db'), { readonly: true });
  try {
    return db.prepare('SELECT event_id FROM events').pluck().all() as string[];
  } finally {
    db.close();
  }
}

describe('a server of two threads', () => {
  it('ends with 0 when it is told to, with all that it took stored, and no file left beside', async () => {
    const program = await startProgram(env);
    const { taken, over } = load(program.origin);
    await until(() => taken.length >= 300);
    expect(await program.end('SIGTERM')).toBe(0);
    await over;
    // Looked at first: whoever reads the file makes others beside it.
    expect(readdirSync(folder.path)).toEqual(['notifier.db']);
    const [stored, told] = [storedIds(), taken.map((id) => id.replaceAll('-', ''))];
    expect(told.filter((id) => !stored.includes(id))).toEqual([]);
    // What was stored as the end came may not have been told any more: one on each connection at most.
    expect(stored.length - told.length).toBeLessThanOrEqual(lanes);
    expect(program.errors()).toBe('');
  });

  inFull(it)('loses nothing that it answered when it is killed', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const program = await startProgram(env);
      const before = storedIds().length;
      const { taken, over } = load(program.origin);
      await until(() => taken.length >= 100 * round);
      await program.end('SIGKILL');
      await over;
      const stored = storedIds();
      expect(new Set(stored).size).toBe(stored.length);
      const known = new Set(stored);
      expect(taken.filter((id) => !known.has(id.replaceAll('-', '')))).toEqual([]);
      // What was stored and not answered is what was under way: one a connection at most.
      expect(stored.length - before - taken.length).toBeLessThanOrEqual(24);
    }
  });

  inFull(it)('keeps its port and its file to itself: 78, and which of them it is', async () => {
    const first = await startProgram(env);
    const samePort = spawnProgram({ ...env, PORT: new URL(first.origin).port });
    expect(await samePort.ended).toBe(78);
    expect(samePort.errors()).toMatch(/^PORT is \d+: another program listens on port \d+ of 127\.0\.0\.1/);
    const sameFile = spawnProgram(env);
    expect(await sameFile.ended).toBe(78);
    expect(sameFile.printed()).toBe('');
    expect(sameFile.errors()).toMatch(
      new RegExp(
        `^DATABASE_URL is "[^"]+": another server has that file \\(process ${first.process.pid} on [^ ]+, since [^ ]+Z\\)\\. End it, [^\\n]+\\n$`,
      ),
    );
    await first.end('SIGKILL');
    const again = await startProgram(env);
    expect(await again.end()).toBe(0);
  });

  inFull(it)('ends with 1, aloud, when one of them ends by itself, and keeps what was taken', async () => {
    const word = join(folder.path, 'end-it');
    // Loaded by each thread before its program.
    const bomb = `import { existsSync } from 'node:fs'; import { isMainThread } from 'node:worker_threads';
      if (!isMainThread) setInterval(() => { if (existsSync(${JSON.stringify(word)})) process.exit(3); }, 5);`;
    const program = await startProgram({
      ...env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bomb)}`,
    });
    const { taken, over } = load(program.origin);
    await until(() => taken.length >= 200);
    writeFileSync(word, '');
    expect(await program.ended).toBe(1);
    await over;
    expect(program.errors()).toMatch(/a thread that answers requests has ended/);
    const known = new Set(storedIds());
    expect(taken.filter((id) => !known.has(id.replaceAll('-', '')))).toEqual([]);
  });
});

describe('a server that may grow', () => {
  /** With three cores: keeps the first thread busy for nine tenths of its time, until the file is there. */
  const busyUntil = (file: string): string => `
    import { existsSync } from 'node:fs'; import { isMainThread } from 'node:worker_threads';
    import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
    os.availableParallelism = () => 3;
    syncBuiltinESMExports();
    const work = () => {
      for (const began = performance.now(); performance.now() - began < 45; );
      if (existsSync(${JSON.stringify(file)})) clearInterval(timer);
    };
    const timer = isMainThread ? setInterval(work, 50) : null;`;
  const rest = (): string => join(folder.path, 'rest');
  const growing = (): Record<string, string> => ({
    ...env,
    WEB_CONCURRENCY: '0',
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(busyUntil(rest()))}`,
  });
  const isStarting = /one thread is busy: others are started/;
  it('answers with more threads once the first is busy, and ends with 0', async () => {
    const program = await startProgram(growing());
    await program.says(isStarting);
    await program.says(/the others answer too/);
    writeFileSync(rest(), '');
    // Of 24 new connections some come to the new thread.
    const { taken, over } = load(program.origin);
    await until(() => taken.length >= 100);
    expect(await program.end('SIGTERM')).toBe(0);
    await over;
    expect(storedIds().sort()).toEqual(taken.map((id) => id.replaceAll('-', '')).sort());
  });

  inFull(it)('ends with 0 when it is told to while others are starting', async () => {
    const program = await startProgram(growing());
    await program.says(isStarting);
    writeFileSync(rest(), '');
    expect(await program.end('SIGTERM')).toBe(0);
  });
});

describe('one thread answers', () => {
  inFull(it)('whatever is asked for, where the database is in memory: said at the start', async () => {
    const program = await startProgram({ ...env, DATABASE_URL: 'sqlite::memory:' });
    expect(program.errors()).toBe(
      'Warning: WEB_CONCURRENCY is 2, and one thread answers: a database in memory belongs to one thread.\n',
    );
    expect(await program.end()).toBe(0);
  });
});
