import type { FoundSession, Member, Role, SessionOwner } from '../../src/core/store/members.ts';
import { defaulted, flag, integer, nullable, oneOf, type RowOf, tableOf, text } from '../table.ts';

export const members = tableOf('members', {
  id: defaulted(integer),
  name: text,
  nameKey: text,
  email: nullable(text),
  role: oneOf<Role>(),
  createdAtMs: integer,
  createdBy: text,
  seenAtMs: defaulted(nullable(integer)),
  removedAtMs: defaulted(nullable(integer)),
  hasAllProjects: defaulted(flag),
  invitedUntilMs: defaulted(nullable(integer)),
}).without('nameKey', 'removedAtMs');

/** One of them is set. */
const ownerFields = { memberId: nullable(integer), tokenHash: nullable(text) };

export const ownedSessions = tableOf('member_sessions', {
  id: defaulted(integer),
  hash: text,
  ...ownerFields,
  createdAtMs: integer,
  seenAtMs: integer,
  expiresAtMs: integer,
  endsByMs: nullable(integer),
  userAgent: text,
  network: text,
  signedInBy: text,
}).without('hash');
export const sessions = ownedSessions.without('memberId', 'tokenHash');

export const links = tableOf('sign_in_links', {
  id: defaulted(integer),
  hash: text,
  ...ownerFields,
  createdAtMs: integer,
  expiresAtMs: integer,
  usedAtMs: defaulted(nullable(integer)),
  byMail: flag,
}).only('memberId', 'tokenHash', 'expiresAtMs', 'usedAtMs', 'byMail');

interface OwnerColumns {
  readonly memberId: number | null;
  readonly tokenHash: string | null;
}

export function ownerOf({ memberId, tokenHash }: OwnerColumns): SessionOwner {
  return memberId === null ? { tokenHash: tokenHash ?? '' } : { memberId };
}

export function ownerColumns(owner: SessionOwner): OwnerColumns {
  return { memberId: null, tokenHash: null, ...owner };
}

/** `member` is null for a session of the workspace token. */
export function foundSession(
  { memberId, tokenHash, ...session }: RowOf<typeof ownedSessions>,
  member: Member | null,
): FoundSession {
  return { session, owner: ownerOf({ memberId, tokenHash }), member };
}
