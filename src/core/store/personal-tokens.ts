import type { Member } from './members.ts';

/** `read` reads; `issues` resolves, ignores, assigns and comments; `ci` sends releases, deploys, artifacts and test
 * runs; `admin` changes everything else. */
export const tokenScopes = ['read', 'issues', 'ci', 'admin'] as const;

export type TokenScope = (typeof tokenScopes)[number];

/** An API token of a member, who can never do more with it than on the pages. */
export interface PersonalToken {
  readonly id: number;
  readonly memberId: number;
  readonly prefix: string;
  readonly lastFour: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly lastUsedAtMs: number | null;
}

interface NewPersonalToken extends Omit<PersonalToken, 'id' | 'lastUsedAtMs'> {
  /** SHA-256 of the whole token, 64 hex. */
  readonly hash: string;
}

export interface PersonalTokenStore {
  addPersonalToken(token: NewPersonalToken): Promise<PersonalToken>;
  /** Includes expired ones; null where the member was removed. */
  findPersonalToken(hash: string): Promise<{ token: PersonalToken; member: Member } | null>;
  /** Of all members where `memberId` is null. */
  listPersonalTokens(memberId: number | null): Promise<PersonalToken[]>;
  removePersonalToken(memberId: number, id: number): Promise<PersonalToken | null>;
  /** At most one write a minute. */
  touchPersonalToken(id: number, usedAtMs: number): Promise<void>;
}

export const personalTokensMax = 50;
