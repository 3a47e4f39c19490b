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
import { pathId } from '../src/http/api/parse-parameters.ts';
import { created, type MemberRequest, memberHandler, memberInputHandler, ok } from '../src/http/api/route.ts';

export const getOwnSettings = memberHandler(async ({ deps, member }) =>
  ok(viewOwnSettings(member, await getPageSettings(deps, { memberId: member.id }))),
);

export const postOwnSettings = memberInputHandler(ownSettingsRequest, async (request, input) => {
  const { time_zone: timeZone, default_view: defaultView, shortcuts: hasShortcuts } = input;
  const change = {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(defaultView === undefined ? {} : { defaultView }),
    ...(hasShortcuts === undefined ? {} : { hasShortcuts }),
  };
  const settings = await updatePageSettings(request.deps, request.currentUser, change, request.by);
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

export const getMembers = memberHandler(async (request) =>
  ok(await listMemberRows({ ...request, nowMs: request.deps.now() })),
);

export const getOneMember = memberHandler(async (request) =>
  ok(await rowOf(request, pathId(request, 'member'))),
);

/** 201. The link is mailed or shown in the workspace, never answered: a token would become a session that outlives it. */
export const postMembers = memberInputHandler(memberRequest, async (request, input) => {
  const { name, role, email = null, projects = null, teams: teamIds = [] } = input;
  const { deps, by } = request;
  const fields = { name, role, email, teamIds, access: toAccess(projects) };
  const member = await createInvitation(deps, fields, by);
  const sent = await sendInvitation(deps, member, getPagesUrl(deps.config), by);
  return created({ accepted: true, ...(await rowOf(request, member.id)), ...viewSent(sent) });
});

export const postMember = memberInputHandler(memberChangeRequest, async (request, { role, projects }) => {
  const { deps, by } = request;
  const member = await memberOfPath(request);
  await deps.store.transaction(async (store) => {
    const txDeps = { ...deps, store };
    if (role !== undefined) await updateMemberRole(txDeps, member, role, by);
    if (projects !== undefined) await updateMemberAccess(txDeps, member, toAccess(projects), by);
  });
  return ok({ accepted: true, ...(await rowOf(request, member.id)) });
});

/** A new link, mailed where that is possible. Only of an invitation that was not accepted yet. */
export const postInvitation = memberHandler(async (request) => {
  const { deps, by } = request;
  const member = await memberOfPath(request);
  if (member.invitedUntilMs === null) throw createNotFoundError('member');
  const sent = await sendInvitation(deps, member, getPagesUrl(deps.config), by);
  return ok({ accepted: true, ...(await rowOf(request, member.id)), ...viewSent(sent) });
});

/** Ends their sessions and tokens. An invitation is revoked. */
export const deleteOneMember = memberHandler(async (request) => {
  const { deps, by } = request;
  const member = await memberOfPath(request);
  const previous = await rowOf(request, member.id);
  if (member.invitedUntilMs === null) await deleteMember(deps, member, by);
  else await revokeInvitation(deps, member, by);
  return ok({ deleted: true, previous });
});

/** All of them; tokens go on. */
export const deleteMemberSessions = memberHandler(async (request) => {
  const { deps, by } = request;
  const member = await memberOfPath(request);
  const previous = await rowOf(request, member.id);
  await endMemberSessions(deps, member, by);
  return ok({ deleted: true, previous });
});

export const getMemberSessions = memberHandler(async (request) => {
  return ok(await sessionsOf(request.deps, await memberOfPath(request)));
});

export const deleteMemberSession = memberHandler(async (request) => {
  const { deps, by } = request;
  const member = await memberOfPath(request);
  const previous = await sessionOfPath(request, member);
  const hasEnded = await endMemberSession(deps, member, previous.session_id, by);
  if (!hasEnded) throw createNotFoundError('session');
  return ok({ deleted: true, previous });
});

export const getOwnSessions = memberHandler(async ({ deps, member }) => ok(await sessionsOf(deps, member)));

export const deleteOwnSession = memberHandler(async (request) => {
  const { deps, by } = request;
  const previous = await sessionOfPath(request, request.member);
  const owner = { memberId: request.member.id };
  const hasEnded = await endOwnSession(deps, owner, previous.session_id, by);
  if (!hasEnded) throw createNotFoundError('session');
  return ok({ deleted: true, previous });
});

/** All of them: a token is none. */
export const deleteOwnSessions = memberHandler(async (request) => {
  const { deps, by } = request;
  const previous = await sessionsOf(deps, request.member);
  await endOtherSessions(deps, { memberId: request.member.id }, 0, by);
  return ok({ deleted: true, previous });
});

async function sessionsOf({ store, now }: Deps, { id }: Member): Promise<SessionView[]> {
  const sessions = await store.listSessions({ memberId: id }, now());
  return sessions.map((session) => viewSession(session, null));
}

async function sessionOfPath(request: MemberRequest, member: Member): Promise<SessionView> {
  const id = pathId(request, 'session', 'session_id');
  const found = (await sessionsOf(request.deps, member)).find((session) => session.session_id === id);
  if (found === undefined) throw createNotFoundError('session');
  return found;
}

async function rowOf(request: MemberRequest, id: number): Promise<MemberRowView> {
  const row = await findMemberRow({ ...request, nowMs: request.deps.now() }, id);
  if (row === null) throw createNotFoundError('member');
  return row;
}

function memberOfPath(request: MemberRequest): Promise<Member> {
  return memberOfId(request.deps, pathId(request, 'member'));
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
