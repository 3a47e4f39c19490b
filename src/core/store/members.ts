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

interface NewMember extends Pick<Member, 'name' | 'email' | 'role' | 'createdAtMs' | 'createdBy'> {
  /** The normalised name, which is unique. */
  readonly nameKey: string;
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

export interface MemberSession extends Omit<NewSession, 'hash'> {
  readonly id: number;
  readonly seenAtMs: number;
}

export interface FoundSession {
  readonly session: MemberSession;
  readonly owner: SessionOwner;
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

  addLink(owner: SessionOwner, link: NewLink): Promise<void>;
  findLink(hash: string, nowMs: number): Promise<FoundLink>;
  revokeLinks(memberId: number): Promise<number>;
  /** Exchanges a link for a session atomically, so that a link works only once. */
  redeemLink(hash: string, session: NewSession): Promise<FoundLink>;

  /** Ends the oldest sessions of the owner beyond `sessionsMax`. Null where the member was removed. */
  addSession(owner: SessionOwner, session: NewSession): Promise<FoundSession | null>;
  /** Null when it has expired, the member was removed, or the workspace token has changed. */
  findSession(hash: string, nowMs: number): Promise<FoundSession | null>;
  sessionsThatHold(sessionIds: readonly number[], nowMs: number): Promise<number[]>;
  touchSession(sessionId: number, nowMs: number, expiresAtMs: number): Promise<void>;
  /** Last used first; `addSession` leaves at most `sessionsMax`. */
  listSessions(owner: SessionOwner, nowMs: number): Promise<MemberSession[]>;
  endSession(owner: SessionOwner, sessionId: number): Promise<boolean>;
  endSessions(owner: SessionOwner, exceptId: number | null): Promise<number>;
  /** Ends sessions and links of every workspace token, past ones too; returns how many sessions. */
  endTokenSessions(): Promise<number>;
}

export const sessionsMax = 50;

export interface Team {
  readonly id: number;
  /** As in `#payments`, without the `#`. */
  readonly name: string;
  readonly hasAllProjects: boolean;
  readonly createdAtMs: number;
  readonly createdBy: string;
}

export interface ListedTeam extends Team {
  readonly members: ReadonlyArray<{ readonly id: number; readonly name: string }>;
  /** Chosen projects; they count only without `hasAllProjects`. */
  readonly projectIds: readonly number[];
}

export interface ProjectAccess {
  readonly hasAllProjects: boolean;
  readonly projectIds: readonly number[];
}

type AccessOwner = { readonly memberId: number } | { readonly teamId: number };

export interface TeamStore {
  /** Null where the name is taken. */
  addTeam(team: Omit<Team, 'id'>): Promise<Team | null>;
  findTeam(teamId: number): Promise<Team | null>;
  findTeamByName(name: string): Promise<Team | null>;
  /** Sorted by name: all, or those that the member is in. */
  listTeams(memberId?: number): Promise<ListedTeam[]>;
  /** `taken` is the name of another team. */
  renameTeam(teamId: number, name: string): Promise<Team | 'taken' | null>;
  /** Removes its members and access at once. The id is never used again. */
  removeTeam(teamId: number, nowMs: number): Promise<Team | null>;
  /** False where the member is in the team already, or one of both was removed. */
  addTeamMember(teamId: number, memberId: number): Promise<boolean>;
  removeTeamMember(teamId: number, memberId: number): Promise<boolean>;
  setAccess(owner: AccessOwner, access: ProjectAccess): Promise<boolean>;
  /** Chosen projects by member id, without those of teams: of all members, or of one. */
  listMemberProjects(memberId?: number): Promise<ReadonlyMap<number, readonly number[]>>;
  /** Own projects and those of the teams; all for admins. Removed members are not in it. */
  listAccess(memberIds: readonly number[]): Promise<ReadonlyMap<number, ProjectAccess>>;
}

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

/** An account at a provider. Only issuer and subject say whose it is; the address may change. */
export interface MemberIdentity {
  readonly id: number;
  readonly memberId: number;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly createdAtMs: number;
  readonly usedAtMs: number;
}

export interface Passkey {
  readonly id: number;
  readonly memberId: number;
  /** Both in base64url; the key is a COSE key. */
  readonly credentialId: string;
  readonly publicKey: string;
  /** Signatures that the authenticator counted; 0 where it counts none. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
}

export interface SignInMethods {
  readonly hasPasskey: boolean;
  readonly issuers: readonly string[];
}

export interface SignInStore {
  /** Removes expired ones, and the oldest beyond `challengesMax`. */
  addChallenge(
    challenge: { readonly hash: string; readonly body: string; readonly expiresAtMs: number },
    nowMs: number,
  ): Promise<void>;
  /** The body of a challenge that has not expired; only the first caller gets it. */
  takeChallenge(hash: string, nowMs: number): Promise<string | null>;

  /** Members with this e-mail address, without regard to the case of ASCII letters. */
  listMembersByEmail(email: string): Promise<Member[]>;
  /** Whether one was removed, or their invitation revoked. */
  hasRemovedMember(email: string): Promise<boolean>;
  /** Null if the issuer's subject, or another one of that issuer for the member, is there. */
  addIdentity(identity: Omit<MemberIdentity, 'id'>): Promise<MemberIdentity | null>;
  findIdentity(issuer: string, subject: string): Promise<MemberIdentity | null>;
  listIdentities(memberId: number): Promise<MemberIdentity[]>;
  /** By member id, of all or of one: passkeys, and issuers of accounts. Members with neither are absent. */
  listSignInMethods(memberId?: number): Promise<ReadonlyMap<number, SignInMethods>>;
  touchIdentity(id: number, email: string | null, usedAtMs: number): Promise<void>;
  removeIdentity(memberId: number, id: number): Promise<MemberIdentity | null>;

  /** Null if the credential is there. */
  addPasskey(passkey: Omit<Passkey, 'id' | 'usedAtMs'>): Promise<Passkey | null>;
  hasPasskeys(): Promise<boolean>;
  findPasskey(credentialId: string): Promise<Passkey | null>;
  listPasskeys(memberId: number): Promise<Passkey[]>;
  /** False unless `counter` is above the stored one, or both are 0: a used or copied authenticator. */
  usePasskey(id: number, counter: number, usedAtMs: number): Promise<boolean>;
  renamePasskey(memberId: number, id: number, name: string): Promise<Passkey | null>;
  removePasskey(memberId: number, id: number): Promise<Passkey | null>;
}

export const passkeysMax = 20;
export const challengesMax = 10_000;
