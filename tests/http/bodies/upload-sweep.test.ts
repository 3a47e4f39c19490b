import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sweepUploadFolders, uploadFolderPrefix } from '../../../src/http/bodies/upload-sweep.ts';

const sweepFile = join(import.meta.dirname, '../../../src/http/bodies/upload-sweep.ts');

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notifier-test-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const make = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'file-1'), 'half of it');
  return path;
};
const age = (path: string, nowMs: number): void => {
  for (const each of [join(path, 'file-1'), path]) utimesSync(each, nowMs / 1000, nowMs / 1000);
};

async function uploader(): Promise<{ child: ChildProcess; path: string }> {
  const program = `
    import { mkdtempSync } from 'node:fs';
    import { uploadFolderPrefix } from ${JSON.stringify(sweepFile)};
    process.stdout.write(mkdtempSync(process.argv[1] + '/' + uploadFolderPrefix()));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [path] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return { child, path: String(path) };
}

describe('folders of uploads', () => {
  it('are removed once their process is dead, and not before', async () => {
    const { child, path } = await uploader();
    const own = mkdtempSync(join(folder, uploadFolderPrefix()));
    expect(basename(path)).toMatch(/^notifier-upload-/);
    expect(await sweepUploadFolders(Date.now(), folder)).toBe(0);
    expect([existsSync(path), existsSync(own)]).toEqual([true, true]);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(await sweepUploadFolders(Date.now(), folder)).toBe(1);
    expect([existsSync(path), existsSync(own)]).toEqual([false, true]);
  });

  it('of a process whose pid is in use again are removed too', async () => {
    const reused = uploadFolderPrefix().replace(/-(\d+)-$/, (_all, start) => `-${Number(start) - 1}-`);
    const path = make(`${reused}AbCdEf`);
    expect(await sweepUploadFolders(Date.now(), folder)).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['of another machine', 'notifier-upload-00000000-1-5-AbCdEf'],
    ['of an earlier version', 'notifier-upload-AbCdEf'],
  ])('%s are removed after an hour without a change', async (_name, name) => {
    const path = make(name);
    const nowMs = Date.now();
    age(path, nowMs - 3_500_000);
    expect(await sweepUploadFolders(nowMs, folder)).toBe(0);
    age(path, nowMs - 3_700_000);
    // A folder that is old itself, with a file that is being written.
    utimesSync(join(path, 'file-1'), nowMs / 1000, nowMs / 1000);
    expect(await sweepUploadFolders(nowMs, folder)).toBe(0);
    age(path, nowMs - 3_700_000);
    expect(await sweepUploadFolders(nowMs, folder)).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('are all that is removed: files, links and other names stay', async () => {
    const target = make('elsewhere');
    const nowMs = Date.now() + 10 * 3_600_000;
    symlinkSync(target, join(folder, 'notifier-upload-linked'));
    writeFileSync(join(folder, 'notifier-upload-file'), 'x');
    make('notifier-other-AbCdEf');
    const before = readdirSync(folder).sort();
    expect(await sweepUploadFolders(nowMs, folder)).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(readdirSync(target)).toEqual(['file-1']);
  });

  it('that cannot be listed do not stop the start', async () => {
    expect(await sweepUploadFolders(Date.now(), join(folder, 'nowhere'))).toBe(0);
  });
});
