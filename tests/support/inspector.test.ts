// Each thread has a heap of its own, and is asked by itself.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askThreads } from './inspector.ts';
import { type SpawnedProgram, spawnProgram } from './program.ts';

/** A thread that leaves garbage behind and then has nothing to do, as one between two heavy bodies. */
const thread = `
  const { parentPort } = require('node:worker_threads');
  globalThis.garbage = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
  globalThis.garbage = null;
  parentPort.postMessage('ready');
  parentPort.on('message', () => {});`;
const main = `
  const { Worker } = require('node:worker_threads');
  new Worker(${JSON.stringify(thread)}, { eval: true }).once('message', () => console.log('ready'));`;

describe('the threads of a program', () => {
  let program: SpawnedProgram;
  let address = '';
  beforeAll(async () => {
    program = spawnProgram({}, { command: [process.execPath, '--inspect=127.0.0.1:0', '-e', main] });
    await program.says(/ready/);
    address = /Debugger listening on (ws:\S+)/.exec(program.errors())?.[1] ?? '';
  });
  afterAll(async () => {
    program.process.kill();
    await program.ended;
  });

  const usedMegabytes = async (): Promise<number[]> => {
    const options = { expression: 'process.memoryUsage().heapUsed / 1e6', returnByValue: true };
    const said = await askThreads(address, 'Runtime.evaluate', options);
    return said.map((one) => (one as { result: { value: number } }).result.value);
  };

  it('have the garbage collected that lies in each', async () => {
    const [, before = 0] = await usedMegabytes();
    expect(before).toBeGreaterThan(20);
    expect(await askThreads(address, 'HeapProfiler.collectGarbage')).toEqual([{}, {}]);
    const after = await usedMegabytes();
    expect(after).toHaveLength(2);
    expect(after[1]).toBeLessThan(10);
  });

  it('are not asked what none of them knows', async () => {
    await expect(askThreads(address, 'HeapProfiler.noSuchThing')).rejects.toThrow(/wasn't found/);
    await expect(askThreads('ws://127.0.0.1:1/x', 'Runtime.evaluate')).rejects.toThrow('does not answer');
  });
});
