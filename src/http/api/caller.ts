import type { Member, PersonalToken } from '../../core/store/members.ts';
import type { Project, ProjectKey } from '../../core/store/projects.ts';

export type Caller = ProjectCaller | PersonCaller;

export type ProjectCaller = KeyCaller | TokenCaller;

export interface KeyCaller {
  readonly project: Project;
  readonly key: ProjectKey;
  readonly member: null;
}

/** A member with a personal token, and the project that the request names. */
interface TokenCaller {
  readonly project: Project;
  readonly key: PersonalToken;
  readonly member: Member;
}

/** The same on a route that is about no project. */
interface PersonCaller {
  readonly project: null;
  readonly key: PersonalToken;
  readonly member: Member;
}

/** Limits are of a key, and of a member for all their tokens together. */
export function limitIdOf({ key, member }: Caller): number {
  return member === null ? key.id : -member.id;
}
