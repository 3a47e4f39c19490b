// /members: managed by admins; all users can end their own sessions.
import { z } from 'zod';
import { requestSource } from '../../src/core/audit/audit.ts';
import { createInvitation, revokeInvitation, sendInvitation } from '../../src/core/members/invitations.ts';
import { signInUrl } from '../../src/core/members/links.ts';
import {
  deleteMember,
  endMemberSession,
  endMemberSessions,
  endOtherSessions,
  endOwnSession,
  inviteMember,
  revokeMemberLink,
  updateMemberRole,
} from '../../src/core/members/members.ts';
import { revokePersonalToken } from '../../src/core/members/personal-tokens.ts';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  removeTeamMember,
  renameTeam,
  updateMemberAccess,
  updateTeamAccess,
} from '../../src/core/members/teams.ts';
import {
  type CreatedLinkModel,
  memberModel,
  membersModel,
  sessionHolderOf,
  teamModel,
} from '../../src/core/page-models/members.ts';
import { pageNotFound, pathId, type RequestContext } from '../../src/core/page-models/request-context.ts';
import type { Member } from '../../src/core/store/members.ts';
import type { Team } from '../../src/core/store/teams.ts';
import {
  type ActionResult,
  action,
  confirmationForm,
  type Declaration,
  page,
} from '../../src/http/pages/declarations.ts';
import type { FormValues } from '../../src/web/components/form.ts';
import { readAccess } from '../../src/web/people/access.ts';
import { invitationsPage } from '../../src/web/people/invitations.ts';
import { invitationForm, invitePage, memberPage, roleForm } from '../../src/web/people/member.ts';
import { membersPage } from '../../src/web/people/members.ts';
import {
  accessForm,
  newTeamPage,
  teamForm,
  teamNameForm,
  teamPage,
  teamsPage,
} from '../../src/web/people/teams.ts';

export function memberPages(): Declaration[] {
  return [
    page({ path: '/members', model: membersModel, view: (model, frame) => membersPage(model, frame) }),
    page({
      path: '/members/invite',
      needs: 'admin',
      model: async (visit) => ({ teams: (await membersModel(visit)).teams }),
      view: invitePage,
    }),
    page({
      path: '/members/invitations',
      model: membersModel,
      view: (model, frame) => invitationsPage(model, frame),
    }),
    page({ path: '/members/teams', model: membersModel, view: teamsPage }),
    page({
      path: '/members/teams/new',
      needs: 'admin',
      model: async () => ({}),
      view: (_model, frame) => newTeamPage(frame),
    }),
    page({ path: '/members/teams/{team_id}', model: teamModel, view: teamPage }),
    page({
      path: '/members/{member_id}',
      model: memberModel,
      view: (model, frame) => memberPage(model, frame),
    }),
    ...managingActs(),
    ...invitationActs(),
    ...teamActs(),
    ...ownActs(),
  ];
}

function managingActs(): Declaration[] {
  return [
    action({
      path: '/members',
      needs: 'admin',
      form: invitationForm.schema,
      act: invite,
    }),
    action({ path: '/members/{member_id}/link', needs: 'admin', act: makeLink }),
    action({
      path: '/members/{member_id}/withdraw',
      needs: 'admin',
      act: async (visit) => {
        await revokeMemberLink(visit.deps, await memberOf(visit), requestSource(visit));
        return { back: true };
      },
    }),
    action({
      path: '/members/{member_id}/sessions/{session_id}/end',
      needs: 'admin',
      act: async (visit) => {
        const id = pathId(visit, 'session_id', 'A session with this number');
        const hasEnded = await endMemberSession(visit.deps, await memberOf(visit), id, requestSource(visit));
        if (!hasEnded) throw pageNotFound('A session with this number');
        return { back: true };
      },
    }),
    action({
      path: '/members/{member_id}/tokens/{token_id}/delete',
      needs: 'admin',
      act: async (visit) => {
        const id = pathId(visit, 'token_id', 'An API token with this number');
        await revokePersonalToken(visit.deps, await memberOf(visit), id, requestSource(visit));
        return { back: true };
      },
    }),
    action({
      path: '/members/{member_id}/sessions/end',
      needs: 'admin',
      act: async (visit) => {
        await endMemberSessions(visit.deps, await memberOf(visit), requestSource(visit));
        return { back: true };
      },
    }),
    action({
      path: '/members/{member_id}/role',
      needs: 'admin',
      form: roleForm.schema,
      act: async (visit, form) => {
        await updateMemberRole(visit.deps, await memberOf(visit), form.role, requestSource(visit));
        return { back: true };
      },
    }),
    action({
      path: '/members/{member_id}/remove',
      needs: 'admin',
      form: confirmationForm,
      act: async (visit) => {
        await deleteMember(visit.deps, await memberOf(visit), requestSource(visit));
        return { to: '/members' };
      },
    }),
  ];
}

function invitationActs(): Declaration[] {
  return [
    action({
      path: '/members/{member_id}/invitation-link',
      needs: 'admin',
      act: async (visit) => showInvitation(visit, await linkOf(visit, await invitedOf(visit))),
    }),
    action({
      path: '/members/{member_id}/resend',
      needs: 'admin',
      act: async (visit) => showInvitation(visit, await mailedLinkOf(visit, await invitedOf(visit))),
    }),
    action({
      path: '/members/{member_id}/revoke',
      needs: 'admin',
      act: async (visit) => {
        await revokeInvitation(visit.deps, await invitedOf(visit), requestSource(visit));
        return { to: '/members/invitations' };
      },
    }),
    action({
      path: '/members/{member_id}/access',
      needs: 'admin',
      form: accessForm.schema,
      act: async (visit, form) => {
        const member = await memberOf(visit);
        await updateMemberAccess(visit.deps, member, readAccess(form), requestSource(visit));
        return { back: true };
      },
    }),
  ];
}

