// Members of the workspace, their sessions and sign-in links, as the store keeps them: types alone.

/** What a member may do; each holds all before it (D-127). */
export type Role = 'viewer' | 'member' | 'admin';

/** Least first. */
export const roles: readonly Role[] = ['viewer', 'member', 'admin'];

/** Who asks for a page or acts on one. */
export interface Visitor {
  /** Null for who signed in with the token of the workspace. */
  readonly memberId: number | null;
  /** As activities and the audit history name them; `token` for the token. */
  readonly name: string;
  readonly role: Role;
  /** The number of the session that asks; null where a session has only begun. Opens nothing. */
  readonly sessionId: number | null;
  /** Stands in every form of theirs, and is asked for when it comes back. */
  readonly csrfToken: string;
}

/** Under this name stands the digest of the workspace's token (`SettingStore`). */
export const adminTokenSetting = 'admin_token_hash';

export interface Member {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly createdAtMs: number;
  /** Who added them, as the audit history names actors. */
  readonly createdBy: string;
  /** When they were last here, to some minutes; null where they never were. */
  readonly seenAtMs: number | null;
}

interface NewMember {
  readonly name: string;
  /** The name as it is compared: no two members have the same. */
  readonly nameKey: string;
  readonly email: string | null;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly createdBy: string;
}

/** A member as a list shows them. */
export interface ListedMember extends Member {
  readonly sessionsCount: number;
  /** When their sign-in link ends that nobody has used yet; null where there is none. */
  readonly linkEndsAtMs: number | null;
}

/** Whose a session or a link is: a member's, or that of the workspace's token with this digest. */
export type Holder = { readonly memberId: number } | { readonly tokenHash: string };

export interface NewSession {
  /** sha256 of the session's id, which is in the cookie and nowhere else. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** What the browser calls itself; cut. */
  readonly userAgent: string;
  /** The net that the visitor came from, such as `198.51.100.0/24`. */
  readonly net: string;
}

export interface MemberSession {
  readonly id: number;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
  readonly userAgent: string;
  readonly net: string;
}

/** A session that holds, and whose it is: null means the workspace's token. */
export interface FoundSession {
  readonly session: MemberSession;
  readonly holder: Holder;
  readonly member: Member | null;
}

interface NewLink {
  /** sha256 of the token in the link. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** How it stands with a link: `used`, `over` and `withdrawn` (or never made: `unknown`) open nothing. */
export type LinkState = 'open' | 'used' | 'over' | 'unknown';

export interface FoundLink {
  readonly state: LinkState;
  readonly expiresAtMs: number | null;
  /** Null for the link of the workspace's token, and where no link was found. */
  readonly member: Member | null;
}

export interface MemberStore {
  /** Null where a member has that name already; names are compared by their key. */
  addMember(member: NewMember): Promise<Member | null>;
  findMember(memberId: number): Promise<Member | null>;
  findMemberByName(nameKey: string): Promise<Member | null>;
  /** All who are members now, in the order of their names. */
  listMembers(nowMs: number): Promise<ListedMember[]>;
  /** Changes what is given; null where there is no such member. A new role holds from the next request on. */
  changeMember(
    memberId: number,
    change: { readonly role?: Role; readonly email?: string | null },
  ): Promise<Member | null>;
  /** Ends membership, sessions and links at once; their id is never given again. Null: there is none. */
  removeMember(memberId: number, nowMs: number): Promise<Member | null>;

  /** Keeps a link. One of a member takes the place of those before; links long over go. */
  addLink(holder: Holder, link: NewLink): Promise<void>;
  /** How a link stands. One of the workspace's token stands only while that token does. */
  findLink(hash: string, nowMs: number): Promise<FoundLink>;
  /** Takes back what links of a member are open; answers how many. */
  withdrawLinks(memberId: number): Promise<number>;
  /**
   * Spends an open link for a session, in one step: of two who come with one link, one gets in. Any other
   * link opens nothing, and says how it stands.
   */
  spendLink(hash: string, session: NewSession): Promise<FoundLink>;

  /** Begins a session; the oldest of its holder end beyond `sessionsMax`. Null where the member has gone. */
  addSession(holder: Holder, session: NewSession): Promise<FoundSession | null>;
  /** The session that holds at `nowMs`: not over, of a member who is one, of a token that stands. */
  findSession(hash: string, nowMs: number): Promise<FoundSession | null>;
  /** Which of at most 1,000 sessions, by their numbers, hold at `nowMs`, as `findSession` has it. */
  sessionsThatHold(sessionIds: readonly number[], nowMs: number): Promise<number[]>;
  /** Says that a session was used, and how long it holds from now on. */
  touchSession(sessionId: number, nowMs: number, expiresAtMs: number): Promise<void>;
  /** The sessions of one holder that hold at `nowMs`, the last used first. */
  listSessions(holder: Holder, nowMs: number): Promise<MemberSession[]>;
  /** Ends one session of a holder; false where they have no such one. */
  endSession(holder: Holder, sessionId: number): Promise<boolean>;
  /** Ends all sessions of a holder but one; answers how many. */
  endSessions(holder: Holder, exceptId: number | null): Promise<number>;
  /** Ends every session and link of the workspace’s token, whichever it was; answers how many sessions. */
  endTokenSessions(): Promise<number>;
}

/** A holder's sessions at once; nobody has more browsers than that. */
export const sessionsMax = 50;
