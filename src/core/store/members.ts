// Members of the workspace, as the store keeps them and as a request of theirs is known: types alone.

/** What a member may do; each holds all before it (D-60). */
export type Role = 'viewer' | 'member' | 'admin';

/** Who asks for a page or acts on one. */
export interface Visitor {
  /** Null for who signed in with the token of the workspace. */
  readonly memberId: number | null;
  /** As activities and the audit history name them; `token` for the token. */
  readonly name: string;
  readonly role: Role;
  /** Stands in every form of theirs, and is asked for when it comes back. */
  readonly csrfToken: string;
}
