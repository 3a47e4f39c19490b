// The life of a key after it was made: replaced with an overlap, ended at once. Making one is keys.ts's.
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { dayMs } from '../reading/spans.ts';
import type { ProjectKey } from '../store/projects.ts';
import { type CreatedKey, createKey, isLive } from './keys.ts';

/** The longest that a replaced key may go on. */
export const overlapMsMax = 365 * dayMs;

export type KeyState = 'live' | 'ending' | 'expired' | 'revoked';

/** How a key stands at a moment; `ending` opens still, and has an end. */
export function keyState(key: ProjectKey, nowMs: number): KeyState {
  if (key.revokedAtMs !== null && key.revokedAtMs <= nowMs) return 'revoked';
  if (!isLive(key, nowMs)) return 'expired';
  return key.expiresAtMs === null ? 'live' : 'ending';
}

/**
 * Makes a key of the same kind and label, and lets the old one go on for `overlapMs`. Throws 400 for a key
 * that opens nothing any more, and for an overlap that is none.
 */
export async function rotateKey(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  old: ProjectKey,
  overlapMs: number,
): Promise<{ made: CreatedKey; ending: ProjectKey }> {
  if (!isLive(old, deps.now())) {
    throw badRequest('notifier_key_ended', `Key ${old.id} is ${keyState(old, deps.now())} already.`);
  }
  if (!(overlapMs >= 0 && overlapMs <= overlapMsMax)) {
    throw badRequest('notifier_key_overlap', 'A replaced key goes on for a year at most.');
  }
  const made = await createKey(deps, old.projectId, old.kind, { label: old.label });
  const ending = await deps.store.expireKey(old.projectId, old.id, deps.now() + overlapMs);
  return { made, ending: ending ?? old };
}
