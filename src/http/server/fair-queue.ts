interface Entry {
  readonly request: { readonly address: string; readonly key: string };
}

/** Maps keep insertion order; a name is deleted and added again to move it to the end. */
export function createFairQueue<One extends Entry>() {
  const addresses = new Map<string, Map<string, Array<One | null>>>();
  return {
    add(entry: One) {
      const { address, key } = entry.request;
      const keys = addresses.get(address) ?? new Map<string, Array<One | null>>();
      const entries = keys.get(key) ?? [];
      entries.push(entry);
      keys.set(key, entries);
      addresses.set(address, keys);
    },
    /** Of a key, the oldest or newest entry. */
    next(order: 'oldest' | 'newest'): One | null {
      for (const keys of addresses.values()) {
        for (const entries of keys.values()) return entries.at(order === 'oldest' ? 0 : -1) ?? null;
      }
      return null;
    },
    /** Its address and key go to the end of the rotation. */
    remove(entry: One) {
      const { address, key } = entry.request;
      const keys = addresses.get(address);
      const entries = keys?.get(key);
      if (keys === undefined || entries === undefined) return;
      removeEntry(entries, entry);
      keys.delete(key);
      if (entries.length > 0) keys.set(key, entries);
      addresses.delete(address);
      if (keys.size > 0) addresses.set(address, keys);
    },
  };
}

function removeEntry<One>(entries: Array<One | null>, entry: One): void {
  const at = entries[0] === entry ? 0 : entries.lastIndexOf(entry);
  if (at !== -1) entries[at] = null;
  while (entries.length > 0 && entries.at(-1) === null) entries.pop();
  while (entries.length > 0 && entries[0] === null) entries.shift();
}
