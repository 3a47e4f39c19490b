// What it costs that Express mounts the API: /store as one layer of an Express app beside the same /store
// asked directly, in pairs, each pair the other way round than the one before. Requests a second are what
// counts; the processor's time for a request says the same where others use the machine too.
import { join } from 'node:path';
import { type Generator, startGenerator } from './load/generator.ts';
import { localTarget } from './load/job.ts';
import { type BenchServer, benchKey, startServer } from './servers.ts';

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
  /** Requests to a millisecond of the processor. */
  readonly perProcessorMs: number;
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
  const generator = startGenerator();
  for (const each of [direct, layered]) await measure(generator, each, warmUpMs);
  for (let pair = 1; pair <= pairs; pair += 1) {
    const isDirectFirst = pair % 2 === 0;
    const first = await measure(generator, isDirectFirst ? direct : layered, roundMs);
    const second = await measure(generator, isDirectFirst ? layered : direct, roundMs);
    const [without, within] = isDirectFirst ? [first, second] : [second, first];
    rates.push(within.perSecond / without.perSecond);
    processorTimes.push(within.perProcessorMs / without.perProcessorMs);
    const shown = `${without.perSecond.toFixed(0)} directly, ${within.perSecond.toFixed(0)} as a layer`;
    progress(`pair ${pair} of ${pairs}  ${shown} requests/s`);
  }
  generator.stop();
  return { rates, processorTimes };
}

async function measure(generator: Generator, server: BenchServer, milliseconds: number): Promise<Measured> {
  const usedBefore = server.processorMs();
  const { requests, perSecond } = await generator.run({
    target: localTarget(server.port, benchKey),
    requests: { route: 'store', encoding: 'plain', kilobytes: 2 },
    connections,
    milliseconds,
  });
  return { perSecond, perProcessorMs: requests / (server.processorMs() - usedBefore) };
}
