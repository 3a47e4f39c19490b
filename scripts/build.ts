// `npm run build`: JavaScript for publishing and for npx, in dist/ or the folder that is named. Running from
// the repository needs none of it (D-03).
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
// What the program reads and the compiler leaves: migrations, dictionaries, and what browsers get.
for (const folder of ['data/migrations', 'src/core/events/dictionaries', 'src/pages/assets']) {
  cpSync(join(repository, folder), join(dist, folder), { recursive: true });
}
chmodSync(join(dist, 'src', 'cli.js'), 0o755);
process.stdout.write(`built ${relative(process.cwd(), dist)}/\n`);
