// What a column holds, as the rules know it.

/** A number of a column that may hold none. */
export function numberOrNull(value: number | null): number | null {
  return value === null ? null : Number(value);
}
