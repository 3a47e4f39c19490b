// Rows of members, sessions and links, as the rules know them. No queries.
import type { FoundSession, Holder, Member, MemberSession, Role } from '../../src/core/store/members.ts';
import type { SqlValue } from '../db.ts';

export interface MemberRow {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly created_at_ms: number;
  readonly created_by: string;
  readonly seen_at_ms: number | null;
}

export const memberColumns = 'id, name, email, role, created_at_ms, created_by, seen_at_ms';

/** The member that a row of `memberColumns` is. */
export function memberOf(row: MemberRow): Member {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    createdAtMs: row.created_at_ms,
    createdBy: row.created_by,
    seenAtMs: row.seen_at_ms,
  };
}

export interface SessionRow {
  readonly id: number;
  readonly created_at_ms: number;
  readonly seen_at_ms: number;
  readonly expires_at_ms: number;
  readonly user_agent: string;
  readonly net: string;
}

export const sessionColumns = 'id, created_at_ms, seen_at_ms, expires_at_ms, user_agent, net';

/** The session that a row of `sessionColumns` is. */
export function sessionOf(row: SessionRow): MemberSession {
  return {
    id: row.id,
    createdAtMs: row.created_at_ms,
    seenAtMs: row.seen_at_ms,
    expiresAtMs: row.expires_at_ms,
    userAgent: row.user_agent,
    net: row.net,
  };
}

/** Whose a row with `member_id` and `token_hash` is. */
export function holderOf(row: { member_id: number | null; token_hash: string | null }): Holder {
  return row.member_id === null ? { tokenHash: row.token_hash ?? '' } : { memberId: row.member_id };
}

/** A holder as the values of `member_id` and `token_hash`. */
export function holderValues(holder: Holder): readonly [SqlValue, SqlValue] {
  return 'memberId' in holder ? [holder.memberId, null] : [null, holder.tokenHash];
}

/** A session, whose it is, and the member behind it, whose row is null for the token's. */
export function foundSession(
  row: SessionRow & { member_id: number | null; token_hash: string | null },
  member: MemberRow | null,
): FoundSession {
  return {
    session: sessionOf(row),
    holder: holderOf(row),
    member: member === null ? null : memberOf(member),
  };
}
