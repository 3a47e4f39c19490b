interface Part {
  readonly id: number | null;
  readonly group: string;
}

export type MovedPart =
  | { readonly what: 'group'; readonly at: number }
  | { readonly what: 'component'; readonly id: number };

/** `by` is -1 (up) or 1 (down). At the end of its group, a component moves into the next one. */
export function movePart<Each extends Part>(parts: readonly Each[], moved: MovedPart, by: -1 | 1): Each[] {
  const groups = [...Map.groupBy(parts, ({ group }) => group)].map(([name, own]) => ({ name, own }));
  if (moved.what === 'group') return swap(groups, moved.at, moved.at + by).flatMap(({ own }) => own);
  const from = groups.findIndex(({ own }) => own.some(({ id }) => id === moved.id));
  const group = groups[from];
  if (group === undefined) return [...parts];
  const at = group.own.findIndex(({ id }) => id === moved.id);
  const part = group.own[at];
  const next = groups[from + by];
  if (part === undefined || group.own[at + by] !== undefined || next === undefined) {
    const own = swap(group.own, at, at + by);
    return groups.flatMap((each) => (each === group ? own : each.own));
  }
  const entered = { ...part, group: next.name };
  return groups.flatMap((each) => {
    if (each === group) return each.own.filter((one) => one !== part);
    if (each !== next) return each.own;
    return by === 1 ? [entered, ...each.own] : [...each.own, entered];
  });
}

function swap<Each>(all: readonly Each[], at: number, other: number): Each[] {
  const [one, two] = [all[at], all[other]];
  if (one === undefined || two === undefined) return [...all];
  return all.map((each, place) => (place === at ? two : place === other ? one : each));
}
