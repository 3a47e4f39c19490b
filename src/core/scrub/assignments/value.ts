// A value of a text and where it stands there. How it is read is in readers.ts and bare-values.ts.

export interface Value {
  /** The value with its quotes. */
  readonly start: number;
  readonly end: number;
  /** The value without them. */
  readonly bareStart: number;
  readonly bareEnd: number;
  readonly bare: string;
  readonly isQuoted: boolean;
  /** The function that a literal is handed to: `SecretStr("…")`; empty where there is none. */
  readonly wrapper: string;
}

/** What stands between two places, without quotes. */
export function plain(text: string, start: number, end: number): Value {
  const bare = text.slice(start, end);
  return { start, end, bareStart: start, bareEnd: end, bare, isQuoted: false, wrapper: '' };
}

/** The place of the first match of a global pattern from a place on; the end of the text where none is. */
export function stopAt(stop: RegExp, text: string, from: number): number {
  stop.lastIndex = from;
  const match = stop.exec(text);
  return match === null ? text.length : match.index;
}
