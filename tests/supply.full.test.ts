import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProgram } from './support/program.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { inFull } from './support/test-level.ts';
import { until } from './support/until.ts';

const repository = resolve(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(repository, name), 'utf8');
const run = promisify(execFile);
const allowed = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'MIT-0',
  'Unlicense',
]);

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
}

function shipped(): Array<readonly [name: string, licence: string]> {
  const packages: Record<string, Locked> = JSON.parse(read('package-lock.json')).packages;
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    .map(([path, { version, license }]) => [
      `${path.split('node_modules/').at(-1)}@${version}`,
      license ?? 'none named',
    ]);
}

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

describe('row 40: what comes with the program', () => {
  it('has a licence that is allowed, and the page names them all', () => {
    expect(shipped().length).toBeGreaterThan(20);
    expect(shipped().filter(([, licence]) => !allowed.has(licence))).toEqual([]);
    const page = read('CONTRIBUTING.md');
    expect([...allowed].filter((licence) => !page.includes(licence))).toEqual([]);
  });

  inFull(it)(
    'stands in the list that a build writes, each part with version, checksum and licence',
    async () => {
      mkdirSync(join(folder.path, 'dist'));
      mkdirSync(join(folder.path, 'scripts'));
      for (const name of ['package.json', 'package-lock.json', '.npmrc', 'scripts/sbom.ts']) {
        writeFileSync(join(folder.path, name), read(name));
      }
      await run('npm', ['run', '--silent', 'sbom'], { cwd: folder.path });
      const list = JSON.parse(readFileSync(join(folder.path, 'dist/sbom.cdx.json'), 'utf8'));
      expect([list.bomFormat, list.specVersion]).toEqual(['CycloneDX', '1.5']);
      const parts: Array<{ 'bom-ref': string; hashes?: unknown[]; licenses?: unknown[] }> = list.components;
      const named = new Set(parts.map((part) => part['bom-ref']));
      expect(shipped().filter(([name]) => !named.has(name))).toEqual([]);
      // What only the tools need is none of it.
      expect([...named].filter((name) => /^(jest|typescript|webpack)@/.test(name))).toEqual([]);
      const bare = parts.filter(
        ({ hashes = [], licenses = [] }) => hashes.length === 0 || licenses.length === 0,
      );
      expect(bare.map((part) => part['bom-ref'])).toEqual([]);
    },
  );
});

describe('the package', () => {
  inFull(it)('holds what it says, and runs where it is installed in an empty folder', async () => {
    // Packed from a copy: nothing is built into a clone that others are at work in.
    const copy = join(folder.path, 'copy');
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const sources = [
      'src',
      'routes',
      'schemas',
      'data/migrations',
      'scripts/build.ts',
      'scripts/sbom.ts',
      'tsconfig.json',
    ];
    const more = ['tsconfig.build.json', 'package.json', 'package-lock.json', '.npmrc', 'data'];
    for (const name of new Set([...files, ...sources, ...more])) {
      if (name === 'dist') continue;
      const filter = (path: string): boolean => !path.startsWith(join(repository, 'data/local'));
      cpSync(join(repository, name), join(copy, name), { recursive: true, filter });
    }
    symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
    const packed = await run('npm', ['pack', '--json'], { cwd: copy, maxBuffer: 1e8 });
    const told = packed.stdout.slice(packed.stdout.indexOf('[\n'));
    const [made] = JSON.parse(told) as [{ filename: string; files: Array<{ path: string }> }];
    const paths = made.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['dist/src/server.js', 'dist/src/cli.js', 'dist/sbom.cdx.json']),
    );
    expect(paths.filter((path) => /^(tests|src|data|scripts)\/|\.db$|^\.env$|\.test\./.test(path))).toEqual(
      [],
    );

    const empty = join(folder.path, 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--no-audit', '--ignore-scripts', join(copy, made.filename)], {
      cwd: empty,
    });
    const program = await startProgram(
      { DATABASE_URL: `sqlite:${empty}/n.db`, NOTIFIER_PUBLIC_KEY: 'pk_of_the_package', LOG_LEVEL: 'error' },
      { command: [join(empty, 'node_modules/.bin/notifier'), 'serve'], cwd: empty },
    );
    const sent = await fetch(`${program.origin}/wp-json/notifier/v1/store`, {
      method: 'POST',
      headers: { 'X-Notifier-Key': 'pk_of_the_package', 'Content-Type': 'application/json' },
      body: '{"message":"out of the box","platform":"node"}',
    });
    // It is built at the first look, by a thread whose program is in the package too.
    let shown = '';
    await until(
      async () => {
        const page = await fetch(`${program.origin}/demo`);
        shown = await page.text();
        return page.status === 200;
      },
      () => shown.slice(-2_000),
    );
    expect([sent.status, await program.end()]).toEqual([201, 0]);
  });
});
