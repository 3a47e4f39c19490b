import type { Deps } from '../deps.ts';
import { createNotFoundError } from '../errors.ts';
import { hashUserQuery } from '../events/user-hash.ts';
import type { UserRef, UserSummary } from '../store/users.ts';
import { identityOfEvents, queryOfIdentity, type UserIdentity } from './identity.ts';

const identityEvents = 20;
const foundMax = 50;

/** A user: in the projects asked, one row for each that knows the same id, name or e-mail address. */
export interface FoundUser {
  readonly identity: UserIdentity;
  readonly parts: ReadonlyArray<{ readonly ref: UserRef; readonly summary: UserSummary }>;
}

type ServiceDeps = Pick<Deps, 'store' | 'userHashKey'>;

const userHashPattern = /^[0-9a-f]{32}$/;

/** By id, e-mail address, user name or IP address; each is compared whole. The last seen comes first. */
export async function findUsers(
  deps: ServiceDeps,
  projectIds: readonly number[],
  query: string,
): Promise<FoundUser[]> {
  const refs: UserRef[] = [];
  for (const projectId of projectIds) {
    if (refs.length >= foundMax) break;
    refs.push(...(await refsOf(deps, projectId, query, foundMax - refs.length)));
  }
  const users = new Map<string, FoundUser>();
  for (const ref of refs) {
    const user = await readUser(deps, ref);
    const known = queryOfIdentity(user.identity) ?? ref.userHash;
    const other = users.get(known);
    users.set(known, other === undefined ? user : mergeUsers(other, user));
  }
  return [...users.values()].sort((one, other) => lastSeenMs(other) - lastSeenMs(one));
}

/** Of the keyed hash. Throws 404. */
export async function getUser(
  deps: ServiceDeps,
  projectIds: readonly number[],
  userHash: string,
): Promise<FoundUser> {
  const user = userHashPattern.test(userHash) ? await findByHash(deps, projectIds, userHash) : null;
  if (user === null) throw createNotFoundError('user');
  return user;
}

async function findByHash(deps: ServiceDeps, projectIds: readonly number[], userHash: string) {
  for (const projectId of projectIds) {
    const found = await deps.store.findUsers(projectId, [userHash], foundMax);
    const ref = found.find((each) => each.userHash === userHash);
    if (ref === undefined) continue;
    const user = await readUser(deps, ref);
    const query = queryOfIdentity(user.identity);
    const others = projectIds.filter((id) => id !== projectId);
    return query === null ? user : addOthers(deps, user, others, query);
  }
  return null;
}

async function addOthers(deps: ServiceDeps, user: FoundUser, projectIds: readonly number[], query: string) {
  let all = user;
  for (const projectId of projectIds) {
    for (const ref of await refsOf(deps, projectId, query, foundMax)) {
      const other = await readUser(deps, ref);
      // A name may be that of several users.
      if (queryOfIdentity(other.identity) === query) all = mergeUsers(all, other);
    }
  }
  return all;
}

function refsOf({ store, userHashKey }: ServiceDeps, projectId: number, query: string, limit: number) {
  const hashes = userHashKey === undefined ? [] : hashUserQuery(query, userHashKey, projectId);
  return store.findUsers(projectId, hashes, limit);
}

async function readUser({ store }: ServiceDeps, ref: UserRef): Promise<FoundUser> {
  const [summary, events] = await Promise.all([
    store.summarizeUser(ref),
    store.listUserEvents(ref, { before: null, limit: identityEvents }),
  ]);
  return { identity: identityOfEvents(events), parts: [{ ref, summary }] };
}

function mergeUsers(one: FoundUser, other: FoundUser): FoundUser {
  const isNewer = lastSeenMs(other) > lastSeenMs(one);
  const [first, second] = isNewer ? [other, one] : [one, other];
  const { identity: newer } = first;
  const { identity: older } = second;
  return {
    identity: {
      id: newer.id ?? older.id,
      email: newer.email ?? older.email,
      username: newer.username ?? older.username,
      name: newer.name ?? older.name,
      ip_address: newer.ip_address ?? older.ip_address,
    },
    parts: [...first.parts, ...second.parts],
  };
}

function lastSeenMs({ parts }: FoundUser): number {
  return Math.max(0, ...parts.map(({ summary }) => summary.lastSeenMs ?? 0));
}
