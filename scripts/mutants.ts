// `npm run mutants`: mutation testing. Makes random small changes in a copy of HEAD, and lists those that no
// test of `npm test` notices.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AnyNode, type Node, parse } from 'acorn';
import { full } from 'acorn-walk';

const usage = 'Usage: npm run mutants -- [--count 60] [--seed 1] [--in src/core/grouping]\n';
const repository = resolve(import.meta.dirname, '..');
/** A test that blocks for this much CPU time is ended: the mutant loops. */
const busySecondsMax = '15';
/** Limit for tests that wait forever. */
const testTimeoutMs = 30_000;
/** Related test files first: three, then twelve, then the rest. */
const stages = [3, 12];

const jest = [
  '--max-semi-space-size=32',
  '--import',
  './src/require-node.js',
  'node_modules/jest/bin/jest.js',
];

/** Test files run without a mutant, and whether they passed. */
const sound = new Map<string, boolean>();

interface Mutant {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

const operators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>'],
  '<=': ['<', '>'],
  '>': ['>=', '<'],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
};

/** Code that only `npm run test:full` runs. */
const isElsewhere = /^src\/redis\/|^data\/drivers\/(?:postgres|silence)|^src\/(?:server|cli)\.ts$/;
/** Numbers without a promised value: times, which tests hand in, cache and batch sizes. */
const isFree =
  /Ms(?:Max|Min)?$|^(?:remembered|cache)\w*Max$|^slice(?:Rows|BytesMax|Keys|Events|Issues)$|[aA]tOnce$/;
/** Invented numbers of the demo are not mutated; its conditions are. */
const isStory = /^src\/demo\//;
/** Compares every row of the demo, which a worker builds. */
const demoTest = 'tests/demo/file.test.ts';

