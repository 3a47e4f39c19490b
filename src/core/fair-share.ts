// How a quota is shared that everybody with a public key takes from: docs/limits.md, "Shared quotas". Pure.

/** Whether so much of a quota is used that no address may have more than its share. */
export function isScarce(used: number, quota: number): boolean {
  return used >= quota * 0.75;
}

/** What one address may have of a quota once it is scarce: a tenth, at least 1. */
export function shareOfAddress(quota: number): number {
  return Math.max(1, Math.floor(quota / 10));
}
