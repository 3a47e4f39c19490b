/** The name closest to `typed`; null if none is close. `distanceTo` returns the distance of a name. */
export function findNearest(
  typed: string,
  names: readonly string[],
  distanceTo: (name: string) => number = (name) => editDistance(typed, name),
): string | null {
  const [nearest] = names
    .map((name) => ({ name, far: distanceTo(name) }))
    .toSorted((one, other) => one.far - other.far);
  if (nearest === undefined) return null;
  const isNear = nearest.far <= Math.max(1, Math.min(typed.length, nearest.name.length) / 3);
  return isNear ? nearest.name : null;
}

/** Letters inserted, deleted or replaced, and neighbours exchanged. */
export function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let index = 1; index <= one.length; index += 1) {
    const next = [index];
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (row[at - 1] ?? 0) + (one[index - 1] === other[at - 1] ? 0 : 1);
      const isExchanged = one[index - 1] === other[at - 2] && one[index - 2] === other[at - 1];
      const exchanged = isExchanged ? (before[at - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, exchanged));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
