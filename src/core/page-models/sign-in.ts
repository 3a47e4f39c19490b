import type { SignInFault } from '../sign-in/provider-account.ts';
import type { Role } from '../store/members.ts';

export type SignInError =
  | 'unknown_token'
  | 'too_many_tries'
  | 'link_used'
  | 'link_over'
  | 'link_unknown'
  | 'link_elsewhere'
  | 'unknown_passkey'
  | 'invalid_email'
  | 'too_many_links';

/** What is set up; the token is always there. */
export interface SignInMethods {
  readonly passkey: boolean;
  readonly providers: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly mail: boolean;
}

export interface SignInModel {
  readonly fault: SignInError | null;
  readonly account: {
    readonly fault: SignInFault;
    readonly provider: string;
    readonly email: string | null;
  } | null;
  readonly ways: SignInMethods;
  readonly asksToken: boolean;
  readonly email: string;
  readonly isMailed: boolean;
  readonly hasDemo: boolean;
  /** Remaining attempts in this minute; null if they are not limited. */
  readonly tries_left: number | null;
  readonly next: string;
  readonly host: string;
}

export interface InvitationModel {
  readonly link: string;
  readonly name: string;
  readonly role: Role;
  /** Completes "may …". */
  readonly may: readonly string[];
  readonly ends_at: string;
  readonly next: string;
  readonly host: string;
}
