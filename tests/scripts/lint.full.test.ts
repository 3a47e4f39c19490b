import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { houseRules } from '../../scripts/house-rules.ts';
import { inFull } from '../support/test-level.ts';

const repository = resolve(import.meta.dirname, '../..');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

/** A house of these files, with the linters' settings; every file begins with a line that is in use. */
function houseOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-house-'));
  folders.push(folder);
  for (const name of ['biome.json', 'knip.config.js', '.gitignore', 'tsconfig.json']) {
    copyFileSync(join(repository, name), join(folder, name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

interface Verdict {
  readonly code: number;
  readonly words: string;
}

function run(cwd: string, program: string, args: readonly string[]): Promise<Verdict> {
  return new Promise((done) => {
    const child = execFile(program, args, { cwd }, (_error, out, err) =>
      done({ code: child.exitCode ?? -1, words: out + err }),
    );
  });
}

const tools = {
  house: (folder: string) =>
    run(folder, process.execPath, [join(repository, 'scripts/check-house.ts'), folder]),
  biome: (folder: string) =>
    run(folder, join(repository, 'node_modules/.bin/biome'), ['lint', '--error-on-warnings', '.']),
  knip: (folder: string) => run(folder, join(repository, 'node_modules/.bin/knip'), []),
} as const;

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);
const importing = (...paths: string[]): string =>
  paths
    .map((path, index) => `import type { T${index} } from '${path}';\nexport type U${index} = T${index};\n`)
    .join('');
const exporting = (count = 2): string =>
  Array.from({ length: count }, (_, index) => `export type T${index} = ${index};\n`).join('');
const sound: Files = {
  'src/core/errors.ts': '// What goes wrong.\nexport function fail(): never {\n  throw new Error();\n}\n',
  'src/core/issues/life.ts':
    "// As src/core/errors.ts says.\nimport { fail } from '../errors.ts';\nexport const end = fail;\n",
  'src/cli.ts': '// The entry.\nexport {};\n',
  // A text is no arrow, whatever program stands in it.
  'schemas/page.ts':
    "export const page = {\n  text: `import { a } from './a.ts';\nimport { cli } from '../src/cli.ts';\n`,\n};\n",
};

const faults: ReadonlyArray<readonly [string, keyof typeof tools, Files, string]> = [
  [
    'an arrow that runs up, of types too',
    'house',
    { 'src/core/store/a.ts': importing('../issues/b.ts'), 'src/core/issues/b.ts': exporting() },
    'src/core/store/a.ts may not import src/core/issues/b.ts: see src/core/store in scripts/house-rules.ts.',
  ],
  [
    'an arrow that runs up, written as an import where it is used',
    'house',
    { 'schemas/a.ts': "export const b = () => import('../data/b.ts');\n", 'data/b.ts': exporting() },
    'schemas/a.ts may not import data/b.ts',
  ],
  [
    'a package where it may not be',
    'house',
    { 'src/core/issues/a.ts': "import express from 'express';\nexport const app = express();\n" },
    'src/core/issues/a.ts may not import express: see src/core/issues in scripts/house-rules.ts.',
  ],
  [
    'a room that the table does not know',
    'house',
    { 'src/attic/a.ts': exporting() },
    'src/attic/a.ts lies in no room of scripts/house-rules.ts.',
  ],
  [
    'a circle of folders',
    'house',
    {
      'src/http/api/a.ts': importing('./b/c.ts'),
      'src/http/api/b/c.ts': importing('../d.ts'),
      'src/http/api/d.ts': exporting(),
    },
    'Folders in a circle: src/http/api → src/http/api/b → src/http/api',
  ],
  [
    'a crowded folder',
    'house',
    Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`src/core/issues/a${index}.ts`, exporting()]),
    ),
    'src/core/issues holds 21 files: at most 20 lie in one folder.',
  ],
  [
    'a long file',
    'house',
    { 'src/core/issues/a.ts': lines(401, '//') },
    'src/core/issues/a.ts has 401 lines: a file has at most 400.',
  ],
  [
    'a body without braces on a line of its own',
    'house',
    { 'src/core/issues/a.ts': 'export function f(): void {\n  if (f.name)\n    f();\n}\n' },
    'src/core/issues/a.ts:2 wants braces',
  ],
  [
    'a chain where only some have braces',
    'house',
    {
      'src/core/issues/a.ts': 'export function f(): void {\n  if (f.name) f();\n  else {\n    f();\n  }\n}\n',
    },
    'src/core/issues/a.ts:3 wants braces',
  ],
  [
    'a comment that is too wide',
    'house',
    { 'src/core/issues/a.ts': `// ${'word '.repeat(21)}words\n` },
    'src/core/issues/a.ts:1 has 113 columns: a comment has 110.',
  ],
  [
    'a comment that names a file of another time',
    'house',
    { 'src/core/issues/a.ts': '// See issue-life.ts.\n' },
    'src/core/issues/a.ts speaks of issue-life.ts, which is not there.',
  ],
  [
    'a circle of two files, of types too',
    'biome',
    { 'src/core/a.ts': importing('./b.ts'), 'src/core/b.ts': `${importing('./a.ts')}${exporting()}` },
    'noImportCycles',
  ],
  [
    'a long function',
    'house',
    { 'src/core/issues/a.ts': `export function f(): void {\n${lines(59, '  f();')}}\n` },
    'src/core/issues/a.ts:1 begins a function of 61 lines: at most 60.',
  ],
  [
    'a long function without a name',
    'house',
    {
      'src/core/issues/a.ts': `export const f = {\n  async g(\n    a: number,\n  ): Promise<void> {\n${lines(57, '    //')}  },\n};\n`,
    },
    'src/core/issues/a.ts:2 begins a function of 61 lines: at most 60.',
  ],
  [
    'process.env elsewhere than where it is read',
    'biome',
    { 'src/core/a.ts': "export const port = process.env['PORT'];\n" },
    'noProcessEnv',
  ],
  [
    'a promise that floats',
    'biome',
    { 'src/core/a.ts': 'async function f(): Promise<void> {}\nexport function g(): void {\n  f();\n}\n' },
    'noFloatingPromises',
  ],
  [
    'an export that nobody imports',
    'knip',
    {
      'src/cli.ts': "import { used } from './core/a.ts';\nused();\n",
      'src/core/a.ts': 'export function used(): void {}\nexport function unused(): void {}\n',
    },
    'unused',
  ],
];

describe('H1: lint', () => {
  inFull(it)('finds nothing in a sound house', async () => {
    const folder = houseOf(sound);
    const verdicts = await Promise.all([tools.house(folder), tools.biome(folder)]);
    expect(verdicts.map(({ code, words }) => (code === 0 ? '' : words))).toEqual(['', '']);
  });

  inFull(it).each(faults)('names %s', async (_fault, tool, files, words) => {
    const verdict = await tools[tool](houseOf(files));
    expect(verdict.words).toContain(words);
    expect(verdict.code).toBe(1);
  });

  it('has a table of rooms and files that are there', () => {
    const named = Object.entries(houseRules).flatMap(([room, { from }]) => [room, ...from]);
    expect([...new Set(named)].filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });
});
