// Lines of the log that somebody else decides how many there are: of each kind the first ten a minute, then
// one that says how many more there were.

export interface SampledLines {
  /** Whether a line of this kind is to be written now; else it is counted. */
  mayWrite(kind: string): boolean;
}

const ofKindMax = 10;
const windowMs = 60_000;
/** Kinds are made of our own words; should they not be, the rest is one kind. */
const kindsMax = 200;
const otherKind = 'other';

/**
 * Samples lines. `more` is told at the end of a minute of each kind of which there were more; `after` waits,
 * by a timer that keeps nobody alive unless said.
 */
export function sampledLines(
  more: (kind: string, count: number) => void,
  after: (milliseconds: number, then: () => void) => void = (milliseconds, then) =>
    void setTimeout(then, milliseconds).unref(),
): SampledLines {
  let seen = new Map<string, number>();
  const end = (): void => {
    const all = seen;
    seen = new Map();
    for (const [kind, count] of all) if (count > ofKindMax) more(kind, count - ofKindMax);
  };
  return {
    mayWrite(kind) {
      if (seen.size === 0) after(windowMs, end);
      const known = seen.has(kind) || seen.size < kindsMax ? kind : otherKind;
      const count = (seen.get(known) ?? 0) + 1;
      seen.set(known, count);
      return count <= ofKindMax;
    },
  };
}
