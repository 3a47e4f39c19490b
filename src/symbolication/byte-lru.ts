// A cache bounded in bytes, not entries: the entry used longest ago goes first.

export interface ByteLru<Value> {
  get(key: string): Value | undefined;
  /** Keeps a value that costs `bytes`, also one over the bound, which then is alone. */
  set(key: string, value: Value, bytes: number): void;
  readonly bytes: number;
}

/** Holds at most `bytesMax` in all, apart from the newest entry. */
export function byteLru<Value>(bytesMax: number): ByteLru<Value> {
  const entries = new Map<string, { value: Value; bytes: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // A Map keeps the order of insertion: putting it back makes it the newest.
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes) {
      drop(key);
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= bytesMax || oldest === key) break;
        drop(oldest);
      }
    },
    get bytes() {
      return total;
    },
  };
}
