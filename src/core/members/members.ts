import type { AuditAction } from '../audit/actions.ts';
import { type AuditBy, type AuditedAct, actAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { badRequest, RestError } from '../errors.ts';
import { isLongerThan } from '../reading/cut-text.ts';
import { foldText } from '../reading/fold-text.ts';
import { type Holder, type Member, type Role, roles } from '../store/members.ts';
import { type MadeLink, makeMemberLink } from './links.ts';
import { tokenName } from './sessions.ts';

type Parts = Pick<Deps, 'store' | 'now'>;

const nameCharactersMax = 80;
const emailCharactersMax = 254;

/** Names that the audit log uses for other actors. */
const takenNames: readonly string[] = [tokenName, 'event', 'notifier', 'system', 'command line'];

export interface MemberFields {
  readonly name: string;
  readonly role: Role;
  readonly email: string | null;
}

/** Throws 400 for an invalid or taken name or e-mail address. */
export async function addMember(deps: Parts, fields: MemberFields, by: AuditBy): Promise<Member> {
  const name = fields.name.trim().replaceAll(/\s+/g, ' ');
  if (name === '' || isLongerThan(name, nameCharactersMax) || /\p{C}/u.test(name)) {
    throw badRequest('notifier_member_name', `The name must have 1 to ${nameCharactersMax} characters.`);
  }
  const nameKey = keyOf(name);
  if (takenNames.includes(nameKey)) {
    throw badRequest('notifier_member_name', `“${name}” is reserved. Choose another name.`);
  }
  const member = {
    name,
    nameKey,
    email: checkedEmail(fields.email),
    role: fields.role,
    createdAtMs: deps.now(),
    createdBy: by.actor.name,
  };
  return actAudited(deps, by, async ({ store }) => {
    const added = await store.addMember(member);
    if (added === null) {
      throw badRequest('notifier_member_exists', `A member named “${name}” already exists.`);
    }
    return { result: added, told: toldOf(added, 'member.added', `as ${added.role}`) };
  });
}

/** Returns a one-time link, shown only once. Invalidates earlier ones. */
export async function inviteMember(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  member: Member,
  by: AuditBy,
): Promise<MadeLink> {
  return actAudited(deps, by, async (parts) => {
    const result = await makeMemberLink(parts, member.id);
    const until = new Date(result.expiresAtMs).toISOString().slice(11, 16);
    return { result, told: toldOf(member, 'member.link_made', `works once, until ${until} UTC`) };
  });
}

export async function withdrawLink(deps: Parts, member: Member, by: AuditBy): Promise<boolean> {
  return actAudited(deps, by, async ({ store }) => {
    const result = (await store.withdrawLinks(member.id)) > 0;
    return { result, told: result ? toldOf(member, 'member.link_withdrawn', '') : null };
  });
}

export async function changeRole(deps: Parts, member: Member, role: Role, by: AuditBy): Promise<Member> {
  return actAudited(deps, by, async ({ store }) => {
    const before = await store.findMember(member.id);
    const changed = await store.changeMember(member.id, { role });
    if (before === null || changed === null) throw noMember();
    const summary = `from ${before.role} to ${role}`;
    return {
      result: changed,
      told: before.role === role ? null : toldOf(changed, 'member.changed', summary),
    };
  });
}

/** Ends all sessions of the member too. Throws 404 if already removed. */
export async function removeMember(deps: Parts, member: Member, by: AuditBy): Promise<Member> {
  return actAudited(deps, by, async ({ store, now }) => {
    const removed = await store.removeMember(member.id, now());
    if (removed === null) throw noMember();
    return { result: removed, told: toldOf(removed, 'member.removed', `was ${removed.role}`) };
  });
}

export async function endOwnSession(
  deps: Parts,
  holder: Holder,
  sessionId: number,
  by: AuditBy,
): Promise<boolean> {
  return actAudited(deps, by, async ({ store }) => {
    const result = await store.endSession(holder, sessionId);
    return { result, told: result ? sessionsTold(by, 1) : null };
  });
}

export async function endOtherSessions(
  deps: Parts,
  holder: Holder,
  exceptId: number,
  by: AuditBy,
): Promise<number> {
  return actAudited(deps, by, async ({ store }) => {
    const result = await store.endSessions(holder, exceptId);
    return { result, told: result === 0 ? null : sessionsTold(by, result) };
  });
}

function sessionsTold({ actor }: AuditBy, count: number): AuditedAct {
  const object = { kind: 'member', id: actor.id, name: actor.name };
  return { action: 'session.ended', object, summary: count === 1 ? '1 session' : `${count} sessions` };
}

function toldOf({ id, name }: Member, action: AuditAction, summary: string): AuditedAct {
  return { action, object: { kind: 'member', id, name }, summary };
}

/** By number or name; names are compared with `foldText`, which ignores case. */
export async function findMember(deps: Pick<Deps, 'store'>, word: string): Promise<Member | null> {
  const named = await findMemberNamed(deps, word);
  if (named !== null || !/^[1-9]\d{0,14}$/.test(word)) return named;
  return deps.store.findMember(Number(word));
}

export function findMemberNamed({ store }: Pick<Deps, 'store'>, name: string): Promise<Member | null> {
  return store.findMemberByName(keyOf(name));
}

function noMember(): RestError {
  return new RestError('notifier_member_invalid_id', 'There is no such member.', 404);
}

export function roleOf(word: string | undefined): Role | null {
  return roles.find((role) => role === word) ?? null;
}

function keyOf(name: string): string {
  return foldText(name.trim().replaceAll(/\s+/g, ' '));
}

function checkedEmail(email: string | null): string | null {
  if (email === null || email === '') return null;
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(email) && email.length <= emailCharactersMax) return email;
  throw badRequest('notifier_member_email', 'Enter a valid e-mail address, for example name@shop.example.');
}
