// `npm run build`: compiles to dist/ or the given folder, for publishing.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const repository = join(import.meta.dirname, '..');
const dist = resolve(process.argv[2] ?? join(repository, 'dist'));

rmSync(dist, { recursive: true, force: true });
const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
const compiled = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', dist], {
  cwd: repository,
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
for (const folder of [
  'data/migrations',
  'src/core/events/dictionaries',
  'src/web/assets',
  'routes/openapi/examples.json',
]) {
  cpSync(join(repository, folder), join(dist, folder), { recursive: true });
}
chmodSync(join(dist, 'src', 'cli.js'), 0o755);
process.stdout.write(`built ${relative(process.cwd(), dist)}/\n`);
