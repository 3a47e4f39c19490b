import type { Member } from './members.ts';

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
