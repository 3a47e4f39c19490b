import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { collectStartGarbage } from '../../src/app/v8-flags.ts';
import { startProgram } from '../support/program.ts';
import { inFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';

/** Keeps the newest 300,000 objects of three million, and prints the largest heap in bytes. */
const churn = `
  import { getHeapStatistics } from 'node:v8';
  const kept = [];
  let most = 0;
  for (let made = 0; made < 3_000_000; made += 1) {
    kept[made % 300_000] = { text: 'a text of which no other is the same: ' + made, list: [made, made, made] };
    if (made % 10_000 === 0) most = Math.max(most, getHeapStatistics().total_heap_size);
  }
  console.log(most);
`;

const churnBeside = `
  import { Worker } from 'node:worker_threads';
  const program = \`
    import { getHeapSpaceStatistics } from 'node:v8';
    const kept = [];
    let most = 0;
    for (let made = 0; made < 1_500_000; made += 1) {
      kept[made % 40_000] = { made, text: 'a text of which no other is the same: ' + made };
      if (made % 10_000 > 0) continue;
      const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
      most = Math.max(most, young.space_size);
    }
    console.log(most);
  \`;
  new Worker(program, { eval: true, resourceLimits: { maxYoungGenerationSizeMb: 24 } });
`;

const root = join(import.meta.dirname, '..', '..');
/** What the entry of the server sets, alone. */
const flags =
  readFileSync(join(root, 'src/app/v8-flags.ts'), 'utf8').match(/^\s*v8\.setFlagsFromString\(.*\);$/gm) ?? [];
const settings = `import v8 from 'node:v8';${flags.join('')}`;
const heapGrowth = [`--import=data:text/javascript,${encodeURIComponent(settings)}`];

function printedBy(program: string, ...first: string[]): number {
  const all = ['--max-semi-space-size=16', ...first, '--input-type=module', '--eval', program];
  return Number(execFileSync(process.execPath, all, { encoding: 'utf8' }));
}

function largestHeap(...first: string[]): number {
  // By one thread, or what is held depends on how far those beside have come.
  return printedBy(churn, '--single-threaded', ...first);
}

describe('The heap of the server', () => {
  inFull(it)('keeps less garbage than with the defaults of V8', () => {
    const leftAlone = largestHeap();
    const bounded = largestHeap(...heapGrowth);
    expect(leftAlone).toBeGreaterThan(0);
    expect(bounded / leftAlone).toBeLessThan(0.7);
  });

  it('is limited by the start', async () => {
    const listens = `import v8 from 'node:v8';
      import { syncBuiltinESMExports } from 'node:module';
      const set = v8.setFlagsFromString;
      v8.setFlagsFromString = (flag) => void process.stderr.write(flag) || set(flag);
      syncBuiltinESMExports();`;
    const program = await startProgram({
      DATABASE_URL: 'sqlite::memory:',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listens)}`,
    });
    await until(() => program.errors().includes('--expose-gc'));
    expect(await program.end()).toBe(0);
    expect(program.errors()).toContain('--heap-growing-percent=');
    expect(program.errors()).toContain('--max-semi-space-size=0');
  });

  it('gives back what only the start needed', async () => {
    const kept = { garbage: new WeakRef(Array.from({ length: 100_000 }, (_, index) => ({ index }))) };
    await new Promise(setImmediate);
    collectStartGarbage();
    expect(kept.garbage.deref()).toBeUndefined();
  });
});

describe('The V8 flags', () => {
  it('are the same wherever the server is started', () => {
    const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: { start: string } };
    const words = scripts.start.split(' ').filter((word) => word.startsWith('--') && word !== '--import');
    expect(words).toContain('--no-maglev');
    for (const file of ['deploy/notifier.service', 'deploy/Dockerfile']) {
      const said = textOf(file).split(/[\s",]+/);
      expect({ file, missing: words.filter((word) => !said.includes(word)) }).toEqual({ file, missing: [] });
    }
  });
});

describe('The heap of a worker thread', () => {
  it('has its own young generation size, whatever the main thread has', () => {
    const mebibyte = 2 ** 20;
    expect(printedBy(churnBeside) / mebibyte).toBeGreaterThan(24);
    expect(printedBy(churnBeside, ...heapGrowth) / mebibyte).toBeLessThanOrEqual(24);
  });

  it('is sized by the one module that starts workers', () => {
    const starts = globSync('{src,data,routes}/**/*.ts', { cwd: root })
      .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
      .filter(({ text }) => text.includes('new Worker('));
    expect(starts.map(({ file }) => file)).toEqual(['src/workers/start-worker.ts']);
    expect(starts[0]?.text).toMatch(/maxYoungGenerationSizeMb: number/);
  });
});
