// `npm run build`: compiles to dist/ or the given folder, for publishing.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const repository = join(import.meta.dirname, '..');
const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
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
  'routes/openapi/examples.json',
  'src/bin',
  'src/core/events/dictionaries',
  'src/web/assets',
]) {
  cpSync(join(repository, folder), join(dist, folder), { recursive: true });
}
for (const name of ['notifier.cjs', 'notifierd.cjs']) chmodSync(join(dist, 'src', 'bin', name), 0o755);
removeTypes();
process.stdout.write(`built ${relative(process.cwd(), dist)}/\n`);

/** Keeps the declarations that those of the package's export are made of, and no modules of nothing but types. */
function removeTypes(): void {
  const kept = new Set<string>();
  const keep = (path: string): void => {
    if (kept.has(path) || !existsSync(path)) return;
    kept.add(path);
    for (const name of importsOf(path)) keep(name.replace(/\.[jt]s$/, '.d.ts'));
  };
  keep(join(dist, 'src/index.d.ts'));
  for (const path of globSync(join(dist, '**/*.d.{ts,cts}'))) if (!kept.has(path)) rmSync(path);
  const modules = globSync(join(dist, '**/*.js'));
  const imported = new Set(modules.flatMap(importsOf));
  for (const path of modules) {
    const isEmpty = /^export \{\};?$/.test(readFileSync(path, 'utf8').replaceAll(comments, '').trim());
    if (isEmpty && !imported.has(path))
      for (const each of [path, `${path}.map`]) rmSync(each, { force: true });
  }
}

function importsOf(path: string): string[] {
  const found = readFileSync(path, 'utf8').matchAll(/(?:from |import |import\()'(\.[^']+)'/g);
  return [...found].map(([, name = '']) => join(dirname(path), name));
}