const { values: asked } = parseArgs({
  options: {
    count: { type: 'string' },
    seed: { type: 'string' },
    in: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (asked.help === true) process.stdout.write(usage);
else process.exitCode = run(Number(asked.count ?? 60), Number(asked.seed ?? 1), asked.in ?? '');

function run(count: number, seed: number, within: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-mutants-'));
  try {
    command('git', ['clone', '--quiet', '--shared', repository, folder], repository);
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
    const mutants = chosen(filesOf(folder, within), folder, count, seed);
    const survivors = mutants.filter((mutant, index) => {
      const killer = killerOf(mutant, folder);
      const result = killer === null ? 'SURVIVED' : `killed by ${killer}:`;
      process.stdout.write(`${index + 1}/${mutants.length} ${result} ${shown(mutant, folder)}\n`);
      return killer === null;
    });
    const killed = mutants.length - survivors.length;
    process.stdout.write(`${killed} of ${mutants.length} killed (seed ${seed})\n`);
    return survivors.length * 10 <= mutants.length ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function command(program: string, words: readonly string[], cwd: string): SpawnSyncReturns<string> {
  // biome-ignore lint/style/noProcessEnv: what the machine says is handed on.
  const env = { ...process.env, TEST_BUSY_SECONDS_MAX: busySecondsMax };
  return spawnSync(program, words, { cwd, env, encoding: 'utf8', maxBuffer: 1e9 });
}

/** By folder, so that a large folder does not get all mutants. */
function filesOf(folder: string, within: string): Map<string, string[]> {
  const { stdout } = command('git', ['ls-files', 'src', 'data', 'routes', 'schemas'], folder);
  const paths = stdout
    .split('\n')
    .filter((path) => path.endsWith('.ts') && path.startsWith(within) && !isElsewhere.test(path));
  return Map.groupBy(paths, (path) =>
    path
      .split('/')
      .slice(0, path.startsWith('src/') ? 2 : 1)
      .join('/'),
  );
}

function chosen(layers: Map<string, string[]>, folder: string, count: number, seed: number): Mutant[] {
  const draw = drawFrom(seed);
  const found: Mutant[] = [];
  const names = [...layers.keys()];
  for (let tries = 0; found.length < count && tries < 100 * count; tries += 1) {
    const paths = layers.get(names[draw(names.length)] ?? '') ?? [];
    const path = paths[draw(paths.length)] ?? '';
    const all = mutantsOf(path, readFileSync(join(folder, path), 'utf8'));
    const mutant = all[draw(Math.max(1, all.length))];
    if (mutant !== undefined && !found.some((each) => each.path === path)) found.push(mutant);
  }
  return found;
}

function drawFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutantsOf(path: string, text: string): Mutant[] {
  const found: Mutant[] = [];
  // Type stripping keeps offsets.
  const tree = parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module' });
  const add = ({ start, end }: { start: number; end: number }, instead: string): void => {
    found.push({ path, start, end, instead });
  };
  const free = new Set<Node>();
  full(tree, (each) => {
    const node = each as AnyNode;
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && isFree.test(node.id.name)) {
      if (node.init) full(node.init, (inner) => void free.add(inner));
    }
  });
  full(tree, (each) => {
    const node = each as AnyNode;
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const between = { start: node.left.end, end: node.right.start };
      const operator = text.slice(between.start, between.end);
      for (const instead of operators[node.operator] ?? []) {
        if (isStory.test(path) && /[-+*/%]/.test(node.operator)) continue;
        // String concatenation.
        if (node.operator === '+' && /['"`]/.test(text.slice(node.start, node.end))) continue;
        add(between, operator.replace(node.operator, instead));
      }
    } else if (node.type === 'Literal' && typeof node.value === 'number') {
      if (free.has(node) || isStory.test(path)) return;
      add(node, String(node.value <= 10 ? node.value + 1 : Math.floor(node.value / 2)));
    } else if (node.type === 'Literal' && typeof node.value === 'boolean') {
      add(node, String(!node.value));
    } else if (node.type === 'IfStatement') {
      add(node.test, 'false');
    } else if (node.type === 'UnaryExpression' && node.operator === '!') {
      add({ start: node.start, end: node.start + 1 }, ' ');
    }
  });
  return found;
}

/** The test file that fails only with the mutant; null if none does. */
function killerOf({ path, start, end, instead }: Mutant, folder: string): string | null {
  const file = join(folder, path);
  const text = readFileSync(file, 'utf8');
  const left = nearestFirst(path, folder);
  for (const size of [...stages, left.length]) {
    for (let tests = left.splice(0, size); tests.length > 0; ) {
      writeFileSync(file, text.slice(0, start) + instead + text.slice(end));
      const killer = failing(tests, folder);
      writeFileSync(file, text);
      if (killer === null) break;
      if (isSound(killer, folder)) return killer;
      tests = tests.filter((test) => test !== killer);
    }
  }
  return null;
}

function isSound(test: string, folder: string): boolean {
  const known = sound.get(test) ?? failing([test], folder) === null;
  if (!known) process.stdout.write(`${test} fails without a mutant; it is left out\n`);
  sound.set(test, known);
  return known;
}

/** Tests that load the file: direct importers first, then by similar path. */
function nearestFirst(path: string, folder: string): string[] {
  const related = (files: readonly string[]): string[] =>
    command(process.execPath, [...jest, '--findRelatedTests', ...files, '--listTests'], folder)
      .stdout.split('\n')
      .filter((line) => line.endsWith('.test.ts'));
  const name = `/${path.split('/').at(-1)}'`;
  const imported = related([path]);
  // A worker is started by its address: the tests are those of the files beside it.
  const beside = command('git', ['ls-files', join(path, '..')], folder)
    .stdout.trim()
    .split('\n');
  const tests = new Set(imported.length > 0 ? imported : related(beside));
  if (isStory.test(path)) tests.add(join(folder, demoTest));
  const ranked = [...tests].map((absolute) => {
    const text = readFileSync(absolute, 'utf8');
    const test = absolute.slice(folder.length + 1);
    return { test, near: nearness(test, path) + (text.includes(name) ? 100 : 0), size: text.length };
  });
  return ranked
    .sort((one, other) => other.near - one.near || one.size - other.size)
    .map(({ test }) => test)
    .filter((test) => sound.get(test) !== false);
}

function failing(tests: readonly string[], folder: string): string | null {
  // The demo's database of another mutant.
  rmSync(join(folder, 'node_modules/.cache/notifier-tests-demo'), { recursive: true, force: true });
  // Starting workers does not pay for a few files.
  const workers = tests.length <= 3 ? '--runInBand' : '--maxWorkers=2';
  const words = [...jest, '--bail', '--silent', workers, `--testTimeout=${testTimeoutMs}`];
  const { status, stderr } = command(process.execPath, [...words, '--runTestsByPath', ...tests], folder);
  return status === 0 ? null : (/^FAIL (\S+)/m.exec(stderr)?.[1] ?? tests[0] ?? 'a test');
}

function nearness(test: string, path: string): number {
  const words = new Set(path.replace(/\.ts$/, '').split(/[/-]/));
  return test
    .replace(/\.test\.ts$/, '')
    .split(/[/-]/)
    .filter((word) => words.has(word)).length;
}

/** Formats a mutant as a one-line diff. */
function shown({ path, start, end, instead }: Mutant, folder: string): string {
  const text = readFileSync(join(folder, path), 'utf8');
  const line = text.slice(0, start).split('\n').length;
  const [from, to] = [text.lastIndexOf('\n', start) + 1, text.indexOf('\n', end)];
  const changed = `${text.slice(from, start)}[-${text.slice(start, end)}-]{+${instead}+}${text.slice(end, to)}`;
  return `${path}:${line} ${changed.trim().replaceAll(/\s+/g, ' ')}`;
}
