import { audited } from '../audit/audit.ts';
import { keyAuditEvent, keyChangeAuditEvent, keyRotationAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError } from '../errors.ts';
import { dayMs } from '../parsing/durations.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { KeyChange, KeyKind, ProjectKey } from '../store/projects.ts';
import { createKey, isKeyValid, type KeyOptions } from './keys.ts';

const endsSoonMs = 14 * dayMs;

export const keyOverlapMsMax = 365 * dayMs;

type KeyLife = Pick<ProjectKey, 'revokedAtMs' | 'expiresAtMs'>;

export type KeyState = 'live' | 'ending' | 'expired' | 'revoked';

/** `ending` is still valid but has an expiry. */
export function getKeyState(key: KeyLife, nowMs: number): KeyState {
  if (key.revokedAtMs !== null && key.revokedAtMs <= nowMs) return 'revoked';
  if (!isKeyValid(key, nowMs)) return 'expired';
  return key.expiresAtMs === null ? 'live' : 'ending';
}

export function expiresSoon(key: KeyLife, nowMs: number): boolean {
  return getKeyState(key, nowMs) === 'ending' && (key.expiresAtMs ?? 0) - nowMs <= endsSoonMs;
}

export const createKeyWithAudit = audited(
  async (
    txDeps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
    projectId: number,
    kind: KeyKind,
    options: KeyOptions,
  ) => {
    const result = await createKey(txDeps, projectId, kind, options);
    return { result, auditEvent: keyAuditEvent(result.key, 'key.created') };
  },
);

/** Changes scopes, origins or expiry. Throws 400 for an invalid key. */
export const updateKey = audited(async ({ store, now }, key: ProjectKey, change: KeyChange) => {
  refuseEnded(key, now());
  const result = (await store.changeKey(key.projectId, key.id, change)) ?? key;
  return { result, auditEvent: keyChangeAuditEvent(key, result) };
});

/** Takes effect at once. */
export const revokeKey = audited(async ({ store, now }, key: ProjectKey) => {
  const result = (await store.revokeKey(key.projectId, key.id, now())) ?? key;
  return { result, auditEvent: key.revokedAtMs === null ? keyAuditEvent(key, 'key.revoked') : null };
});

/** The old key stays valid for `overlapMs`, at most until it expires; `expiresAtMs` is for the new one. */
export const rotateKey = audited(
  async (
    txDeps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
    oldKey: ProjectKey,
    overlapMs: number,
    expiresAtMs: EpochMs | null,
  ) => {
    refuseEnded(oldKey, txDeps.now());
    if (!(overlapMs >= 0 && overlapMs <= keyOverlapMsMax)) {
      throw createBadRequestError('notifier_key_overlap', 'A rotated key can stay valid for at most a year.');
    }
    const { label, scopes, allowedOrigins } = oldKey;
    const rights = { label, scopes, allowedOrigins, expiresAtMs };
    const created = await createKey(txDeps, oldKey.projectId, oldKey.kind, rights);
    const ending =
      (await txDeps.store.expireKey(oldKey.projectId, oldKey.id, txDeps.now() + overlapMs)) ?? oldKey;
    return {
      result: { created, ending },
      auditEvent: keyRotationAuditEvent(oldKey, created.key, ending.expiresAtMs),
    };
  },
);

function refuseEnded(key: ProjectKey, nowMs: number): void {
  if (isKeyValid(key, nowMs)) return;
  throw createBadRequestError('notifier_key_ended', `Key ${key.id} is already ${getKeyState(key, nowMs)}.`);
}
