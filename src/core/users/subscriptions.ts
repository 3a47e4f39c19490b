// A user's subscriptions to status pages, found by the keyed hash of the address: stored events may have it masked.
import type { AuditSource } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { hashUserQuery } from '../events/user-hash.ts';
import type { StatusSubscriber } from '../store/status-pages/subscribers.ts';
import type { FoundUser } from './find.ts';

/** Of pages of the user's projects and, unless a project's key asks, of the workspace. */
export async function findSubscriptions(
  { store, userHashKey }: Pick<Deps, 'store' | 'userHashKey'>,
  { parts }: Pick<FoundUser, 'parts'>,
  by: AuditSource,
): Promise<StatusSubscriber[]> {
  if (userHashKey === undefined) return [];
  const found = new Map<number, StatusSubscriber>();
  for (const { ref } of parts) {
    const hashes = new Set(await store.listUserHashes(ref));
    const owners = by.actor.kind === 'key' ? [ref.projectId] : [ref.projectId, null];
    for (const owner of owners) {
      for (const each of await store.listEmailSubscribers(owner)) {
        const own = hashUserQuery(`user.email:${each.address}`, userHashKey, ref.projectId);
        if (own.some((hash) => hashes.has(hash))) found.set(each.id, each);
      }
    }
  }
  return [...found.values()];
}
