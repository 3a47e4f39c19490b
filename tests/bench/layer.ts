// What it costs that Express mounts the API: /store as one layer of an Express app beside the same /store
// asked directly, in pairs, each pair the other way round than the one before. Requests a second are what
// counts; the processor's time for a request says the same where others use the machine too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeRequestBytes } from './event.ts';
import { load } from './load.ts';
import { type BenchServer, startServer } from './servers.ts';

/** The layer may cost 3 %. */
export const layerRatioMin = 0.97;
const pairs = 41;
const roundMs = 400;
const warmUpMs = 3_000;
const connections = 32;

/** With the layer by without, pair by pair: more than 1 is better with it. */
export interface LayerCost {
  readonly rates: readonly number[];
  readonly processorTimes: readonly number[];
}

interface Measured {
  readonly perSecond: number;
  /** Requests to a tick of the processor. */
  readonly perTick: number;
}

/** Runs the pairs; `progress` is told of each. */
export async function layerCost(progress: (line: string) => void): Promise<LayerCost> {
  const script = join(import.meta.dirname, 'layered-store.ts');
  const direct = await startServer(script, { LAYER: 'none' });
  try {
    const layered = await startServer(script);
    try {
      return await compare(direct, layered, progress);
    } finally {
      await layered.stop();
    }
  } finally {
    await direct.stop();
  }
}

async function compare(
  direct: BenchServer,
  layered: BenchServer,
  progress: (line: string) => void,
): Promise<LayerCost> {
  const rates: number[] = [];
  const processorTimes: number[] = [];
  for (const each of [direct, layered]) await measure(each, warmUpMs);
  for (let pair = 1; pair <= pairs; pair += 1) {
    const isDirectFirst = pair % 2 === 0;
    const first = await measure(isDirectFirst ? direct : layered, roundMs);
    const second = await measure(isDirectFirst ? layered : direct, roundMs);
    const [without, within] = isDirectFirst ? [first, second] : [second, first];
    rates.push(within.perSecond / without.perSecond);
    processorTimes.push(within.perTick / without.perTick);
    const shown = `${without.perSecond.toFixed(0)} directly, ${within.perSecond.toFixed(0)} as a layer`;
    progress(`pair ${pair} of ${pairs}  ${shown} requests/s`);
  }
  return { rates, processorTimes };
}

let serial = 0;

async function measure({ port, process: { pid = 0 } }: BenchServer, milliseconds: number): Promise<Measured> {
  const ticksBefore = ticksOf(pid);
  const { requests, perSecond } = await load(port, () => storeRequestBytes(serial++), {
    connections,
    milliseconds,
  });
  return { perSecond, perTick: requests / (ticksOf(pid) - ticksBefore) };
}

/** The processor's time that a process took, of user and system: fields 14 and 15 of its `stat`. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return Number.NaN;
  }
}
