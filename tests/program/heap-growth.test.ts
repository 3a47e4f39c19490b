// How far the heap grows beyond what is kept: with and without what src/heap-growth.js says to V8.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { inLong } from '../support/long-or-short.ts';
import { startProgram } from '../support/program.ts';

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

function largestHeap(...first: string[]): number {
  // By one thread, or what is held depends on how far those beside have come.
  const flags = ['--single-threaded', '--max-semi-space-size=16', ...first, '--input-type=module'];
  return Number(execFileSync(process.execPath, [...flags, '--eval', churn], { encoding: 'utf8' }));
}

describe('The heap of the server', () => {
  inLong(it)('holds less of what nobody needs than V8 lets it by itself', () => {
    const leftAlone = largestHeap();
    const bounded = largestHeap('--import', join(import.meta.dirname, '..', '..', 'src', 'heap-growth.js'));
    expect(leftAlone).toBeGreaterThan(0);
    expect(bounded / leftAlone).toBeLessThan(0.7);
  });

  it('is told so by the start', async () => {
    const listens = `import v8 from 'node:v8';
      import { syncBuiltinESMExports } from 'node:module';
      v8.setFlagsFromString = (flag) => process.stderr.write(flag);
      syncBuiltinESMExports();`;
    const program = await startProgram({
      DATABASE_URL: 'sqlite::memory:',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listens)}`,
    });
    expect(await program.end()).toBe(0);
    expect(program.errors()).toContain('--heap-growing-percent=');
  });
});
