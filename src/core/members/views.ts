import { momentText } from '../reading/moments.ts';
import type { ListedMember, Member, MemberSession, Role } from '../store/members.ts';
import { browserOf } from './browser.ts';

export interface MemberView {
  readonly member_id: number;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly created_at: string | null;
  readonly created_by: string;
  readonly last_seen: string | null;
}

export interface ListedMemberView extends MemberView {
  readonly sessions: number;
  /** Expiry of an unused sign-in link. */
  readonly link_ends_at: string | null;
}

export function viewMember(member: Member): MemberView {
  return {
    member_id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    created_at: momentText(member.createdAtMs),
    created_by: member.createdBy,
    last_seen: momentText(member.seenAtMs),
  };
}

export function viewListedMember(member: ListedMember): ListedMemberView {
  return {
    ...viewMember(member),
    sessions: member.sessionsCount,
    link_ends_at: momentText(member.linkEndsAtMs),
  };
}

export interface SessionView {
  readonly session_id: number;
  readonly browser: string;
  readonly net: string;
  readonly created_at: string | null;
  readonly last_used: string | null;
  readonly ends_at: string | null;
  readonly is_this: boolean;
}

export function viewSession(session: MemberSession, thisId: number | null): SessionView {
  return {
    session_id: session.id,
    browser: browserOf(session.userAgent),
    net: session.net,
    created_at: momentText(session.createdAtMs),
    last_used: momentText(session.seenAtMs),
    ends_at: momentText(session.expiresAtMs),
    is_this: session.id === thisId,
  };
}
