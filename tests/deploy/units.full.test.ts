import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { unitCommand } from '../support/unit-command.ts';

const deploy = resolve(import.meta.dirname, '../../deploy');
const unit = readFileSync(join(deploy, 'notifier.service'), 'utf8');
const exposureMax = 20;

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

describeWithPrograms('the units', ['systemd-analyze'], ({ 'systemd-analyze': analyze = '' }) => {
  it('are valid, and expose little', () => {
    const units = join(folder.path, 'units');
    mkdirSync(units);
    const here = unit
      .replace('/usr/bin/node', process.execPath)
      .replace('WorkingDirectory=/opt/notifier', `WorkingDirectory=${units}`);
    writeFileSync(join(units, 'notifier.service'), here);
    writeFileSync(join(units, 'notifier.socket'), readFileSync(join(deploy, 'notifier.socket')));
    for (const name of ['notifier.service', 'notifier.socket']) {
      const { status, stdout, stderr } = spawnSync(analyze, ['verify', join(units, name)], {
        encoding: 'utf8',
      });
      expect([name, status, stdout + stderr]).toEqual([name, 0, '']);
    }
    const words = ['security', '--offline=yes', `--threshold=${exposureMax}`, '--no-pager'];
    const { status, stdout } = spawnSync(analyze, [...words, join(units, 'notifier.service')], {
      encoding: 'utf8',
    });
    expect([status, /Overall exposure level.*$/m.exec(stdout)?.[0]]).toEqual([
      0,
      expect.stringContaining('OK'),
    ]);
  });
});

describeWithPrograms('the sandbox of the unit', ['systemd-analyze', 'strace'], (paths) => {
  it('is enough to start, accept an event and drain', async () => {
    const counts = join(folder.path, 'calls');
    const { strace = 'strace' } = paths;
    const key = 'pk_within_bounds';
    const program = await startProgram(
      {
        DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
        NOTIFIER_PUBLIC_KEY: key,
        LOG_LEVEL: 'error',
      },
      { command: [strace, '-f', '-c', '-U', 'name', '-o', counts, ...unitCommand()] },
    );
    const sent = await fetch(`${program.origin}/wp-json/notifier/v1/store`, {
      method: 'POST',
      headers: { 'X-Notifier-Key': key, 'Content-Type': 'application/json', Connection: 'close' },
      body: '{"message":"within bounds","platform":"node"}',
    });
    // strace hands the signal to nobody: the program is the only child that it has.
    const children = `/proc/${program.process.pid}/task/${program.process.pid}/children`;
    const child = Number(readFileSync(children, 'utf8').trim().split(' ')[0]);
    // A signal to 0 would end whoever runs the tests.
    expect(child).toBeGreaterThan(1);
    process.kill(child, 'SIGTERM');
    expect([sent.status, await program.ended]).toEqual([201, 0]);

    const used = (readFileSync(counts, 'utf8').match(/^\w+$/gm) ?? []).filter(
      (name) => !['syscall', 'total'].includes(name),
    );
    const sets = readSets(
      execFileSync(paths['systemd-analyze'] ?? '', ['syscall-filter'], { encoding: 'utf8' }),
    );
    const [allowed, taken] = [...unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)].map(
      ([, , names = '']) => new Set(names.split(' ').flatMap((name) => [...callsOf(name, sets)])),
    );
    const refused = used.filter((name) => !allowed?.has(name) || taken?.has(name));
    expect(used.filter((name) => name.startsWith('epoll_'))).not.toEqual([]);
    // Node asks for more open files, and SQLite gives a file away where root runs it: both take a no.
    expect(refused.filter((name) => !['setrlimit', 'prlimit64', 'fchown'].includes(name))).toEqual([]);
  });
});

function readSets(text: string): Map<string, string[]> {
  const sets = new Map<string, string[]>();
  let names: string[] = [];
  for (const line of text.split('\n')) {
    if (/^@/.test(line)) {
      names = [];
      sets.set(line.trim(), names);
    }
    if (/^\s+[@\w]/.test(line)) names.push(line.trim());
  }
  return sets;
}

function callsOf(name: string, sets: Map<string, string[]>): Set<string> {
  const members = sets.get(name);
  if (members === undefined) return new Set([name]);
  return new Set(members.flatMap((each) => [...callsOf(each, sets)]));
}
