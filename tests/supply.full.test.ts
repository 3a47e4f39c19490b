import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from './support/temporary-folder.ts';
import { inFull } from './support/test-level.ts';

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

describe('packages shipped with the product', () => {
  it('have an allowed licence, and the page names them all', () => {
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
