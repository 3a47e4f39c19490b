// Places that are held for a while and given back, counted by name: connections of an address, streams of a
// member. In this thread alone, or in memory that threads share.
import { withLock } from './lock.ts';
import { hashName } from './names.ts';

export interface Places {
  /** Takes one more, unless there would be more than `most`; how many there are, with it or without. */
  take(name: string, most?: number): { readonly taken: boolean; readonly held: number };
  /** Gives one back that was taken. */
  leave(name: string): void;
  held(name: string): number;
}

/** Places of one thread. */
export function localPlaces(): Places {
  const counts = new Map<string, number>();
  const held = (name: string): number => counts.get(name) ?? 0;
  return {
    held,
    take(name, most = Number.POSITIVE_INFINITY) {
      const before = held(name);
      if (before >= most) return { taken: false, held: before };
      counts.set(name, before + 1);
      return { taken: true, held: before + 1 };
    },
    leave(name) {
      const left = held(name) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    },
  };
}

/** The same places under names of one kind, which are nobody else's. */
export function placesOfKind(places: Places, kind: string): Places {
  return {
    take: (name, most) => places.take(`${kind} ${name}`, most),
    leave: (name) => places.leave(`${kind} ${name}`),
    held: (name) => places.held(`${kind} ${name}`),
  };
}

/** Names that share a row of the table; more names than places in a row are not counted. */
const rowPlaces = 16;
/** High and low half of the name's hash, and how many. */
const placeWords = 3;

/** Words that a table of so many rows takes, with the word of its lock. */
export function placesWords(rows: number): number {
  return 1 + rows * rowPlaces * placeWords;
}

/**
 * Places counted in shared memory: `words` begins with the lock. A table has many times the rows that are
 * held at once; a name that finds its row full is let in uncounted rather than kept out.
 */
export function sharedPlaces(words: Int32Array<SharedArrayBuffer>, seeds: Uint32Array): Places {
  const rows = (words.length - 1) / (rowPlaces * placeWords);
  function find(name: string): { readonly own: number | null; readonly empty: number | null } {
    const { high, low } = hashName(name, seeds);
    const first = 1 + (high % rows) * rowPlaces * placeWords;
    let empty: number | null = null;
    for (let at = first; at < first + rowPlaces * placeWords; at += placeWords) {
      if (words[at + 2] === 0) empty ??= at;
      else if (words[at] === (high | 0) && words[at + 1] === (low | 0)) return { own: at, empty };
    }
    if (empty !== null) {
      words[empty] = high;
      words[empty + 1] = low;
    }
    return { own: null, empty };
  }
  const countAt = (at: number | null): number => (at === null ? 0 : (words[at + 2] ?? 0));
  return {
    take: (name, most = Number.POSITIVE_INFINITY) =>
      withLock(words, 0, () => {
        const { own, empty } = find(name);
        const before = countAt(own);
        if (before >= most) return { taken: false, held: before };
        const at = own ?? empty;
        if (at !== null) words[at + 2] = before + 1;
        return { taken: true, held: before + 1 };
      }),
    leave: (name) =>
      withLock(words, 0, () => {
        const { own } = find(name);
        if (own !== null) words[own + 2] = countAt(own) - 1;
      }),
    held: (name) => withLock(words, 0, () => countAt(find(name).own)),
  };
}
