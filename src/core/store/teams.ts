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

export type AccessOwner = { readonly memberId: number } | { readonly teamId: number };

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
