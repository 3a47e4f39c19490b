import type { SignInConfig } from '../config/sign-in.ts';
import { permissions, roleIncludes } from '../members/permissions.ts';
import { type TeamView, viewProjects, viewTeam } from '../members/teams.ts';
import {
  type ListedMemberView,
  type PersonalTokenView,
  type SessionView,
  viewListedMember,
  viewPersonalToken,
  viewSession,
} from '../members/views.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { adminTokenSetting, type SessionOwner } from '../store/members.ts';
import type { SignInWays } from '../store/sign-in.ts';
import { pageNotFound, pathId, type RequestContext } from './request-context.ts';

export type { TeamView } from '../members/teams.ts';
export type { ProjectAccess } from '../store/teams.ts';

export interface MemberRowView extends ListedMemberView {
  readonly is_you: boolean;
  readonly teams: readonly string[];
  /** Own projects, without those of teams; null: all. Projects that the reader does not see are left out. */
  readonly projects: ReadonlyArray<{ readonly project_id: number; readonly name: string }> | null;
  /** Passkey and names of providers; empty for links alone. */
  readonly sign_in: readonly string[];
  /** Expiry of an invitation that was not accepted yet. */
  readonly invited_until: string | null;
}

export interface PermissionView {
  /** Completes "may …". */
  readonly may: string;
  readonly viewer: boolean;
  readonly member: boolean;
  readonly admin: boolean;
}

export interface MembersModel {
  readonly members: readonly MemberRowView[];
  readonly invitations: readonly MemberRowView[];
  readonly teams: readonly TeamView[];
  readonly your_sessions: readonly SessionView[];
  readonly roles: readonly PermissionView[];
}

/** Shown only in the response of the action that created it. */
export interface CreatedLinkModel {
  readonly name: string;
  readonly link: string;
  readonly ends_at: string;
  /** Whether it was mailed; null where it was not tried. */
  readonly is_mailed: boolean | null;
}

export interface MemberModel {
  readonly member: MemberRowView;
  /** Both for admins only, else empty. */
  readonly sessions: readonly SessionView[];
  readonly tokens: readonly PersonalTokenView[];
}

export interface TeamModel {
  readonly team: TeamView;
  /** Who can be added. */
  readonly others: ReadonlyArray<{ readonly member_id: number; readonly name: string }>;
}

/** E-mail addresses are only shown to admins. */
export async function membersModel(visit: RequestContext): Promise<MembersModel> {
  const rows = await listMemberRows(visit);
  return {
    members: rows.filter((row) => row.invited_until === null),
    invitations: rows.filter((row) => row.invited_until !== null),
    teams: (await visit.deps.store.listTeams()).map((team) => viewTeam(team, visit.projects)),
    your_sessions: await ownSessions(visit),
    roles: Object.values(permissions).map(({ words, needs }) => ({
      may: words,
      viewer: roleIncludes('viewer', needs),
      member: roleIncludes('member', needs),
      admin: roleIncludes('admin', needs),
    })),
  };
}

export async function memberModel(visit: RequestContext): Promise<MemberModel> {
  const id = pathId(visit, 'member_id', 'A member with this number');
  const member = (await listMemberRows(visit)).find((each) => each.member_id === id);
  if (member === undefined) throw pageNotFound('A member with this number');
  if (!roleIncludes(visit.visitor.role, 'admin')) return { member, sessions: [], tokens: [] };
  const { store } = visit.deps;
  const sessions = await store.listSessions({ memberId: id }, visit.nowMs);
  const tokens = await store.listPersonalTokens(id);
  return {
    member,
    sessions: sessions.map((session) => viewSession(session, visit.visitor.sessionId)),
    tokens: tokens.map((token) => viewPersonalToken(token, visit.nowMs)),
  };
}

export async function teamModel(visit: RequestContext): Promise<TeamModel> {
  const what = 'A team with this number';
  const id = pathId(visit, 'team_id', what);
  const listed = (await visit.deps.store.listTeams()).find((each) => each.id === id);
  if (listed === undefined) throw pageNotFound(what);
  const team = viewTeam(listed, visit.projects);
  const inside = new Set(team.members.map((each) => each.member_id));
  const others = (await visit.deps.store.listMembers(visit.nowMs)).filter((each) => !inside.has(each.id));
  return { team, others: others.map((each) => ({ member_id: each.id, name: each.name })) };
}

/** E-mail addresses are for admins. */
export async function listMemberRows({
  deps,
  visitor,
  nowMs,
  projects,
}: Pick<RequestContext, 'deps' | 'visitor' | 'nowMs' | 'projects'>): Promise<MemberRowView[]> {
  const { store } = deps;
  const [members, teams, chosen, ways] = await Promise.all([
    store.listMembers(nowMs),
    store.listTeams(),
    store.listMemberProjects(),
    store.listSignInWays(),
  ]);
  const mayWrite = roleIncludes(visitor.role, 'admin');
  return members.map((member) => {
    const view = viewListedMember(member);
    const hasAll = member.hasAllProjects || member.role === 'admin';
    return {
      ...view,
      email: mayWrite ? view.email : null,
      is_you: member.id === visitor.memberId,
      teams: teams.filter((team) => team.members.some(({ id }) => id === member.id)).map(({ name }) => name),
      projects: hasAll ? null : viewProjects(chosen.get(member.id) ?? [], projects),
      sign_in: signInWords(ways.get(member.id), deps.config.signIn),
      invited_until: formatTime(member.invitedUntilMs),
    };
  });
}

function signInWords(ways: SignInWays | undefined, { providers }: SignInConfig): string[] {
  const named = (ways?.issuers ?? []).map(
    (issuer) => providers.find((each) => each.issuer === issuer)?.name ?? issuer,
  );
  return [...(ways?.hasPasskey === true ? ['Passkey'] : []), ...named];
}

export async function ownSessions(visit: RequestContext): Promise<SessionView[]> {
  const sessions = await visit.deps.store.listSessions(await sessionHolderOf(visit), visit.nowMs);
  return sessions.map((session) => viewSession(session, visit.visitor.sessionId));
}

export async function sessionHolderOf({
  deps,
  visitor,
}: Pick<RequestContext, 'deps' | 'visitor'>): Promise<SessionOwner> {
  if (visitor.memberId !== null) return { memberId: visitor.memberId };
  return { tokenHash: (await deps.store.findSetting(adminTokenSetting)) ?? '' };
}
