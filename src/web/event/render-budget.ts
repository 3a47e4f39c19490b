// A budget for how much of an event is shown at once, because an event can be 1 MB. `?show=all` lifts it.

/** The remaining budget. Parts use it in the order of the page. */
export type RenderBudget = ReturnType<typeof createRenderBudget>;

export function createRenderBudget(all: boolean) {
  const unlimited = Number.POSITIVE_INFINITY;
  return {
    frames: all ? unlimited : 150,
    /** UTF-16 code units of text from outside. */
    characters: all ? unlimited : 48_000,
    /** Characters that library frames may use, so that they do not displace in-app frames. */
    libraries: all ? unlimited : 20_000,
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
export function renderLibraryFrames<Drawn>(
  budget: RenderBudget,
  draw: (budget: RenderBudget) => Drawn,
): Drawn {
  const charactersMax = Math.min(budget.libraries, budget.characters);
  const part = { ...budget, characters: charactersMax, isShort: false };
  const drawn = draw(part);
  const used = charactersMax === Number.POSITIVE_INFINITY ? 0 : charactersMax - part.characters;
  budget.characters -= used;
  budget.libraries -= used;
  budget.isShort ||= part.isShort;
  return drawn;
}

/** `sizeOf` returns characters. */
export function takeFitting<Entry>(
  list: readonly Entry[],
  budget: RenderBudget,
  sizeOf: (entry: Entry) => number,
): Entry[] {
  const from = list.findIndex((entry) => !takeCharacters(budget, sizeOf(entry)));
  return from === -1 ? [...list] : list.slice(0, from);
}
