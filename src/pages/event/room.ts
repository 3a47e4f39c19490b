// How much of an event stands on its page at once: a page is to be light, and an event may hold a megabyte.
// What found no room is there when all is asked for.

/** What is left; every part takes of it, in the order of the page. */
export interface Room {
  frames: number;
  /** Of texts from outside, in UTF-16 units. */
  characters: number;
  /** Whether something found no room. */
  isShort: boolean;
  /** What the frames of libraries may take of it: nobody's own part is left out for their sake. */
  libraries: number;
}

/** Room for a page of the usual size, or for everything. */
export function roomOf(all: boolean): Room {
  const much = Number.POSITIVE_INFINITY;
  return {
    frames: all ? much : 150,
    characters: all ? much : 48_000,
    libraries: all ? much : 20_000,
    isShort: false,
  };
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

/** Draws frames of libraries, in what these may take of the room. */
export function inLibraries<Drawn>(room: Room, draw: (room: Room) => Drawn): Drawn {
  const most = Math.min(room.libraries, room.characters);
  const part = { ...room, characters: most, isShort: false };
  const drawn = draw(part);
  const taken = most === Number.POSITIVE_INFINITY ? 0 : most - part.characters;
  room.characters -= taken;
  room.libraries -= taken;
  room.isShort ||= part.isShort;
  return drawn;
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