const memberForm = z.object({ member: z.coerce.number('Choose a member.').int().min(1) });

function teamActs(): Declaration[] {
  const one = '/members/teams/{team_id}';
  const act = <Form extends z.ZodObject>(
    name: string,
    form: Form,
    change: (visit: RequestContext, team: Team, form: z.infer<Form>) => Promise<unknown>,
  ): Declaration =>
    action({
      path: `${one}/${name}`,
      needs: 'admin',
      form,
      act: async (visit, sent: z.infer<Form>) => {
        await change(visit, await teamOf(visit), sent);
        return name === 'delete' ? { to: '/members/teams' } : { back: true };
      },
    });
  return [
    action({
      path: '/members/teams',
      needs: 'admin',
      form: teamForm.schema,
      act: async (visit, form) => {
        const fields = { name: form.name, access: readAccess(form) };
        const { id } = await createTeam(visit.deps, fields, requestSource(visit));
        return { to: `/members/teams/${id}` };
      },
    }),
    act('rename', teamNameForm.schema, (visit, team, { name }) =>
      renameTeam(visit.deps, team, name, requestSource(visit)),
    ),
    act('access', accessForm.schema, (visit, team, form) =>
      updateTeamAccess(visit.deps, team, readAccess(form), requestSource(visit)),
    ),
    act('add', memberForm, async (visit, team, { member }) =>
      addTeamMember(visit.deps, team, await memberOfId(visit, member), requestSource(visit)),
    ),
    act('leave', memberForm, async (visit, team, { member }) =>
      removeTeamMember(visit.deps, team, await memberOfId(visit, member), requestSource(visit)),
    ),
    act('delete', confirmationForm, (visit, team) => deleteTeam(visit.deps, team, requestSource(visit))),
  ];
}

async function teamOf(visit: RequestContext): Promise<Team> {
  const what = 'A team with this number';
  const team = await visit.deps.store.findTeam(pathId(visit, 'team_id', what));
  if (team === null) throw pageNotFound(what);
  return team;
}

async function invitedOf(visit: RequestContext): Promise<Member> {
  const member = await memberOf(visit);
  if (member.invitedUntilMs === null) throw pageNotFound('A pending invitation with this number');
  return member;
}

async function showInvitation(visit: RequestContext, made: CreatedLinkModel): Promise<ActionResult> {
  const model = await membersModel(visit);
  return { status: 200, view: (frame) => invitationsPage(model, frame, made) };
}

async function mailedLinkOf(visit: RequestContext, member: Member): Promise<CreatedLinkModel> {
  const sent = await sendInvitation(visit.deps, member, visit.pagesUrl, requestSource(visit));
  const { link, expiresAtMs, isMailed } = sent;
  return { name: member.name, link, ends_at: new Date(expiresAtMs).toISOString(), is_mailed: isMailed };
}

function ownActs(): Declaration[] {
  return [
    action({
      path: '/members/sessions/{session_id}/end',
      needs: 'viewer',
      act: async (visit) => {
        const id = pathId(visit, 'session_id', 'One of your sessions with this number');
        await endOwnSession(visit.deps, await sessionHolderOf(visit), id, requestSource(visit));
        return { back: true };
      },
    }),
    action({
      path: '/members/sessions/end-others',
      needs: 'viewer',
      act: async (visit) => {
        await endOtherSessions(
          visit.deps,
          await sessionHolderOf(visit),
          visit.visitor.sessionId ?? 0,
          requestSource(visit),
        );
        return { back: true };
      },
    }),
  ];
}

async function invite(visit: RequestContext, form: FormValues<typeof invitationForm>): Promise<ActionResult> {
  const { name, role, email = null, team: teamIds } = form;
  const fields = { name, role, email, teamIds, access: readAccess(form) };
  const member = await createInvitation(visit.deps, fields, requestSource(visit));
  const made = await mailedLinkOf(visit, member);
  const model = await membersModel(visit);
  return { status: 200, view: (frame) => membersPage(model, frame, made) };
}

async function makeLink(visit: RequestContext): Promise<ActionResult> {
  const made = await linkOf(visit, await memberOf(visit));
  const model = await memberModel(visit);
  return { status: 200, view: (frame) => memberPage(model, frame, made) };
}

async function linkOf(visit: RequestContext, member: Member): Promise<CreatedLinkModel> {
  const { token, expiresAtMs } = await inviteMember(visit.deps, member, requestSource(visit));
  return {
    name: member.name,
    link: signInUrl(visit.pagesUrl, token),
    ends_at: new Date(expiresAtMs).toISOString(),
    is_mailed: null,
  };
}

async function memberOf(visit: RequestContext): Promise<Member> {
  const id = pathId(visit, 'member_id', 'A member with this number');
  return memberOfId(visit, id);
}

async function memberOfId(visit: RequestContext, id: number): Promise<Member> {
  const member = await visit.deps.store.findMember(id);
  if (member === null) throw pageNotFound('A member with this number');
  return member;
}
