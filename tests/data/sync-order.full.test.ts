import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { sqliteDatabase } from './support/databases.ts';

const program = join(import.meta.dirname, 'support', 'write-until-killed.ts');
const answersWanted = 300;

describeWithPrograms('the order of fsync and answer', ['strace'], ({ strace }) => {
  it('has every page of the log on the disk before each answer', async () => {
    const database = sqliteDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'notifier-test-'));
    const trace = join(folder, 'trace');
    const calls = 'trace=openat,pwrite64,fsync,fdatasync,write';
    const child = spawn(
      strace ?? '',
      [
        '-f',
        '-e',
        calls,
        '-e',
        'signal=none',
        '-o',
        trace,
        process.execPath,
        program,
        await database.create(),
        '0',
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' }, detached: true },
    );
    const ended = once(child, 'exit');
    let answers = 0;
    for await (const _line of createInterface({ input: child.stdout })) {
      answers += 1;
      // The whole group: strace and what it watches.
      if (answers === answersWanted && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }
    await ended;
    const read = readTrace(readFileSync(trace, 'utf8'));
    expect(read.answers).toBeGreaterThanOrEqual(answersWanted);
    expect(read.syncs).toBeGreaterThan(3);
    expect(read.answersBeforeSync).toBe(0);
    process.stderr.write(`F2: ${read.answers} answers, ${read.syncs} syncs, no answer before its sync\n`);
    rmSync(folder, { recursive: true, force: true });
    await database.end();
  });
});

function readTrace(text: string): { answers: number; syncs: number; answersBeforeSync: number } {
  const logs = new Set<string>();
  const found = { answers: 0, syncs: 0, answersBeforeSync: 0 };
  let unsynced = false;
  const syncing = new Set<string>();
  for (const line of text.split('\n')) {
    const thread = /^\d+/.exec(line)?.[0] ?? '';
    const opened = /openat\([^"]*"[^"]*-wal".*\) = (\d+)/.exec(line)?.[1];
    if (opened !== undefined) logs.add(opened);
    const [, call, fd = ''] = /\b(pwrite64|fsync|fdatasync|write)\((\d+)/.exec(line) ?? [];
    if (call === 'pwrite64' && logs.has(fd)) unsynced = true;
    const isSync = (call === 'fsync' || call === 'fdatasync') && logs.has(fd);
    // What another thread does meanwhile stands between its begin and its end, which counts.
    const isBegun = isSync && line.endsWith('<unfinished ...>');
    if (isBegun) syncing.add(thread);
    const isEnded = /<\.\.\. f(?:data)?sync resumed>/.test(line) && syncing.delete(thread);
    if ((isSync && !isBegun) || isEnded) {
      unsynced = false;
      found.syncs += 1;
    }
    if (call === 'write' && fd === '1') {
      found.answers += 1;
      if (unsynced) found.answersBeforeSync += 1;
    }
  }
  return found;
}
