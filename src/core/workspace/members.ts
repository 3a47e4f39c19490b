import { holds, rights } from '../members/rights.ts';
import { type ListedMemberView, type SessionView, viewListedMember, viewSession } from '../members/views.ts';
import { adminTokenSetting, type Holder } from '../store/members.ts';
import { notHere, pathNumber, type Visit } from './visit.ts';

export interface MemberRowView extends ListedMemberView {
  readonly is_you: boolean;
}

export interface RightView {
  /** Completes "may …". */
  readonly may: string;
  readonly viewer: boolean;
  readonly member: boolean;
  readonly admin: boolean;
}

export interface MembersModel {
  readonly members: readonly MemberRowView[];
  readonly your_sessions: readonly SessionView[];
  readonly roles: readonly RightView[];
}

/** Shown only in the response of the action that created it. */
export interface MadeLinkModel {
  readonly name: string;
  readonly link: string;
  readonly ends_at: string;
}

export interface MemberModel {
  readonly member: MemberRowView;
}

/** E-mail addresses are only shown to admins. */
export async function membersModel(visit: Visit): Promise<MembersModel> {
  return {
    members: await memberRows(visit),
    your_sessions: await ownSessions(visit),
    roles: Object.values(rights).map(({ words, needs }) => ({
      may: words,
      viewer: holds('viewer', needs),
      member: holds('member', needs),
      admin: holds('admin', needs),
    })),
  };
}

export async function memberModel(visit: Visit): Promise<MemberModel> {
  const id = pathNumber(visit, 'member_id', 'A member with this number');
  const member = (await memberRows(visit)).find((each) => each.member_id === id);
  if (member === undefined) throw notHere('A member with this number');
  return { member };
}

async function memberRows({ deps, visitor, nowMs }: Visit): Promise<MemberRowView[]> {
  const members = await deps.store.listMembers(nowMs);
  const mayWrite = holds(visitor.role, 'admin');
  return members.map((member) => {
    const view = viewListedMember(member);
    return { ...view, email: mayWrite ? view.email : null, is_you: member.id === visitor.memberId };
  });
}

async function ownSessions(visit: Visit): Promise<SessionView[]> {
  const sessions = await visit.deps.store.listSessions(await holderOf(visit), visit.nowMs);
  return sessions.map((session) => viewSession(session, visit.visitor.sessionId));
}

export async function holderOf({ deps, visitor }: Pick<Visit, 'deps' | 'visitor'>): Promise<Holder> {
  if (visitor.memberId !== null) return { memberId: visitor.memberId };
  return { tokenHash: (await deps.store.findSetting(adminTokenSetting)) ?? '' };
}
