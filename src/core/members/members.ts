import { type AuditEvent, type AuditSource, audited, runAudited } from '../audit/audit.ts';
import { memberAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, RestError } from '../errors.ts';
import { isLongerThan } from '../parsing/cut-text.ts';
import { foldCase } from '../parsing/fold-text.ts';
import { type Member, type Role, roles, type SessionOwner } from '../store/members.ts';
import { createMemberLink, invitationMs } from './links.ts';
import { tokenUserName } from './sessions.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

const nameCharactersMax = 80;
const emailCharactersMax = 254;

/** Names that the audit log uses for other actors. */
const reservedNames: readonly string[] = [tokenUserName, 'event', 'notifier', 'system', 'command line'];

export interface MemberFields {
  readonly name: string;
  readonly role: Role;
  readonly email: string | null;
}

/** Throws 400 for an invalid or taken name or e-mail address. */
export async function createMember(
  deps: ServiceDeps,
  fields: MemberFields,
  by: AuditSource,
): Promise<Member> {
  const name = fields.name.trim().replaceAll(/\s+/g, ' ');
  if (name === '' || isLongerThan(name, nameCharactersMax) || /\p{C}/u.test(name)) {
    throw createBadRequestError(
      'notifier_member_name',
      `The name must have 1 to ${nameCharactersMax} characters.`,
    );
  }
  const nameKey = nameKeyOf(name);
  if (reservedNames.includes(nameKey)) {
    throw createBadRequestError('notifier_member_name', `“${name}” is reserved. Choose another name.`);
  }
  const member = {
    name,
    nameKey,
    email: requireEmail(fields.email),
    role: fields.role,
    createdAtMs: deps.now(),
    createdBy: by.actor.name,
  };
  return runAudited(deps, by, async ({ store }) => {
    const added = await store.addMember(member);
    if (added === null) {
      throw createBadRequestError('notifier_member_exists', `A member named “${name}” already exists.`);
    }
    return { result: added, auditEvent: memberAuditEvent(added, 'member.added', `as ${added.role}`) };
  });
}

/** Returns a one-time link, shown only once. Invalidates earlier ones. That of an invitation begins it anew. */
export const inviteMember = audited(
  async (txDeps: Pick<Deps, 'store' | 'now' | 'randomBytes'>, member: Member) => {
    const isPending =
      member.invitedUntilMs !== null &&
      (await txDeps.store.extendInvitation(member.id, txDeps.now() + invitationMs));
    const result = await createMemberLink(txDeps, member.id, isPending ? { lifetimeMs: invitationMs } : {});
    const time = new Date(result.expiresAtMs).toISOString();
    const until = isPending ? time.slice(0, 16).replace('T', ' ') : time.slice(11, 16);
    return {
      result,
      auditEvent: memberAuditEvent(member, 'member.link_created', `works once, until ${until} UTC`),
    };
  },
);

export const revokeMemberLink = audited(async ({ store }, member: Member) => {
  const result = (await store.revokeLinks(member.id)) > 0;
  return { result, auditEvent: result ? memberAuditEvent(member, 'member.link_revoked') : null };
});

export const updateMemberRole = audited(async ({ store }, member: Member, role: Role) => {
  const before = await store.findMember(member.id);
  const changed = await store.changeMember(member.id, { role });
  if (before === null || changed === null) throw memberNotFound();
  const summary = `from ${before.role} to ${role}`;
  return {
    result: changed,
    auditEvent: before.role === role ? null : memberAuditEvent(changed, 'member.changed', summary),
  };
});

/** Ends all sessions of the member too. Throws 404 if already removed. */
export const deleteMember = audited(async ({ store, now }, member: Member) => {
  const removed = await store.removeMember(member.id, now());
  if (removed === null) throw memberNotFound();
  return {
    result: removed,
    auditEvent: memberAuditEvent(removed, 'member.removed', `was ${removed.role}`),
  };
});

export const endOwnSession = audited(async ({ store, by }, owner: SessionOwner, sessionId: number) => {
  const result = await store.endSession(owner, sessionId);
  return { result, auditEvent: result ? sessionsAuditEvent(by.actor, 1) : null };
});

export const endOtherSessions = audited(async ({ store, by }, owner: SessionOwner, exceptId: number) => {
  const result = await store.endSessions(owner, exceptId);
  return { result, auditEvent: result === 0 ? null : sessionsAuditEvent(by.actor, result) };
});

/** One session of another member, by an admin. */
export const endMemberSession = audited(async ({ store }, member: Member, sessionId: number) => {
  const result = await store.endSession({ memberId: member.id }, sessionId);
  return { result, auditEvent: result ? sessionsAuditEvent(member, 1) : null };
});

export const endMemberSessions = audited(async ({ store }, member: Member) => {
  const result = await store.endSessions({ memberId: member.id }, null);
  return { result, auditEvent: result === 0 ? null : sessionsAuditEvent(member, result) };
});

function sessionsAuditEvent(member: Parameters<typeof memberAuditEvent>[0], count: number): AuditEvent {
  return memberAuditEvent(member, 'session.revoked', count === 1 ? '1 session' : `${count} sessions`);
}

/** By number or name; names are compared with `foldCase`, which ignores case. */
export async function findMember(deps: Pick<Deps, 'store'>, word: string): Promise<Member | null> {
  const named = await findMemberByName(deps, word);
  if (named !== null || !/^[1-9]\d{0,14}$/.test(word)) return named;
  return deps.store.findMember(Number(word));
}

/** False for names of members, and for those that the audit log uses. */
export async function isFreeName(deps: Pick<Deps, 'store'>, name: string): Promise<boolean> {
  return !reservedNames.includes(nameKeyOf(name)) && (await findMemberByName(deps, name)) === null;
}

export function findMemberByName({ store }: Pick<Deps, 'store'>, name: string): Promise<Member | null> {
  return store.findMemberByName(nameKeyOf(name));
}

function memberNotFound(): RestError {
  return new RestError('notifier_member_invalid_id', 'There is no such member.', 404);
}

export function parseRole(word: string | undefined): Role | null {
  return roles.find((role) => role === word) ?? null;
}

function nameKeyOf(name: string): string {
  return foldCase(name.trim().replaceAll(/\s+/g, ' '));
}

function requireEmail(email: string | null): string | null {
  if (email === null || email === '') return null;
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(email) && email.length <= emailCharactersMax) return email;
  throw createBadRequestError(
    'notifier_member_email',
    'Enter a valid e-mail address, for example name@shop.example.',
  );
}
