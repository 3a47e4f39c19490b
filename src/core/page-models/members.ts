import type { SessionView } from '../../../schemas/members.ts';
import type { SignInConfig } from '../config/sign-in.ts';
import { permissions, roleIncludes } from '../members/permissions.ts';
import { viewProjects, viewTeam } from '../members/teams.ts';
import { viewListedMember, viewPersonalToken, viewSession } from '../members/views.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { adminTokenSetting, type SessionOwner, type SignInMethods } from '../store/members.ts';
import { pageNotFound, pathId, type RequestContext } from './request-context.ts';

export type { TeamView } from '../../../schemas/teams.ts';
export type { ProjectAccess } from '../store/members.ts';

export type MemberRowView = Awaited<ReturnType<typeof listMemberRows>>[number];

export type PermissionView = MembersModel['roles'][number];

export type MembersModel = Awaited<ReturnType<typeof membersModel>>;

/** Shown only in the response of the action that created it. */
export interface CreatedLinkModel {
  readonly name: string;
  readonly link: string;
  readonly ends_at: string;
  /** Whether it was mailed; null where it was not tried. */
  readonly is_mailed: boolean | null;
}

export type MemberModel = Awaited<ReturnType<typeof memberModel>>;

export type TeamModel = Awaited<ReturnType<typeof teamModel>>;

export async function membersModel(context: RequestContext) {
  const rows = await listMemberRows(context);
  return {
    members: rows.filter((row) => row.invited_until === null),
    invitations: rows.filter((row) => row.invited_until !== null),
    teams: (await context.deps.store.listTeams()).map((team) => viewTeam(team, context.projects)),
    your_sessions: await ownSessions(context),
    roles: Object.values(permissions).map(({ words, needs }) => ({
      may: words,
      viewer: roleIncludes('viewer', needs),
      member: roleIncludes('member', needs),
      admin: roleIncludes('admin', needs),
    })),
  };
}

export async function memberModel(context: RequestContext) {
  const id = pathId(context, 'member_id', 'A member with this number');
  const member = await findMemberRow(context, id);
  if (member === null) throw pageNotFound('A member with this number');
  if (!roleIncludes(context.currentUser.role, 'admin')) return { member, sessions: [], tokens: [] };
  const { store } = context.deps;
  const sessions = await store.listSessions({ memberId: id }, context.nowMs);
  const tokens = await store.listPersonalTokens(id);
  return {
    member,
    /** Both for admins only, else empty. */
    sessions: sessions.map((session) => viewSession(session, context.currentUser.sessionId)),
    tokens: tokens.map((token) => viewPersonalToken(token, context.nowMs)),
  };
}

export async function teamModel(context: RequestContext) {
  const subject = 'A team with this number';
  const id = pathId(context, 'team_id', subject);
  const listed = (await context.deps.store.listTeams()).find((each) => each.id === id);
  if (listed === undefined) throw pageNotFound(subject);
  const team = viewTeam(listed, context.projects);
  const memberIds = new Set(team.members.map((each) => each.member_id));
  const others = (await context.deps.store.listMembers(context.nowMs)).filter(
    (each) => !memberIds.has(each.id),
  );
  return { team, others: others.map((each) => ({ member_id: each.id, name: each.name })) };
}

type RowContext = Pick<RequestContext, 'deps' | 'currentUser' | 'nowMs' | 'projects'>;

export async function findMemberRow(context: RowContext, memberId: number): Promise<MemberRowView | null> {
  const [row = null] = await listMemberRows(context, memberId);
  return row;
}

/** All members, or the one. E-mail addresses are for admins. */
export async function listMemberRows({ deps, currentUser, nowMs, projects }: RowContext, memberId?: number) {
  const { store } = deps;
  const [members, teams, chosen, methods] = await Promise.all([
    store.listMembers(nowMs, memberId),
    store.listTeams(memberId),
    store.listMemberProjects(memberId),
    store.listSignInMethods(memberId),
  ]);
  const mayWrite = roleIncludes(currentUser.role, 'admin');
  return members.map((member) => {
    const view = viewListedMember(member);
    const hasAll = member.hasAllProjects || member.role === 'admin';
    return {
      ...view,
      email: mayWrite ? view.email : null,
      is_you: member.id === currentUser.memberId,
      teams: teams.filter((team) => team.members.some(({ id }) => id === member.id)).map(({ name }) => name),
      /** Own projects, without those of teams; null: all. Projects that the reader does not see are left out. */
      projects: hasAll ? null : viewProjects(chosen.get(member.id) ?? [], projects),
      /** Passkey and names of providers; empty for links alone. */
      sign_in: signInWords(methods.get(member.id), deps.config.signIn),
      invited_until: formatTime(member.invitedUntilMs),
    };
  });
}

function signInWords(methods: SignInMethods | undefined, { providers }: SignInConfig): string[] {
  const named = (methods?.issuers ?? []).map(
    (issuer) => providers.find((each) => each.issuer === issuer)?.name ?? issuer,
  );
  return [...(methods?.hasPasskey === true ? ['Passkey'] : []), ...named];
}

export async function ownSessions(context: RequestContext): Promise<SessionView[]> {
  const sessions = await context.deps.store.listSessions(await sessionHolderOf(context), context.nowMs);
  return sessions.map((session) => viewSession(session, context.currentUser.sessionId));
}

export async function sessionHolderOf({
  deps,
  currentUser,
}: Pick<RequestContext, 'deps' | 'currentUser'>): Promise<SessionOwner> {
  if (currentUser.memberId !== null) return { memberId: currentUser.memberId };
  return { tokenHash: (await deps.store.findSetting(adminTokenSetting)) ?? '' };
}
