// What scrubbing takes of texts that were made to take long, as a ratio to benign ones of the same size in
// the same run.
import { table } from '../../src/cli/command.ts';
import { scrubText } from '../../src/core/scrub/text.ts';
import { ownMs } from './own-time.ts';

const chars = 8_000;
/** Until it is compiled. */
const warmRounds = 12;
const filled = (unit: string): string => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);

/** What each is made of nothing but, what that is held against, and how many times as long it may take. */
const rows: ReadonlyArray<readonly [unit: string, benign: string, ratioMax: number]> = [
  ...['auth(', 'auth(a,', 'auth(,', 'auth(a,-', 'token[a,'].map((unit) => [unit, 'PASSWORD ', 2.2] as const),
  ...["\nauth('", 'cookie":', 'cvv|', 'pin→'].map((unit) => [unit, 'a word of it, ', 35] as const),
];

/** Prints them; answers whether all kept to their bars. */
export async function benchScrubbing(print: (text: string) => void): Promise<boolean> {
  const found = rows.map(([unit, benign, ratioMax]) => {
    const ratio = leastMs(() => scrubText(filled(unit))) / leastMs(() => scrubText(filled(benign)));
    return { unit, benign, ratio, ratioMax };
  });
  const cells = found.map(({ unit, benign, ratio, ratioMax }) => [
    JSON.stringify(unit),
    JSON.stringify(benign),
    ratio.toFixed(2),
    ratioMax,
  ]);
  print(`\nScrubbing a text of ${chars} characters\n`);
  print(table(['Nothing but', 'Beside nothing but', 'Times as long', 'Wanted at most'], cells));
  return found.every(({ ratio, ratioMax }) => ratio <= ratioMax);
}

/** The least of some tries: the engine compiles patterns anew as it sees fit, in the midst of one. */
function leastMs(work: () => unknown): number {
  for (let round = 0; round < warmRounds; round += 1) work();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 40; round += 1) {
    const begunMs = ownMs();
    work();
    least = Math.min(least, ownMs() - begunMs);
  }
  return least;
}
