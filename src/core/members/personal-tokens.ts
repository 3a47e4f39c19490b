// API tokens of members ("user auth tokens" in Sentry): shown once, stored as a hash, revoked by deleting them.
import { type AuditEvent, audited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, RestError } from '../errors.ts';
import { isLongerThan } from '../parsing/cut-text.ts';
import { dayMs } from '../parsing/durations.ts';
import { formatDate } from '../parsing/timestamps.ts';
import { generateKey, getDisplayPrefix, hashKey, maskKey } from '../projects/keys.ts';
import {
  type Member,
  type PersonalToken,
  personalTokensMax,
  type TokenScope,
  tokenScopes,
} from '../store/members.ts';
import type { Project } from '../store/projects.ts';
import { findProjectScope } from './project-scope.ts';

export const tokenDaysDefault = 90;
const tokenDaysMax = 366;
const nameCharactersMax = 60;

export interface TokenFields {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** At most a year from now. */
  readonly expiresAtMs: number | null;
}

export interface CreatedToken {
  readonly token: PersonalToken;
  /** The whole token, which cannot be shown again. */
  readonly text: string;
}

/** Throws 400 for a bad name or expiry, no scope, or too many tokens. */
export const createPersonalToken = audited(
  async (
    { store, now, randomBytes }: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
    member: Pick<Member, 'id' | 'name'>,
    fields: TokenFields,
  ) => {
    const name = requireTokenName(fields.name);
    if (fields.scopes.length === 0) throw badToken('Choose at least one scope.', 'scopes');
    const text = generateKey('personal', randomBytes);
    const createdAtMs = now();
    const expiresAtMs = requireTokenExpiry(fields.expiresAtMs, createdAtMs);
    if ((await store.listPersonalTokens(member.id)).length >= personalTokensMax) {
      throw badToken(`A member can have ${personalTokensMax} API tokens. Revoke one first.`, 'name');
    }
    const token = await store.addPersonalToken({
      memberId: member.id,
      hash: hashKey(text),
      prefix: getDisplayPrefix(text),
      lastFour: text.slice(-4),
      name,
      scopes: tokenScopes.filter((scope) => fields.scopes.includes(scope)),
      createdAtMs,
      expiresAtMs,
    });
    const result: CreatedToken = { token, text };
    return { result, auditEvent: tokenEvent('personal_token.created', member, token) };
  },
);

/** Takes effect at once. Throws 404 for a token that is not the member's. */
export const revokePersonalToken = audited(
  async ({ store }, member: Pick<Member, 'id' | 'name'>, id: number) => {
    const token = await store.removePersonalToken(member.id, id);
    if (token === null) {
      throw new RestError('notifier_personal_token_invalid_id', 'There is no such API token.', 404);
    }
    return { result: token, auditEvent: tokenEvent('personal_token.revoked', member, token) };
  },
);

function tokenEvent(
  action: 'personal_token.created' | 'personal_token.revoked',
  member: Pick<Member, 'id' | 'name'>,
  token: PersonalToken,
): AuditEvent {
  const { id, scopes, expiresAtMs } = token;
  const ends = formatDate(expiresAtMs);
  const summary = `of ${member.name}: ${maskKey(token)}, ${scopes.join(', ')}, until ${ends}`;
  return { action, object: { kind: 'personal_token', id, name: token.name }, summary };
}

export type TokenRefusal = 'key_missing' | 'key_unknown' | 'key_expired';

export interface TokenUser {
  readonly token: PersonalToken;
  readonly member: Member;
  /** Those that the member sees, in the order of their ids. */
  readonly projects: readonly Project[];
  readonly hasAllProjects: boolean;
}

export function isPersonalToken(text: string): boolean {
  return text.startsWith('ntf_pt_');
}

/** Who sends this token, with what they have access to at this moment. Records its use. */
export async function findTokenUser(
  deps: Pick<Deps, 'store' | 'now' | 'log'>,
  text: string,
): Promise<TokenUser | TokenRefusal> {
  const found = await deps.store.findPersonalToken(hashKey(text));
  if (found === null) return text === '' ? 'key_missing' : 'key_unknown';
  const { token, member } = found;
  const nowMs = deps.now();
  const isInvitationOver = member.invitedUntilMs !== null && member.invitedUntilMs <= nowMs;
  if (token.expiresAtMs <= nowMs || isInvitationOver) return 'key_expired';
  if (nowMs - (token.lastUsedAtMs ?? 0) >= 60_000) {
    deps.store
      .touchPersonalToken(token.id, nowMs)
      .catch(() => deps.log.debug({ tokenId: token.id }, 'last use of an API token could not be stored'));
  }
  const scope = await findProjectScope(deps.store, { memberId: member.id });
  const all = await deps.store.listProjects();
  const projects = scope === null ? all : all.filter(({ id }) => scope.includes(id));
  return { token, member, projects, hasAllProjects: scope === null };
}

/** The project that a request with a token is about: the named one (name or id), else the only one. @throws
 * {RestError} 404 for another, 400 where none is named and there are several. */
export function projectOfToken({ projects }: TokenUser, word: string | null): Project {
  if (word !== null) {
    const named =
      projects.find((each) => each.name === word) ?? projects.find((each) => String(each.id) === word);
    if (named !== undefined) return named;
    throw new RestError('notifier_project_invalid_id', 'There is no project with this number.', 404);
  }
  const [first] = projects;
  if (first !== undefined && projects.length === 1) return first;
  throw createBadRequestError(
    'notifier_project_missing',
    projects.length === 0
      ? 'This token has access to no project.'
      : 'Name a project, by name or number, in the header X-Notifier-Project.',
  );
}

/** Throws 400 for none, and for unknown ones. */
export function parseTokenScopes(words: readonly string[]): TokenScope[] {
  const unknownScope = words.find((word) => !tokenScopes.some((scope) => scope === word));
  if (words.length > 0 && unknownScope === undefined)
    return tokenScopes.filter((scope) => words.includes(scope));
  const problem =
    unknownScope === undefined ? 'No scope was given' : `"${unknownScope.slice(0, 40)}" is none of them`;
  throw badToken(`The scopes of an API token are ${tokenScopes.join(', ')}. ${problem}.`, 'scopes');
}

function requireTokenName(name: string): string {
  const plain = name.trim().replaceAll(/\s+/g, ' ');
  if (plain !== '' && !isLongerThan(plain, nameCharactersMax) && !/\p{C}/u.test(plain)) return plain;
  throw badToken(`The name must have 1 to ${nameCharactersMax} characters.`, 'name');
}

function requireTokenExpiry(expiresAtMs: number | null, nowMs: number): number {
  const latest = nowMs + tokenDaysMax * dayMs;
  if (expiresAtMs !== null && expiresAtMs > nowMs && expiresAtMs <= latest) return expiresAtMs;
  throw badToken('An API token must expire within a year.', 'expires');
}

function badToken(reason: string, field: string): RestError {
  return createBadRequestError('notifier_personal_token', reason, { params: { [field]: reason } });
}
