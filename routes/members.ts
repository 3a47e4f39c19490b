import {
  memberChangeRequest,
  memberRequest,
  type OwnSettingsView,
  ownSettingsRequest,
  type SessionView,
} from '../schemas/members.ts';
import { getPagesUrl } from '../src/core/config/public-urls.ts';
import type { Deps } from '../src/core/deps.ts';
import { createNotFoundError } from '../src/core/errors.ts';
import {
  createInvitation,
  revokeInvitation,
  type SentInvitation,
  sendInvitation,
} from '../src/core/members/invitations.ts';
import {
  deleteMember,
  endMemberSession,
  endMemberSessions,
  endOtherSessions,
  endOwnSession,
  updateMemberRole,
} from '../src/core/members/members.ts';
import { updateMemberAccess } from '../src/core/members/teams.ts';
import { viewSession } from '../src/core/members/views.ts';
import { findMemberRow, listMemberRows, type MemberRowView } from '../src/core/page-models/members.ts';
import { getPageSettings, updatePageSettings } from '../src/core/saved-views/saved-views.ts';
import type { Member, ProjectAccess } from '../src/core/store/members.ts';
import type { PageSettings } from '../src/core/store/saved-views.ts';
import { actAsMember } from '../src/http/api/act-as-member.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { created, ok, type PersonalRequest, personalHandler } from '../src/http/api/route.ts';

export const getOwnSettings = personalHandler(async (deps, { member }) =>
  ok(viewOwnSettings(member, await getPageSettings(deps, { memberId: member.id }))),
);

export const postOwnSettings = personalHandler(async (deps, request) => {
  const { time_zone: timeZone, ...changes } = parseParameters(ownSettingsRequest, request);
  const { default_view: defaultView, shortcuts: hasShortcuts } = changes;
  const change = {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(defaultView === undefined ? {} : { defaultView }),
    ...(hasShortcuts === undefined ? {} : { hasShortcuts }),
  };
  const { deps: memberDeps, currentUser, by } = await actAsMember(deps, request);
  const settings = await updatePageSettings(memberDeps, currentUser, change, by);
  return ok({ accepted: true, ...viewOwnSettings(request.member, settings) });
});

function viewOwnSettings(
  { id, name, email, role }: Member,
  { timeZone, defaultView, hasShortcuts }: PageSettings,
): OwnSettingsView {
  return {
    ...{ member_id: id, name, email, role },
    time_zone: timeZone,
    default_view: defaultView,
    shortcuts: hasShortcuts,
  };
}

export const getMembers = personalHandler(async (deps, request) =>
  ok(await listMemberRows({ ...(await actAsMember(deps, request)), nowMs: deps.now() })),
);

export const getOneMember = personalHandler(async (deps, request) =>
  ok(await rowOf(deps, request, pathId(request, 'member'))),
);

/** 201. The link is mailed or shown in the workspace, never answered: a token would become a session that outlives it. */
export const postMembers = personalHandler(async (deps, request) => {
  const input = parseParameters(memberRequest, request);
  const { name, role, email = null, projects = null, teams: teamIds = [] } = input;
  const { deps: memberDeps, by } = await actAsMember(deps, request);
  const fields = { name, role, email, teamIds, access: toAccess(projects) };
  const member = await createInvitation(memberDeps, fields, by);
  const sent = await sendInvitation(memberDeps, member, getPagesUrl(deps.config), by);
  return created({ accepted: true, ...(await rowOf(deps, request, member.id)), ...viewSent(sent) });
});

export const postMember = personalHandler(async (deps, request) => {
  const { role, projects } = parseParameters(memberChangeRequest, request);
  const { deps: memberDeps, by } = await actAsMember(deps, request);
  const member = await memberOfId(deps, pathId(request, 'member'));
  await memberDeps.store.transaction(async (store) => {
    const txDeps = { ...memberDeps, store };
    if (role !== undefined) await updateMemberRole(txDeps, member, role, by);
    if (projects !== undefined) await updateMemberAccess(txDeps, member, toAccess(projects), by);
  });
  return ok({ accepted: true, ...(await rowOf(deps, request, member.id)) });
});

