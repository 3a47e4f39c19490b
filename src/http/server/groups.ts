// Sets by name, of which none is kept empty; counted with those of other threads where there are some.
import { type Places, placesOfKind } from '../../core/shared/places.ts';

export interface Groups<T> {
  add(name: string, member: T): void;
  remove(name: string, member: T): void;
  of(name: string): ReadonlySet<T>;
  /** How many there are, those of other threads with them. */
  count(name: string): number;
}

/** No sets yet; `kind` tells them from others that `places` counts. */
export function groups<T>(places: Places | undefined, kind: string): Groups<T> {
  const byName = new Map<string, Set<T>>();
  const counted = places === undefined ? null : placesOfKind(places, kind);
  const of = (name: string): ReadonlySet<T> => byName.get(name) ?? new Set();
  return {
    of,
    count: (name) => counted?.held(name) ?? of(name).size,
    add(name, member) {
      const group = byName.get(name);
      if (group === undefined) byName.set(name, new Set([member]));
      else group.add(member);
      counted?.take(name);
    },
    remove(name, member) {
      const group = byName.get(name);
      if (group?.delete(member) !== true) return;
      counted?.leave(name);
      if (group.size === 0) byName.delete(name);
    },
  };
}
