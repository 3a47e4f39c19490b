import { type AuditEvent, type AuditSource, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { hashUserQuery } from '../events/user-hash.ts';
import { continueInBackground } from '../issues/background-work.ts';
import { formatCountWithNoun } from '../parsing/format/numbers.ts';
import type { StatusSubscriber } from '../store/status-pages.ts';
import { type UserRef, userEventsMax } from '../store/users.ts';
import type { FoundUser } from './find.ts';
import { joinTerms, termsOfUser } from './personal-terms.ts';

const hashBytes = 16;
/** Newest events whose user is read first; names that only older ones say are found while erasing. */
const termEvents = 1_000;

/** Removes what names the user from everything that is stored; events, bug reports and all counts stay. Subscriptions to
 * status pages are removed. Goes on in the background, also after a restart. The user's hash is replaced at the end, so nothing leads to it any more. */
export async function eraseUser(
  deps: Pick<Deps, 'store' | 'now' | 'log' | 'randomBytes' | 'userHashKey'>,
  user: FoundUser,
  by: AuditSource,
): Promise<void> {
  const terms = await readTerms(deps, user);
  const hashes = user.parts.map(() => deps.randomBytes(hashBytes).toString('hex'));
  const subscriptions = await findSubscriptions(deps, user, by);
  await runAudited(deps, by, async ({ store }) => {
    for (const { id } of subscriptions) await store.removeSubscriber(id);
    const auditEvents: AuditEvent[] = [];
    for (const [at, { ref, summary }] of user.parts.entries()) {
      const erasure = { ...ref, newHash: hashes[at] as string, terms, atMs: deps.now() };
      if (!(await store.beginErasure(erasure))) continue;
      const isMore = summary.events >= userEventsMax ? ' or more' : '';
      auditEvents.push({
        action: 'user.erased',
        // No hash either: it would be the last thing that leads to the person.
        object: { ...auditedUser(ref), id: null },
        projectId: ref.projectId,
        summary: `${formatCountWithNoun(summary.events, 'event')}${isMore}`,
      });
    }
    return { result: null, auditEvent: auditEvents };
  });
  await continueInBackground(deps);
}

/** By hash alone: the audit log outlives names. */
export function auditedUser({ projectId, userHash }: UserRef): AuditEvent['object'] {
  return { kind: 'user', id: userHash, name: `a user of project ${projectId}` };
}

async function readTerms({ store }: Pick<Deps, 'store'>, { identity, parts }: FoundUser) {
  const lists = [termsOfUser(identity)];
  for (const { ref } of parts) {
    for (const { payload } of await store.listUserEvents(ref, { before: null, limit: termEvents })) {
      if (payload !== null) lists.push(termsOfUser((JSON.parse(payload) as { user?: unknown }).user));
    }
  }
  return joinTerms(...lists);
}

/** Found by the keyed hash of the address, as stored events may have it masked: of pages of the user's projects and, unless a project's key asks, of the workspace. */
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
        const userHashes = hashUserQuery(`user.email:${each.address}`, userHashKey, ref.projectId);
        if (userHashes.some((hash) => hashes.has(hash))) found.set(each.id, each);
      }
    }
  }
  return [...found.values()];
}
