// /members: managed by admins; all users can end their own sessions.
import { requestSource } from '../../src/core/audit/audit.ts';
import { signInUrl } from '../../src/core/members/links.ts';
import {
  createMember,
  deleteMember,
  endMemberSessions,
  endOtherSessions,
  endOwnSession,
  inviteMember,
  revokeMemberLink,
  updateMemberRole,
} from '../../src/core/members/members.ts';
import {
  type CreatedLinkModel,
  memberModel,
  membersModel,
  sessionHolderOf,
} from '../../src/core/page-models/members.ts';
import { pageNotFound, pathId, type RequestContext } from '../../src/core/page-models/request-context.ts';
import type { Member } from '../../src/core/store/members.ts';
import {
  type ActionResult,
  action,
  confirmationForm,
  type Declaration,
  page,
} from '../../src/http/pages/declarations.ts';
import type { FormValues } from '../../src/web/components/form.ts';
import { invitationForm, invitePage, memberPage, roleForm } from '../../src/web/people/member.ts';
import { membersPage } from '../../src/web/people/members.ts';

export function memberPages(): Declaration[] {
  return [
    page({ path: '/members', model: membersModel, view: (model, frame) => membersPage(model, frame) }),
    page({
      path: '/members/invite',
      needs: 'admin',
      model: async () => ({}),
      view: (_model, frame) => invitePage(frame),
    }),
    page({
      path: '/members/{member_id}',
      model: memberModel,
      view: (model, frame) => memberPage(model, frame),
    }),
    ...managingActs(),
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
  const fields = { name: form.name, role: form.role, email: form.email ?? null };
  const member = await createMember(visit.deps, fields, requestSource(visit));
  const made = await linkOf(visit, member);
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
  };
}

async function memberOf(visit: RequestContext): Promise<Member> {
  const id = pathId(visit, 'member_id', 'A member with this number');
  const member = await visit.deps.store.findMember(id);
  if (member === null) throw pageNotFound('A member with this number');
  return member;
}
