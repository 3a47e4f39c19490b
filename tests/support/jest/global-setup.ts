// What a run of Jest has once, before its first test file.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isFull } from '../test-level.ts';

const kept = globalThis as { notifierEndPostgres?: () => Promise<void> };

/** Jest's global set-up. */
// biome-ignore lint/style/noDefaultExport: Jest's form.
export default async function setUp(): Promise<void> {
  compileFirst();
  if (!isFull) return;
  const { startRunsPostgres } = await import('../../data/support/postgres.ts');
  kept.notifierEndPostgres = await startRunsPostgres();
}

/** Ends what the set-up started: called by Jest's global tear-down, in the same process. */
export async function tearDown(): Promise<void> {
  await kept.notifierEndPostgres?.();
}

/**
 * Before the first run of a fresh clone the program is compiled once. Every worker, and every program that
 * tests start meanwhile, would else compile all of it at the same time. Where it fails only time is lost.
 */
function compileFirst(): void {
  const cache = process.env['NODE_COMPILE_CACHE'];
  if (cache === undefined || existsSync(cache)) return;
  const imports = ['serve.ts', 'layers/pages.ts'].map((name) => `import './src/program/${name}';`);
  spawnSync(process.execPath, ['--input-type=module', '--eval', imports.join('\n')], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: 'ignore',
  });
}
