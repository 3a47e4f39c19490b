import { permissions, roleIncludes } from '../members/permissions.ts';
import { type ListedMemberView, type SessionView, viewListedMember, viewSession } from '../members/views.ts';
import { adminTokenSetting, type SessionOwner } from '../store/members.ts';
import { pageNotFound, pathId, type RequestContext } from './request-context.ts';

export interface MemberRowView extends ListedMemberView {
  readonly is_you: boolean;
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
  readonly your_sessions: readonly SessionView[];
  readonly roles: readonly PermissionView[];
}

/** Shown only in the response of the action that created it. */
export interface CreatedLinkModel {
  readonly name: string;
  readonly link: string;
  readonly ends_at: string;
}

export interface MemberModel {
  readonly member: MemberRowView;
}

/** E-mail addresses are only shown to admins. */
export async function membersModel(visit: RequestContext): Promise<MembersModel> {
  return {
    members: await memberRows(visit),
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
  const member = (await memberRows(visit)).find((each) => each.member_id === id);
  if (member === undefined) throw pageNotFound('A member with this number');
  return { member };
}

async function memberRows({ deps, visitor, nowMs }: RequestContext): Promise<MemberRowView[]> {
  const members = await deps.store.listMembers(nowMs);
  const mayWrite = roleIncludes(visitor.role, 'admin');
  return members.map((member) => {
    const view = viewListedMember(member);
    return { ...view, email: mayWrite ? view.email : null, is_you: member.id === visitor.memberId };
  });
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
