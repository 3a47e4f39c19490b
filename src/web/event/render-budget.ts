// A budget for how much of an event is shown at once, because an event can be 1 MB. `?show=all` lifts it.

/** The remaining budget. Parts use it in the order of the page. */
export interface RenderBudget {
  frames: number;
  /** UTF-16 code units of text from outside. */
  characters: number;
  isShort: boolean;
  /** Characters that library frames may use, so that they do not displace in-app frames. */
  libraries: number;
}

export function createRenderBudget(all: boolean): RenderBudget {
  const much = Number.POSITIVE_INFINITY;
  return {
    frames: all ? much : 150,
    characters: all ? much : 48_000,
    libraries: all ? much : 20_000,
    isShort: false,
  };
}

/** Takes characters from the budget. Returns false and takes nothing if too few are left. */
export function takeCharacters(budget: RenderBudget, characters: number): boolean {
  if (characters > budget.characters) {
    budget.isShort = true;
    return false;
  }
  budget.characters -= characters;
  return true;
}

/** Renders library frames within their part of the budget. */
export function renderLibraryFrames<Drawn>(room: RenderBudget, draw: (room: RenderBudget) => Drawn): Drawn {
  const most = Math.min(room.libraries, room.characters);
  const part = { ...room, characters: most, isShort: false };
  const drawn = draw(part);
  const taken = most === Number.POSITIVE_INFINITY ? 0 : most - part.characters;
  room.characters -= taken;
  room.libraries -= taken;
  room.isShort ||= part.isShort;
  return drawn;
}

/** `sizeOf` returns characters. */
export function takeFitting<Entry>(
  list: readonly Entry[],
  room: RenderBudget,
  sizeOf: (entry: Entry) => number,
): Entry[] {
  const from = list.findIndex((entry) => !takeCharacters(room, sizeOf(entry)));
  return from === -1 ? [...list] : list.slice(0, from);
}
