// Members: how they are added, changed and removed, whoever asks: a page or the command line.
import type { Deps } from '../deps.ts';
import { badRequest, RestError } from '../errors.ts';
import { isLongerThan } from '../reading/cut-text.ts';
import { foldText } from '../reading/fold-text.ts';
import { type Member, type Role, roles } from '../store/members.ts';
import { tokenName } from './sessions.ts';

type Parts = Pick<Deps, 'store' | 'now'>;

const nameCharactersMax = 80;
const emailCharactersMax = 254;

/** What an activity calls those who are no members: nobody may be taken for them. */
const takenNames: readonly string[] = [tokenName, 'event', 'notifier', 'system', 'command line'];

export interface MemberFields {
  readonly name: string;
  readonly role: Role;
  readonly email: string | null;
}

/**
 * Adds a member. Throws RestError 400 for a name or an address that cannot be one, or that somebody has.
 */
export async function addMember(deps: Parts, fields: MemberFields, by: string): Promise<Member> {
  const name = fields.name.trim().replaceAll(/\s+/g, ' ');
  if (name === '' || isLongerThan(name, nameCharactersMax) || /\p{C}/u.test(name)) {
    throw badRequest('notifier_member_name', `A name has 1 to ${nameCharactersMax} characters.`);
  }
  const nameKey = keyOf(name);
  if (takenNames.includes(nameKey)) {
    throw badRequest('notifier_member_name', `“${name}” means something else in the history: take another.`);
  }
  const added = await deps.store.addMember({
    name,
    nameKey,
    email: checkedEmail(fields.email),
    role: fields.role,
    createdAtMs: deps.now(),
    createdBy: by,
  });
  if (added !== null) return added;
  throw badRequest('notifier_member_exists', `There is a member named “${name}” already.`);
}

/** The member that a number or a name means; names are compared as people read them. Null: there is none. */
export async function findMember(deps: Pick<Deps, 'store'>, word: string): Promise<Member | null> {
  const named = await deps.store.findMemberByName(keyOf(word));
  if (named !== null || !/^[1-9]\d{0,14}$/.test(word)) return named;
  return deps.store.findMember(Number(word));
}

/** 404 for a member who is none, or none any more. */
export function noMember(): RestError {
  return new RestError('notifier_member_invalid_id', 'There is no such member.', 404);
}

/** The role that a word is, or null. */
export function roleOf(word: string | undefined): Role | null {
  return roles.find((role) => role === word) ?? null;
}

function keyOf(name: string): string {
  return foldText(name.trim().replaceAll(/\s+/g, ' '));
}

function checkedEmail(email: string | null): string | null {
  if (email === null || email === '') return null;
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(email) && email.length <= emailCharactersMax) return email;
  throw badRequest('notifier_member_email', 'An e-mail address looks like name@shop.example.');
}
