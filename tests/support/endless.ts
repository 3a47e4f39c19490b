// Texts so long that quadratic algorithms take minutes on any machine, which jest/watchdog.ts ends; linear
// ones take milliseconds.
import { fullOrShort } from './test-level.ts';

/** Repeats `piece` to at least 250,000 characters by default. */
export function endless(piece: string, characters = fullOrShort(2_000_000, 250_000)): string {
  return piece.repeat(Math.ceil(characters / piece.length));
}
