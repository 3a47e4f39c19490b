/** Each role may do everything that the ones before it may. */
export type Role = 'viewer' | 'member' | 'admin';

export const roles: readonly Role[] = ['viewer', 'member', 'admin'];

export interface CurrentUser {
  /** Null for a user who signed in with the workspace token. */
  readonly memberId: number | null;
  readonly name: string;
  readonly role: Role;
  /** Database id of the session, not a secret; null while the session is being created. */
  readonly sessionId: number | null;
  readonly csrfToken: string;
}

export const adminTokenSetting = 'admin_token_hash';

export interface Member {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly createdBy: string;
  /** Accurate to some minutes; null for never. */
  readonly seenAtMs: number | null;
  /** False: chosen projects only (`TeamStore.listAccess`). */
  readonly hasAllProjects: boolean;
  /** Expiry of an invitation that was not accepted yet. */
  readonly invitedUntilMs: number | null;
}

interface NewMember {
  readonly name: string;
  /** The normalised name, which is unique. */
  readonly nameKey: string;
  readonly email: string | null;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly createdBy: string;
}

export interface ListedMember extends Member {
  readonly sessionsCount: number;
  readonly linkEndsAtMs: number | null;
}

export type SessionOwner = { readonly memberId: number } | { readonly tokenHash: string };

export interface NewSession {
  /** SHA-256 of the session id. The id itself is only in the cookie. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** However much it is used; null for no such limit. */
  readonly endsByMs: number | null;
  readonly userAgent: string;
  readonly network: string;
  /** Completes "signed in …"; empty for sessions from before it was recorded. */
  readonly signedInBy: string;
}

export interface MemberSession {
  readonly id: number;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
  readonly endsByMs: number | null;
  readonly userAgent: string;
  readonly network: string;
  readonly signedInBy: string;
}

export interface FoundSession {
  readonly session: MemberSession;
  readonly holder: SessionOwner;
  readonly member: Member | null;
}

interface NewLink {
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Asked for by e-mail; others are replaced by the next one of the member. */
  readonly byMail: boolean;
}

/** `over` is expired; `unknown` is withdrawn or never created. */
export type LinkState = 'open' | 'used' | 'over' | 'unknown';

export interface FoundLink {
  readonly state: LinkState;
  readonly expiresAtMs: number | null;
  readonly member: Member | null;
  readonly byMail: boolean;
}

export interface MemberStore {
  addMember(member: NewMember): Promise<Member | null>;
  findMember(memberId: number): Promise<Member | null>;
  findMemberByName(nameKey: string): Promise<Member | null>;
  /** All, sorted by name, or the one member. */
  listMembers(nowMs: number, memberId?: number): Promise<ListedMember[]>;
  changeMember(
    memberId: number,
    change: { readonly role?: Role; readonly email?: string | null },
  ): Promise<Member | null>;
  /** False for a member who signed in already, or was removed. */
  extendInvitation(memberId: number, untilMs: number): Promise<boolean>;
  /** Ends sessions and links at once. The id is never used again. */
  removeMember(memberId: number, nowMs: number): Promise<Member | null>;

  addLink(holder: SessionOwner, link: NewLink): Promise<void>;
  findLink(hash: string, nowMs: number): Promise<FoundLink>;
  revokeLinks(memberId: number): Promise<number>;
  /** Exchanges a link for a session atomically, so that a link works only once. */
  redeemLink(hash: string, session: NewSession): Promise<FoundLink>;

  /** Ends the oldest sessions of the owner beyond `sessionsMax`. Null where the member was removed. */
  addSession(holder: SessionOwner, session: NewSession): Promise<FoundSession | null>;
  /** Null when it has expired, the member was removed, or the workspace token has changed. */
  findSession(hash: string, nowMs: number): Promise<FoundSession | null>;
  sessionsThatHold(sessionIds: readonly number[], nowMs: number): Promise<number[]>;
  touchSession(sessionId: number, nowMs: number, expiresAtMs: number): Promise<void>;
  /** Last used first; `addSession` leaves at most `sessionsMax`. */
  listSessions(holder: SessionOwner, nowMs: number): Promise<MemberSession[]>;
  endSession(holder: SessionOwner, sessionId: number): Promise<boolean>;
  endSessions(holder: SessionOwner, exceptId: number | null): Promise<number>;
  /** Ends sessions and links of every workspace token, past ones too; returns how many sessions. */
  endTokenSessions(): Promise<number>;
}

export const sessionsMax = 50;
