import type { SessionView } from '../../../schemas/members.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { maskKey } from '../projects/keys.ts';
import type { ListedMember, Member, MemberSession, PersonalToken } from '../store/members.ts';
import { describeBrowser } from './sessions.ts';

type MemberView = ReturnType<typeof viewMember>;

export interface ListedMemberView extends MemberView {
  readonly sessions: number;
  readonly link_ends_at: string | null;
}

export function viewMember(member: Member) {
  return {
    member_id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    created_at: formatTime(member.createdAtMs),
    created_by: member.createdBy,
    last_seen: formatTime(member.seenAtMs),
  };
}

export function viewListedMember(member: ListedMember): ListedMemberView {
  return {
    ...viewMember(member),
    sessions: member.sessionsCount,
    link_ends_at: formatTime(member.linkEndsAtMs),
  };
}

export function viewPersonalToken(token: PersonalToken, nowMs: number) {
  return {
    token_id: token.id,
    name: token.name,
    /** Masked. */
    token: maskKey(token),
    scopes: token.scopes,
    created_at: formatTime(token.createdAtMs),
    expires_at: formatTime(token.expiresAtMs),
    last_used: formatTime(token.lastUsedAtMs),
    is_expired: token.expiresAtMs <= nowMs,
  };
}

export function viewSession(session: MemberSession, thisId: number | null): SessionView {
  return {
    session_id: session.id,
    browser: describeBrowser(session.userAgent),
    network: session.network,
    signed_in_by: session.signedInBy,
    created_at: formatTime(session.createdAtMs),
    last_used: formatTime(session.seenAtMs),
    ends_at: formatTime(session.expiresAtMs),
    is_this: session.id === thisId,
  };
}
