// What lies in the middle of some values, and near their end. Pure.

/** The one in the middle; of an even number the lower one. Null of none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** The value that `share` of all stay at or below; null of none. */
export function percentileOf(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
