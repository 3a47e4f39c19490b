// Before the first test file of a fresh clone the program is compiled once. Every worker, and every program
// that tests start meanwhile, would else compile all of it at the same time.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Jest's global set-up. Where it fails nothing is lost but time. */
// biome-ignore lint/style/noDefaultExport: Jest's form.
export default function compileFirst(): void {
  const cache = process.env['NODE_COMPILE_CACHE'];
  if (cache === undefined || existsSync(cache)) return;
  const imports = ['serve.ts', 'layers/pages.ts'].map((name) => `import './src/program/${name}';`);
  spawnSync(process.execPath, ['--input-type=module', '--eval', imports.join('\n')], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: 'ignore',
  });
}
