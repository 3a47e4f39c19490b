// What the engine costs: our /store beside the same handler behind Express's own routing and JSON.parse.
import { join } from 'node:path';
import { type Bench, ratios, spreadText } from './full/bench.ts';
import { contenderOf, inTurn, loadOnce, ourWarmUpMs, startProduct } from './measures/contenders.ts';
import { openDbmses } from './measures/databases.ts';
import { startServer } from './servers.ts';

const requests = { route: 'store', encoding: 'plain', kilobytes: 2 } as const;

export function engineSeconds({ repeats, seconds }: { repeats: number; seconds: number }): number {
  return 2 * (repeats * seconds + ourWarmUpMs / 1000);
}

/** Prints the ratio; the engine may cost a tenth. */
export async function reportEngine(bench: Bench): Promise<void> {
  const [sqlite] = await openDbmses({ ...bench.options, databases: ['sqlite'] }, bench.progress);
  const database = await sqlite?.create();
  if (database === undefined) return;
  const product = await startProduct(database.url);
  const handler = await startServer(join(import.meta.dirname, 'bare-store.ts'));
  try {
    const contenders = [
      contenderOf('behind the engine', product, requests),
      contenderOf('behind Express', handler, requests),
    ];
    for (const each of contenders) await loadOnce(bench, each, ourWarmUpMs);
    const [ours, bare] = await inTurn(bench, contenders);
    const ratesOf = (rounds: typeof ours): number[] =>
      rounds?.results.map(({ perSecond }) => perSecond) ?? [];
    const text = spreadText(ratios(ratesOf(ours), ratesOf(bare)));
    bench.print(`\n/store behind the engine : behind bare express  ${text}   (wanted: at least 0.9)`);
  } finally {
    await product.stop();
    await handler.stop();
    await database.drop();
  }
}
