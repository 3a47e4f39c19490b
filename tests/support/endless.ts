// Texts so long that what takes the square of their length never ends: half a million times as many steps are
// minutes on any machine, and a test that does not turn for that long is ended (jest/watchdog.ts).
// What takes as long as the text is reads one in milliseconds.
import { fullOrShort } from './test-level.ts';

const usualCharacters = fullOrShort(2_000_000, 500_000);

/** Nothing but a piece of text, half a million characters long or more unless said. */
export function endless(piece: string, characters = usualCharacters): string {
  return piece.repeat(Math.ceil(characters / piece.length));
}
