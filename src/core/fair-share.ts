// How addresses share the quota of a public key (docs/limits.md, "Shared quotas").

/** True once three quarters of a quota are used; then each address is limited to its share. */
export function isQuotaScarce(used: number, quota: number): boolean {
  return used >= quota * 0.75;
}

/** A tenth of the quota, at least 1. */
export function addressShareOfQuota(quota: number): number {
  return Math.max(1, Math.floor(quota / 10));
}
