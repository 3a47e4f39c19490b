// /members: managed by admins; all users can end their own sessions.
import { z } from 'zod';
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
  type MembersModel,
  memberModel,
  membersModel,
  sessionHolderOf,
  teamModel,
} from '../../src/core/page-models/members.ts';
import { pageNotFound, pathId, type RequestContext } from '../../src/core/page-models/request-context.ts';
import type { Member, Team } from '../../src/core/store/members.ts';
import {
  action,
  confirmationForm,
  goBack,
  noForm,
  page,
  showPage,
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

export function memberPages() {
  return [
    page('/members', 'viewer', membersModel, membersPage),
    page('/members/invite', 'admin', inviteModel, invitePage),
    page('/members/invitations', 'viewer', membersModel, invitationsPage),
    page('/members/teams', 'viewer', membersModel, teamsPage),
    page(
      '/members/teams/new',
      'admin',
      async () => ({}),
      (_model, pageContext) => newTeamPage(pageContext),
    ),
    page('/members/teams/{team_id}', 'viewer', teamModel, teamPage),
    page('/members/{member_id}', 'viewer', memberModel, memberPage),
    ...managementActions(),
    ...invitationActions(),
    ...teamActions(),
    ...ownActions(),
  ];
}

function managementActions() {
  return [
    action('/members/{member_id}/link', 'admin', noForm, makeLink),
    action('/members/{member_id}/withdraw', 'admin', noForm, async (context) => {
      await revokeMemberLink(context.deps, await memberOf(context), context.by);
      return goBack();
    }),
    action('/members/{member_id}/sessions/{session_id}/end', 'admin', noForm, async (context) => {
      const id = pathId(context, 'session_id', 'A session with this number');
      const hasEnded = await endMemberSession(context.deps, await memberOf(context), id, context.by);
      if (!hasEnded) throw pageNotFound('A session with this number');
      return goBack();
    }),
    action('/members/{member_id}/tokens/{token_id}/delete', 'admin', noForm, async (context) => {
      const id = pathId(context, 'token_id', 'An API token with this number');
      await revokePersonalToken(context.deps, await memberOf(context), id, context.by);
      return goBack();
    }),
    action('/members/{member_id}/sessions/end', 'admin', noForm, async (context) => {
      await endMemberSessions(context.deps, await memberOf(context), context.by);
      return goBack();
    }),
    action('/members/{member_id}/role', 'admin', roleForm.schema, async (context, form) => {
      await updateMemberRole(context.deps, await memberOf(context), form.role, context.by);
      return goBack();
    }),
    action('/members/{member_id}/remove', 'admin', confirmationForm, async (context) => {
      await deleteMember(context.deps, await memberOf(context), context.by);
      return { to: '/members' };
    }),
  ];
}

function invitationActions() {
  return [
    action('/members', 'admin', invitationForm.schema, invite, {
      onInvalid: { model: inviteModel, view: invitePage },
      fieldOf: {
        notifier_member_name: 'name',
        notifier_member_exists: 'name',
        notifier_member_email: 'email',
      },
    }),
    action('/members/{member_id}/invitation-link', 'admin', noForm, async (context) =>
      showInvitation(context, await linkOf(context, await invitedOf(context))),
    ),
    action('/members/{member_id}/resend', 'admin', noForm, async (context) =>
      showInvitation(context, await mailedLinkOf(context, await invitedOf(context))),
    ),
    action('/members/{member_id}/revoke', 'admin', noForm, async (context) => {
      await revokeInvitation(context.deps, await invitedOf(context), context.by);
      return { to: '/members/invitations' };
    }),
    action('/members/{member_id}/access', 'admin', accessForm.schema, async (context, form) => {
      const member = await memberOf(context);
      await updateMemberAccess(context.deps, member, readAccess(form), context.by);
      return goBack();
    }),
  ];
}

const teamNameErrors = {
  notifier_team_name: 'name',
  notifier_team_exists: 'name',
  notifier_too_many_teams: 'name',
};

const memberForm = z.object({ member: z.coerce.number('Choose a member.').int().min(1) });

function teamActions() {
  const one = '/members/teams/{team_id}';
  const teamAction = <Form extends z.ZodObject>(
    name: string,
    form: Form,
    change: (context: RequestContext, team: Team, form: z.infer<Form>) => Promise<unknown>,
  ) =>
    action(`${one}/${name}`, 'admin', form, async (context, sent: z.infer<Form>) => {
      await change(context, await teamOf(context), sent);
      return name === 'delete' ? { to: '/members/teams' } : goBack();
    });
  return [
    action(
      '/members/teams',
      'admin',
      teamForm.schema,
      async (context, form) => {
        const fields = { name: form.name, access: readAccess(form) };
        const { id } = await createTeam(context.deps, fields, context.by);
        return { to: `/members/teams/${id}` };
      },
      {
        onInvalid: {
          model: async () => ({}),
          view: (_model, pageContext, entry) => newTeamPage(pageContext, entry),
        },
        fieldOf: teamNameErrors,
      },
    ),
    action(
      `${one}/rename`,
      'admin',
      teamNameForm.schema,
      async (context, { name }) => {
        await renameTeam(context.deps, await teamOf(context), name, context.by);
        return goBack();
      },
      { onInvalid: { model: teamModel, view: teamPage }, fieldOf: teamNameErrors },
    ),
    teamAction('access', accessForm.schema, (context, team, form) =>
      updateTeamAccess(context.deps, team, readAccess(form), context.by),
    ),
    teamAction('add', memberForm, async (context, team, { member }) =>
      addTeamMember(context.deps, team, await memberOfId(context, member), context.by),
    ),
    teamAction('leave', memberForm, async (context, team, { member }) =>
      removeTeamMember(context.deps, team, await memberOfId(context, member), context.by),
    ),
    teamAction('delete', confirmationForm, (context, team) => deleteTeam(context.deps, team, context.by)),
  ];
}

async function teamOf(context: RequestContext): Promise<Team> {
  const label = 'A team with this number';
  const team = await context.deps.store.findTeam(pathId(context, 'team_id', label));
  if (team === null) throw pageNotFound(label);
  return team;
}

async function invitedOf(context: RequestContext): Promise<Member> {
  const member = await memberOf(context);
  if (member.invitedUntilMs === null) throw pageNotFound('A pending invitation with this number');
  return member;
}

async function showInvitation(context: RequestContext, link: CreatedLinkModel) {
  const model = await membersModel(context);
  return showPage((pageContext) => invitationsPage(model, pageContext, link));
}

async function mailedLinkOf(context: RequestContext, member: Member): Promise<CreatedLinkModel> {
  const sent = await sendInvitation(context.deps, member, context.pagesUrl, context.by);
  const { link, expiresAtMs, isMailed } = sent;
  return { name: member.name, link, ends_at: new Date(expiresAtMs).toISOString(), is_mailed: isMailed };
}

function ownActions() {
  return [
    action('/members/sessions/{session_id}/end', 'viewer', noForm, async (context) => {
      const id = pathId(context, 'session_id', 'One of your sessions with this number');
      await endOwnSession(context.deps, await sessionHolderOf(context), id, context.by);
      return goBack();
    }),
    action('/members/sessions/end-others', 'viewer', noForm, async (context) => {
      await endOtherSessions(
        context.deps,
        await sessionHolderOf(context),
        context.currentUser.sessionId ?? 0,
        context.by,
      );
      return goBack();
    }),
  ];
}

async function inviteModel(context: RequestContext): Promise<Pick<MembersModel, 'teams'>> {
  return { teams: (await membersModel(context)).teams };
}

async function invite(context: RequestContext, form: FormValues<typeof invitationForm>) {
  const { name, role, email = null, team: teamIds } = form;
  const fields = { name, role, email, teamIds, access: readAccess(form) };
  const member = await createInvitation(context.deps, fields, context.by);
  const link = await mailedLinkOf(context, member);
  const model = await membersModel(context);
  return showPage((pageContext) => membersPage(model, pageContext, link));
}

async function makeLink(context: RequestContext) {
  const link = await linkOf(context, await memberOf(context));
  const model = await memberModel(context);
  return showPage((pageContext) => memberPage(model, pageContext, link));
}

async function linkOf(context: RequestContext, member: Member): Promise<CreatedLinkModel> {
  const { token, expiresAtMs } = await inviteMember(context.deps, member, context.by);
  return {
    name: member.name,
    link: signInUrl(context.pagesUrl, token),
    ends_at: new Date(expiresAtMs).toISOString(),
    is_mailed: null,
  };
}

async function memberOf(context: RequestContext): Promise<Member> {
  const id = pathId(context, 'member_id', 'A member with this number');
  return memberOfId(context, id);
}

async function memberOfId(context: RequestContext, id: number): Promise<Member> {
  const member = await context.deps.store.findMember(id);
  if (member === null) throw pageNotFound('A member with this number');
  return member;
}
