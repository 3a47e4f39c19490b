import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { loopTurnsOf, saidTurns } from '../support/loop-turns.ts';
import {
  metricsSettings,
  type RunningProgram,
  runCommand,
  spawnProgram,
  startProgram,
} from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { nightlyOrFull } from '../support/test-level.ts';

const key = 'backup_public_key';
const secret = 'backup_secret_key';
const clients = 16;
const perSecond = 1_000;
const acceptedBefore = nightlyOrFull(2_000, 400);
const fillMegabytes = nightlyOrFull(1_000, 100);

describe('a backup under load, the source killed, the backup restored', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const running: RunningProgram[] = [];
  const at = (name: string): string => join(folder.path, name);
  const env = (name: string) => ({ DATABASE_URL: `sqlite:${at(name)}` });
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(async () => {
    for (const program of running) await program.end('SIGKILL');
    folder.remove();
  });

  const start = async (name: string): Promise<RunningProgram> => {
    const keys = { ...metricsSettings, NOTIFIER_PUBLIC_KEY: key, NOTIFIER_SECRET_KEY: secret };
    const program = await startProgram({ ...env(name), ...keys, RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
    running.push(program);
    return program;
  };

  it('has every event that was accepted before it began', async () => {
    const source = await start('source.db');
    fill(at('source.db'));
    const load = loadOn(source.origin);
    while (load.accepted.size < acceptedBefore) await sleep(5);
    const calm = load.takeWaits();
    const before = [...load.accepted];
    // What is told the next time counts from here.
    await loopTurnsOf(source.origin);

    const startedAt = performance.now();
    const backup = spawnProgram(env('source.db'), {
      command: [process.execPath, 'src/cli.ts', 'backup', at('b.db'), '--json'],
    });
    expect([await backup.ended, backup.errors()]).toEqual([0, '']);
    const seconds = (performance.now() - startedAt) / 1000;
    const busy = load.takeWaits();
    const turns = await loopTurnsOf(source.origin);
    const atEnd = load.accepted.size;
    while (load.accepted.size < atEnd + clients) await sleep(5);
    await source.end('SIGKILL');
    await load.stop();

    const restored = runCommand(['restore', at('b.db'), '--json'], env('restored.db'));
    expect([restored.code, restored.err]).toEqual([0, '']);
    expect(lostFrom(at('restored.db'), before)).toEqual([]);
    // The control: what came when the backup was made is not in it, and is missed.
    const after = [...load.accepted].slice(atEnd);
    expect(lostFrom(at('restored.db'), after)).toEqual(after);

    const again = await start('restored.db');
    const shown = await fetch(`${again.origin}/wp-json/notifier/v1/events/${before.at(-1)}`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect([shown.status, await shown.json()]).toMatchObject([200, { event_id: before.at(-1) }]);
    expect(JSON.parse(restored.out).counts.events).toBeGreaterThanOrEqual(before.length);
    const taken = JSON.parse(backup.printed());
    process.stderr.write(
      `F16: ${(taken.bytes / 1e6).toFixed(0)} MB, ${(taken.seconds / (taken.bytes / 1e9)).toFixed(1)} s a GB ` +
        `(${seconds.toFixed(1)} s with its start); ${before.length} accepted before, ${atEnd} at its end; answers ` +
        `p50/p99 ${at2(calm)} ms before, ${at2(busy)} ms beside it, ${saidTurns(turns)}\n`,
    );
  });

  it('leaves no half database where a restore is killed', async () => {
    expect(runCommand(['migrate'], env('killed.db')).code).toBe(0);
    fill(at('killed.db'));
    expect(runCommand(['backup', at('k.db')], env('killed.db')).code).toBe(0);
    const child = spawn(process.execPath, ['src/cli.ts', 'restore', at('k.db')], {
      env: { PATH: process.env['PATH'] ?? '', ...env('killed/notifier.db') },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    // Killed as soon as something is written, whatever that is.
    while (child.exitCode === null && filesOf(at('killed')).length === 0) await sleep(1);
    child.kill('SIGKILL');
    await ended;
    const left = filesOf(at('killed')).filter((name) => !name.endsWith('.part'));
    expect(left.every((name) => statSync(at(`killed/${name}`)).size === statSync(at('k.db')).size)).toBe(
      true,
    );
    const again = runCommand(['restore', at('k.db')], env('killed/other.db'));
    expect([again.code, again.err]).toEqual([0, '']);
  });
});

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Bytes that take as long to copy as a year of events. */
function fill(path: string): void {
  const db = new Database(path, { timeout: 10_000 });
  const insert = db.prepare(
    "INSERT INTO meta (name, value) VALUES ('filler-' || ?, hex(randomblob(500000)))",
  );
  for (let index = 0; index < fillMegabytes; index += 1) insert.run(index);
  db.close();
}

/** Those of `ids` that a database does not hold. */
function lostFrom(path: string, ids: readonly string[]): string[] {
  const db = new Database(path, { readonly: true });
  const held = new Set(db.prepare('SELECT event_id FROM events').pluck().all());
  db.close();
  return ids.filter((id) => !held.has(id));
}

function at2(waits: readonly number[]): string {
  const sorted = [...waits].sort((one, other) => one - other);
  const part = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return `${part(0.5)}/${part(0.99)}`;
}

function loadOn(origin: string) {
  const accepted = new Set<string>();
  let waits: number[] = [];
  let going = true;
  const beganAt = performance.now();
  const client = async (number: number): Promise<void> => {
    for (let sent = 0; going; sent += 1) {
      const dueIn = beganAt + (sent * clients * 1_000) / perSecond - performance.now();
      if (dueIn > 0) await sleep(dueIn);
      const id = `${number.toString(16).padStart(8, '0')}${sent.toString(16).padStart(24, '0')}`;
      const startedAt = performance.now();
      try {
        const answer = await fetch(`${origin}/wp-json/notifier/v1/store`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Notifier-Key': key },
          body: JSON.stringify({ event_id: id, message: `Fault ${sent % 7}`, platform: 'other' }),
        });
        await answer.text();
        if (answer.status === 201) accepted.add(id);
      } catch {
        // The server was killed.
        return;
      }
      waits.push(performance.now() - startedAt);
    }
  };
  const all = Array.from({ length: clients }, (_, number) => client(number));
  return {
    accepted,
    takeWaits(): number[] {
      const taken = waits;
      waits = [];
      return taken;
    },
    async stop() {
      going = false;
      await Promise.all(all);
    },
  };
}
