// Texts so long that what takes the square of their length never ends: a million times a million steps are a
// quarter of an hour on any machine, and a test that does not turn for that long is ended (jest/watchdog.ts).
// What takes as long as the text is reads one in milliseconds.

/** Nothing but a piece of text, two million characters long unless said. */
export function endless(piece: string, characters = 2_000_000): string {
  return piece.repeat(Math.ceil(characters / piece.length));
}
