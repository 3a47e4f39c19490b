// A machine with Node and npm alone: what cannot run there is left out, loudly, and nothing else is.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { programPath } from './needs.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { inFull } from './test-level.ts';

const repository = join(import.meta.dirname, '../..');

/** Runs one file as a test file, as `npm test` would. */
function runJest(file: string, env: Record<string, string> = {}): { code: number | null; said: string } {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const jest = ['node_modules/jest/bin/jest.js', '--testMatch', `**/${file}`];
  const run = spawnSync(process.execPath, jest, {
    cwd: repository,
    encoding: 'utf8',
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
  });
  return { code: run.status, said: run.stdout + run.stderr };
}

describe('G10: a test file whose programs are all missing', () => {
  inFull(it)('is left out, says so, and fails nothing', () => {
    const { code, said } = runJest('tests/fixtures/bare/needs-a-program.ts', { TEST_LEVEL: 'full' });
    expect(said).toContain('SKIPPED: a program: no-such-program not installed');
    expect(said).toContain('SKIPPED: a sample: ../shared/no-such-sample is not here');
    expect(said).toContain('Tests:       2 skipped, 2 total');
    expect(code).toBe(0);
  });

  inFull(it)('fails under TEST_REQUIRE=programs', () => {
    const { code, said } = runJest('tests/fixtures/bare/needs-a-program.ts', {
      TEST_LEVEL: 'full',
      TEST_REQUIRE: 'programs',
    });
    expect(said).toContain('a program needs no-such-program, and TEST_REQUIRE=programs');
    expect(code).toBe(1);
  });

  inFull(it)('is not mistaken for one that holds no test', () => {
    const { code, said } = runJest('tests/fixtures/bare/no-test.ts');
    expect(said).toContain('must contain at least one test');
    expect(code).toBe(1);
  });
});

describe('npm test', () => {
  inFull(it)('leaves out what needs more than Node, installed or not', () => {
    const { code, said } = runJest('tests/fixtures/bare/needs-a-program.ts', { TEST_REQUIRE: 'programs' });
    expect(said).toContain('Tests:       2 skipped, 2 total');
    expect(said).toContain('npm run test:full');
    expect(code).toBe(0);
  });

  inFull(it)('ends a test that loops for ever, and says which', () => {
    const { code, said } = runJest('tests/fixtures/bare/loops.ts', { TEST_BUSY_SECONDS_MAX: '1' });
    expect(said).toMatch(/ENDED: it did not turn for 1 s of processor time: \S+loops.ts: never ends/);
    expect(code).not.toBe(0);
  });
});

describe('G10: a program', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const { PATH } = process.env;
  afterEach(() => {
    process.env['PATH'] = PATH;
  });

  it('is looked for on PATH alone where PATH leaves the system’s folders out', () => {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    process.env['PATH'] = bin;
    expect(programPath('node')).toBe(join(bin, 'node'));
    // Debian keeps these off PATH, and they are found there where the machine has them.
    for (const program of ['nginx', 'initdb', 'postgres', 'php', 'ls']) {
      expect(programPath(program)).toBeNull();
    }
  });

  it('is a file that may be run', () => {
    writeFileSync(join(folder.path, 'a-text'), '', { mode: 0o600 });
    mkdirSync(join(folder.path, 'a-folder'));
    process.env['PATH'] = folder.path;
    expect([programPath('a-text'), programPath('a-folder')]).toEqual([null, null]);
  });
});
