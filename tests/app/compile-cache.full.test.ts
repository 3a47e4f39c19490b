import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Run in the program: at its end it says whether Node loaded what takes the types away. */
const sayCompiler = `process.on('exit', () => {
  const isLoaded = process.moduleLoadList.some((name) => name.includes('deps/amaro'));
  process.stderr.write(isLoaded ? 'compiler\\n' : 'no compiler\\n');
})`;
const programRoot = join(import.meta.dirname, '..', '..');
const kept = join(programRoot, 'node_modules', '.cache', 'notifier');

describe('the compile cache of a start', () => {
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

  it('is all that the next start from the sources needs: no compiler of TypeScript is loaded', () => {
    const { NODE_COMPILE_CACHE: _elsewhere, ...env } = process.env;
    const { scripts } = JSON.parse(readFileSync(join(programRoot, 'package.json'), 'utf8'));
    const script: string = scripts.notifier.replace(
      /^exec node /,
      `"${process.execPath}" --import "data:text/javascript,${encodeURIComponent(sayCompiler)}" `,
    );
    const started = (extra: Record<string, string> = {}) =>
      spawnSync(`${script} --help`, {
        cwd: programRoot,
        env: { ...env, ...extra },
        shell: true,
        encoding: 'utf8',
      });
    started();
    const { status, stderr } = started();
    // The control: a Node that calls its compiler something else would always say that there is none.
    expect(started({ NODE_DISABLE_COMPILE_CACHE: '1' }).stderr).toBe('compiler\n');
    expect([status, stderr]).toEqual([0, 'no compiler\n']);
  });
});
