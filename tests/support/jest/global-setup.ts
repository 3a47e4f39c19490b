import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { level } from '../test-level.ts';

const kept = globalThis as { notifierEndPostgres?: () => Promise<void> };

// biome-ignore lint/style/noDefaultExport: Jest's form.
export default async function setUp(): Promise<void> {
  compileFirst();
  if (level === 'short') return;
  const { startRunsPostgres } = await import('../../data/support/postgres.ts');
  kept.notifierEndPostgres = await startRunsPostgres();
}

/** Called by Jest's global teardown, in the same process. */
export async function tearDown(): Promise<void> {
  await kept.notifierEndPostgres?.();
}

/** Fills an empty compile cache once; otherwise all workers, threads and programs compile everything in parallel. */
function compileFirst(): void {
  const cache = getCompileCacheDir();
  if (cache === undefined || readdirSync(cache).length > 0) return;
  const imports = ['app/serve', 'app/layers/pages', 'cli/run'].map((name) => `import './src/${name}.ts';`);
  spawnSync(process.execPath, ['--input-type=module', '--eval', imports.join('\n')], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: 'ignore',
  });
}
