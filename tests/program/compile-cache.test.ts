// What a start compiled is there for the next one, beside the packages and nowhere else.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const programRoot = join(import.meta.dirname, '..', '..');
const kept = join(programRoot, 'node_modules', '.cache', 'notifier');

describe('what a start compiled', () => {
  it.each([
    ['is kept for the next', {}, true],
    ['is not kept where Node is told so', { NODE_DISABLE_COMPILE_CACHE: '1' }, false],
  ])('%s', (_name, extra, isKept) => {
    const { NODE_COMPILE_CACHE: _elsewhere, ...env } = process.env;
    const code = `import './src/compile-cache.js';
      import { getCompileCacheDir } from 'node:module';
      process.stdout.write(getCompileCacheDir() ?? 'none');`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: programRoot,
      env: { ...env, ...extra },
      encoding: 'utf8',
    });
    expect([status, stdout.startsWith(kept)]).toEqual([0, isKept]);
  });
});
