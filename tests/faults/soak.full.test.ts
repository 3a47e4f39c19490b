import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCollectedProgram, type ThreadHeap } from '../support/collected-program.ts';
import { saidTurns } from '../support/loop-turns.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull, isNightly } from '../support/test-level.ts';
import { until } from '../support/until.ts';
import { mischief } from './flood/bad-requests.ts';
import { floodBeside, key, settings } from './flood/beside.ts';

const rounds = isNightly ? 24 : 2;
const roundMs = isNightly ? 5_000 : 3_000;
/** Each, of warming up, of its capacity, and of half of that without faults. */
const phaseMs = isNightly ? 2_000 : 1_000;
/** Of what the server can do: a machine that has other things to do must keep up with it too. */
const share = 0.2;
const seed = isNightly ? Date.now() % 1_000_000 : 20_261_123;
const garbageTooMiBMax = 512;

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

function randomOf(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What a rise is a rise of: `44/48` MiB used and had by the heap of each thread, the main one first. */
const saidHeaps = (heaps: readonly ThreadHeap[]): string =>
  heaps.map(({ used, total }) => `${used.toFixed(0)}/${total.toFixed(0)}`).join(' ');

const average = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

// It gains by its length alone: what its faults do one by one has tests of its own.
const describeLong = process.platform === 'linux' ? inFull(describe) : describe.skip;

describeLong('a server at work', () => {
  it(`for ${(rounds * roundMs) / 1_000} s of random faults keeps what it accepted, and does not grow`, async () => {
    const file = join(folder.path, 'soak.db');
    const program = await startCollectedProgram(settings(file));
    const flood = floodBeside(program, file, null);
    const place = { port: Number(new URL(program.origin).port), key, file, random: randomOf(seed) };
    const work = { connections: 16, largeEvery: 100 };
    await flood.run({ ...work, perSecond: null, milliseconds: phaseMs });
    const { acceptedInTime } = await flood.run({ ...work, perSecond: null, milliseconds: phaseMs });
    const capacityPerSecond = (acceptedInTime * 1_000) / phaseMs;
    const perSecond = Math.ceil(share * capacityPerSecond);
    const calm = await flood.run({
      ...work,
      perSecond: Math.ceil(capacityPerSecond / 2),
      milliseconds: phaseMs,
    });
    const kinds = Object.values(mischief);
    for (const each of kinds) await each(place);
    await program.collectGarbage();
    const filesBefore = flood.openFiles();

    const [memory, statuses] = [[] as number[], {} as Record<string, number>];
    const heaps: string[] = [];
    let most = 0;
    for (let round = 0; round < rounds; round += 1) {
      let isOver = false;
      const running = flood.run({ ...work, perSecond, milliseconds: roundMs }).finally(() => {
        isOver = true;
      });
      while (!isOver) await kinds[Math.floor(place.random() * kinds.length)]?.(place);
      const ran = await running;
      most = Math.max(most, ran.residentMegabytesMax);
      for (const [status, count] of Object.entries(ran.statuses)) {
        statuses[status] = (statuses[status] ?? 0) + count;
      }
      await until(() => flood.openFiles() <= filesBefore + 2);
      await program.collectGarbage();
      memory.push(flood.memory());
      heaps.push(saidHeaps(await program.heaps()));
    }
    flood.end();
    expect(await program.end()).toBe(0);
    const ledger = flood.ledger();
    const third = Math.ceil(rounds / 3);
    const grown = average(memory.slice(-third)) - average(memory.slice(0, third));
    process.stderr.write(
      `F20: seed ${seed}, ${rounds} rounds at ${perSecond}/s beside random faults: ${JSON.stringify(statuses)}, memory ${memory.map((each) => each.toFixed(0)).join(' ')} MiB (grown by ${grown.toFixed(0)}; heaps ${heaps[0]}, then ${heaps.at(-1)}), with what was not yet collected ${most.toFixed(0)} at most, ` +
        `${filesBefore} open files before and after, ${saidTurns(calm.turns)} at half of its capacity without faults, ${ledger.lost} of ${ledger.accepted} accepted lost\n`,
    );
    expect(Object.keys(statuses).filter((status) => !['201', '429'].includes(status))).toEqual([]);
    expect(ledger).toEqual({ ...ledger, lost: 0, counted: ledger.stored });
    // Of a few rounds the first ones still warm up.
    if (isNightly) expect(grown).toBeLessThan(24);
    expect(most).toBeLessThan(garbageTooMiBMax);
  });
});
