// Changes to keys: update, rotation, revocation.
import { type AuditBy, actAudited } from '../audit/audit.ts';
import { toldOfKey, toldOfKeyChange, toldOfRotation } from '../audit/told.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { EpochMs } from '../reading/moments.ts';
import { dayMs } from '../reading/spans.ts';
import type { KeyChange, KeyKind, ProjectKey } from '../store/projects.ts';
import { type CreatedKey, createKey, isLive, type KeyOptions } from './keys.ts';

const endsSoonMs = 14 * dayMs;

export const overlapMsMax = 365 * dayMs;

type KeyLife = Pick<ProjectKey, 'revokedAtMs' | 'expiresAtMs'>;

export type KeyState = 'live' | 'ending' | 'expired' | 'revoked';

/** `ending` is still valid but has an expiry. */
export function keyState(key: KeyLife, nowMs: number): KeyState {
  if (key.revokedAtMs !== null && key.revokedAtMs <= nowMs) return 'revoked';
  if (!isLive(key, nowMs)) return 'expired';
  return key.expiresAtMs === null ? 'live' : 'ending';
}

export function endsSoon(key: KeyLife, nowMs: number): boolean {
  return keyState(key, nowMs) === 'ending' && (key.expiresAtMs ?? 0) - nowMs <= endsSoonMs;
}

export function createKeyBy(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  projectId: number,
  kind: KeyKind,
  options: KeyOptions,
  by: AuditBy,
): Promise<CreatedKey> {
  return actAudited(deps, by, async (parts) => {
    const result = await createKey(parts, projectId, kind, options);
    return { result, told: toldOfKey(result.key, 'key.created') };
  });
}

/** Changes scopes, origins or expiry. Throws 400 for an invalid key. */
export function updateKey(
  deps: Pick<Deps, 'store' | 'now'>,
  key: ProjectKey,
  change: KeyChange,
  by: AuditBy,
): Promise<ProjectKey> {
  return actAudited(deps, by, async ({ store, now }) => {
    refuseEnded(key, now());
    const result = (await store.changeKey(key.projectId, key.id, change)) ?? key;
    return { result, told: toldOfKeyChange(key, result) };
  });
}

/** Takes effect at once. */
export function revokeKey(
  deps: Pick<Deps, 'store' | 'now'>,
  key: ProjectKey,
  by: AuditBy,
): Promise<ProjectKey> {
  return actAudited(deps, by, async ({ store, now }) => {
    const result = (await store.revokeKey(key.projectId, key.id, now())) ?? key;
    return { result, told: key.revokedAtMs === null ? toldOfKey(key, 'key.revoked') : null };
  });
}

/** The old key stays valid for `overlapMs`, at most until it expires; `expiresAtMs` is for the new one. */
export async function rotateKey(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  old: ProjectKey,
  overlapMs: number,
  expiresAtMs: EpochMs | null,
  by: AuditBy,
): Promise<{ made: CreatedKey; ending: ProjectKey }> {
  refuseEnded(old, deps.now());
  if (!(overlapMs >= 0 && overlapMs <= overlapMsMax)) {
    throw badRequest('notifier_key_overlap', 'A rotated key can stay valid for at most a year.');
  }
  const { label, scopes, allowedOrigins } = old;
  const said = { label, scopes, allowedOrigins, expiresAtMs };
  return actAudited(deps, by, async (parts) => {
    const made = await createKey(parts, old.projectId, old.kind, said);
    const ending = (await parts.store.expireKey(old.projectId, old.id, parts.now() + overlapMs)) ?? old;
    return { result: { made, ending }, told: toldOfRotation(old, made.key, ending.expiresAtMs) };
  });
}

function refuseEnded(key: ProjectKey, nowMs: number): void {
  if (isLive(key, nowMs)) return;
  throw badRequest('notifier_key_ended', `Key ${key.id} is already ${keyState(key, nowMs)}.`);
}
