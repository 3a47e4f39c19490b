// What the pages of who is not signed in say: types alone.
import type { Role } from '../store/members.ts';

/** Why somebody has to sign in once more. */
export type SignInFault =
  | 'unknown_token'
  | 'too_many_tries'
  | 'link_used'
  | 'link_over'
  | 'link_unknown'
  | 'link_elsewhere';

export interface SignInModel {
  readonly fault: SignInFault | null;
  /** Tries that are left this minute; null where they are not counted. */
  readonly tries_left: number | null;
  /** Where to go on, a path of ours. */
  readonly next: string;
  /** Where this is, as the address bar says it. */
  readonly host: string;
}

export interface InvitationModel {
  /** What was in the link. */
  readonly link: string;
  readonly name: string;
  readonly role: Role;
  /** What the role may do, in words that follow "may". */
  readonly may: readonly string[];
  readonly ends_at: string;
  readonly next: string;
  readonly host: string;
}
