// How the time of some work grows when its text does: a ratio, because a time by itself says more about the
// machine than about the work.
import { ownMs } from './own-time.ts';

/** Below this both times are noise. */
const noiseMs = 2;
const triesInRound = 3;
/** A neighbour in the caches of a processor can spoil one round after another. */
const roundsMax = 12;

/**
 * Time of `large` over time of `small`, the least of some rounds. Each round measures both anew: what grows
 * with the square is over the bound in every one of them, what the machine did is not.
 * @param enough a ratio after which no further round is asked for.
 */
export function growthOf(small: () => void, large: () => void, enough: number): number {
  let growth = Number.POSITIVE_INFINITY;
  for (let round = 0; round < roundsMax && growth > enough; round += 1) {
    growth = Math.min(growth, leastMs(large) / Math.max(leastMs(small), noiseMs));
  }
  return growth;
}

function leastMs(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < triesInRound; run += 1) {
    const begunMs = ownMs();
    work();
    least = Math.min(least, ownMs() - begunMs);
  }
  return least;
}
