// The life of a key after it was made: changed, replaced with an overlap, ended at once. Making one is
// keys.ts's.
import { type AuditBy, actAudited } from '../audit/audit.ts';
import { toldOfKey, toldOfKeyChange, toldOfRotation } from '../audit/told.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { EpochMs } from '../reading/moments.ts';
import { dayMs } from '../reading/spans.ts';
import type { KeyChange, KeyKind, ProjectKey } from '../store/projects.ts';
import { type CreatedKey, createKey, isLive, type KeyOptions } from './keys.ts';

/** So long before its end a key is warned of. */
const endsSoonMs = 14 * dayMs;

/** The longest that a replaced key may go on. */
export const overlapMsMax = 365 * dayMs;

/** What says whether a key opens, and until when. */
type KeyLife = Pick<ProjectKey, 'revokedAtMs' | 'expiresAtMs'>;

export type KeyState = 'live' | 'ending' | 'expired' | 'revoked';

/** How a key stands at a moment; `ending` opens still, and has an end. */
export function keyState(key: KeyLife, nowMs: number): KeyState {
  if (key.revokedAtMs !== null && key.revokedAtMs <= nowMs) return 'revoked';
  if (!isLive(key, nowMs)) return 'expired';
  return key.expiresAtMs === null ? 'live' : 'ending';
}

/** Whether a key opens still, and ends within two weeks. */
export function endsSoon(key: KeyLife, nowMs: number): boolean {
  return keyState(key, nowMs) === 'ending' && (key.expiresAtMs ?? 0) - nowMs <= endsSoonMs;
}

/** Makes a key as `createKey` does, for somebody. */
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

/** Changes what a key may do, from where, and until when. Throws 400 for one that opens nothing any more. */
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

/** Ends a key at once, and answers it as it then is. */
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

/**
 * Makes a key that may do the same, and lets the old one go on for `overlapMs`, never for longer than it
 * would have. The new one has no end unless `expiresAtMs` says one. Throws 400 for a key that opens nothing
 * any more, and for an overlap that is none.
 */
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
