// Sets by name, of which none is kept empty.

export interface Groups<T> {
  add(name: string, member: T): void;
  remove(name: string, member: T): void;
  of(name: string): ReadonlySet<T>;
}

/** No sets yet. */
export function groups<T>(): Groups<T> {
  const byName = new Map<string, Set<T>>();
  const of = (name: string): ReadonlySet<T> => byName.get(name) ?? new Set();
  return {
    of,
    add(name, member) {
      const group = byName.get(name);
      if (group === undefined) byName.set(name, new Set([member]));
      else group.add(member);
    },
    remove(name, member) {
      const group = byName.get(name);
      if (group?.delete(member) !== true) return;
      if (group.size === 0) byName.delete(name);
    },
  };
}
