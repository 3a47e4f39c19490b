// How much of an event stands on its page at once: a page is to be light, and an event may hold a megabyte.
// What found no room is there when all is asked for.

/** What is left; every part takes of it, in the order of the page. */
export interface Room {
  frames: number;
  /** Of texts from outside, in UTF-16 units. */
  characters: number;
  /** Whether something found no room. */
  isShort: boolean;
}

/** Room for a page of the usual size, or for everything. */
export function roomOf(all: boolean): Room {
  const much = Number.POSITIVE_INFINITY;
  return { frames: all ? much : 150, characters: all ? much : 48_000, isShort: false };
}

/** Takes so many characters; false, and nothing taken, where there is no room for them. */
export function takes(room: Room, characters: number): boolean {
  if (characters > room.characters) {
    room.isShort = true;
    return false;
  }
  room.characters -= characters;
  return true;
}

/** The first of a list that find room, each as long as `sizeOf` says. */
export function thatFit<Entry>(
  list: readonly Entry[],
  room: Room,
  sizeOf: (entry: Entry) => number,
): Entry[] {
  const from = list.findIndex((entry) => !takes(room, sizeOf(entry)));
  return from === -1 ? [...list] : list.slice(0, from);
}
