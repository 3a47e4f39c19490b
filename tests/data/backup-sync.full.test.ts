import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { describeWithPrograms } from '../support/needs.ts';
import { programEnvironment, runCommand } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const repository = join(import.meta.dirname, '../..');
const megabytes = 40;

describeWithPrograms('a backup and the disk', ['strace'], ({ strace }) => {
  it('is synced in steps, and completely before it is renamed', () => {
    const folder = temporaryFolder();
    const at = (name: string): string => join(folder.path, name);
    const env = { DATABASE_URL: `sqlite:${at('source.db')}` };
    expect(runCommand(['migrate'], env).code).toBe(0);
    const db = new Database(at('source.db'));
    const insert = db.prepare('INSERT INTO meta (name, value) VALUES (?, hex(randomblob(500000)))');
    for (let index = 0; index < megabytes; index += 1) insert.run(`filler-${index}`);
    db.close();
    const watch = ['-f', '-y', '-e', 'trace=pwrite64,fsync,fdatasync,link,linkat', '-e', 'signal=none'];
    const words = [process.execPath, 'src/cli.ts', 'backup', at('b.db')];
    const { status } = spawnSync(strace ?? '', [...watch, '-o', at('trace'), ...words], {
      cwd: repository,
      env: programEnvironment(env),
    });
    expect(status).toBe(0);
    const deeds = deedsOn(readFileSync(at('trace'), 'utf8'));
    const lastWrite = deeds.lastIndexOf('write');
    expect(lastWrite).toBeGreaterThan(0);
    expect(deeds.slice(lastWrite + 1).join(' ')).toMatch(/^(sync )+name$/);
    expect(deeds.slice(0, lastWrite)).toContain('sync');
    folder.remove();
  });
});

function deedsOn(trace: string): string[] {
  const deeds: string[] = [];
  for (const line of trace.split('\n')) {
    if (/\bpwrite64\(\d+<[^>]*b\.db\.[^>]*\.part>/.test(line)) deeds.push('write');
    if (/\bf(?:data)?sync\(\d+<[^>]*b\.db\.[^>]*\.part>/.test(line)) deeds.push('sync');
    if (/\blink(?:at)?\(.*b\.db\.[^"]*\.part", .*b\.db"/.test(line)) deeds.push('name');
  }
  return deeds;
}