/** A new link, mailed where that is possible. Only of an invitation that was not accepted yet. */
export const postInvitation = personalHandler(async (deps, request) => {
  const { deps: memberDeps, by } = await actAsMember(deps, request);
  const member = await memberOfId(deps, pathId(request, 'member'));
  if (member.invitedUntilMs === null) throw createNotFoundError('member');
  const sent = await sendInvitation(memberDeps, member, getPagesUrl(deps.config), by);
  return ok({ accepted: true, ...(await rowOf(deps, request, member.id)), ...viewSent(sent) });
});

/** Ends their sessions and tokens. An invitation is revoked. */
export const deleteOneMember = personalHandler(async (deps, request) => {
  const { deps: memberDeps, by } = await actAsMember(deps, request);
  const member = await memberOfId(deps, pathId(request, 'member'));
  const previous = await rowOf(deps, request, member.id);
  if (member.invitedUntilMs === null) await deleteMember(memberDeps, member, by);
  else await revokeInvitation(memberDeps, member, by);
  return ok({ deleted: true, previous });
});

/** All of them; tokens go on. */
export const deleteMemberSessions = personalHandler(async (deps, request) => {
  const { deps: memberDeps, by } = await actAsMember(deps, request);
  const member = await memberOfId(deps, pathId(request, 'member'));
  const previous = await rowOf(deps, request, member.id);
  await endMemberSessions(memberDeps, member, by);
  return ok({ deleted: true, previous });
});

export const getMemberSessions = personalHandler(async (deps, request) => {
  const member = await memberOfId(deps, pathId(request, 'member'));
  return ok(await sessionsOf(deps, member));
});

export const deleteMemberSession = personalHandler(async (deps, request) => {
  const { deps: memberDeps, by } = await actAsMember(deps, request);
  const member = await memberOfId(deps, pathId(request, 'member'));
  const previous = await sessionOfPath(deps, request, member);
  const hasEnded = await endMemberSession(memberDeps, member, previous.session_id, by);
  if (!hasEnded) throw createNotFoundError('session');
  return ok({ deleted: true, previous });
});

export const getOwnSessions = personalHandler(async (deps, { member }) => ok(await sessionsOf(deps, member)));

export const deleteOwnSession = personalHandler(async (deps, request) => {
  const { deps: memberDeps, by } = await actAsMember(deps, request);
  const previous = await sessionOfPath(deps, request, request.member);
  const owner = { memberId: request.member.id };
  const hasEnded = await endOwnSession(memberDeps, owner, previous.session_id, by);
  if (!hasEnded) throw createNotFoundError('session');
  return ok({ deleted: true, previous });
});

/** All of them: a token is none. */
export const deleteOwnSessions = personalHandler(async (deps, request) => {
  const { deps: memberDeps, by } = await actAsMember(deps, request);
  const previous = await sessionsOf(deps, request.member);
  await endOtherSessions(memberDeps, { memberId: request.member.id }, 0, by);
  return ok({ deleted: true, previous });
});

async function sessionsOf({ store, now }: Deps, { id }: Member): Promise<SessionView[]> {
  const sessions = await store.listSessions({ memberId: id }, now());
  return sessions.map((session) => viewSession(session, null));
}

async function sessionOfPath(deps: Deps, request: PersonalRequest, member: Member): Promise<SessionView> {
  const id = pathId(request, 'session', 'session_id');
  const found = (await sessionsOf(deps, member)).find((session) => session.session_id === id);
  if (found === undefined) throw createNotFoundError('session');
  return found;
}

async function rowOf(deps: Deps, request: PersonalRequest, id: number): Promise<MemberRowView> {
  const row = await findMemberRow({ ...(await actAsMember(deps, request)), nowMs: deps.now() }, id);
  if (row === null) throw createNotFoundError('member');
  return row;
}

export async function memberOfId({ store }: Deps, id: number): Promise<Member> {
  const member = await store.findMember(id);
  if (member === null) throw createNotFoundError('member');
  return member;
}

export function toAccess(projects: readonly number[] | null): ProjectAccess {
  return { hasAllProjects: projects === null, projectIds: projects ?? [] };
}

function viewSent({ isMailed }: SentInvitation) {
  return { mailed: isMailed };
}
