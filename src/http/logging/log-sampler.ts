// Samples log lines that clients cause: the first ten a minute of each kind, then the number of the rest.

export interface LogSampler {
  mayWrite(kind: string): boolean;
}

const ofKindMax = 10;
const windowMs = 60_000;
/** Kinds are our own words; this is a safeguard. */
const kindsMax = 200;
const otherKind = 'other';

/** `more` is called at the end of a minute for each kind with more lines. The default timer is unref'ed. */
export function createLogSampler(
  more: (kind: string, count: number) => void,
  after: (milliseconds: number, then: () => void) => void = (milliseconds, then) =>
    void setTimeout(then, milliseconds).unref(),
): LogSampler {
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
