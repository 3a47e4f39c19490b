import type { Role } from '../store/members.ts';

export type SignInError =
  | 'unknown_token'
  | 'too_many_tries'
  | 'link_used'
  | 'link_over'
  | 'link_unknown'
  | 'link_elsewhere';

export interface SignInModel {
  readonly fault: SignInError | null;
  /** Remaining attempts in this minute; null if they are not limited. */
  readonly tries_left: number | null;
  readonly next: string;
  readonly host: string;
}

export interface InvitationModel {
  /** The token of the link. */
  readonly link: string;
  readonly name: string;
  readonly role: Role;
  /** Completes "may …". */
  readonly may: readonly string[];
  readonly ends_at: string;
  readonly next: string;
  readonly host: string;
}
