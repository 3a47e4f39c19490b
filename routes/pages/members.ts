// /members: managed by admins; all users can end their own sessions.
import { byVisit } from '../../src/core/audit/audit.ts';
import { linkAddress } from '../../src/core/members/links.ts';
import {
  addMember,
  changeRole,
  endOtherSessions,
  endOwnSession,
  inviteMember,
  removeMember,
  withdrawLink,
} from '../../src/core/members/members.ts';
import type { Member } from '../../src/core/store/members.ts';
import { holderOf, type MadeLinkModel, memberModel, membersModel } from '../../src/core/workspace/members.ts';
import { notHere, pathNumber, type Visit } from '../../src/core/workspace/visit.ts';
import { type ActAnswer, act, type Declaration, page, sure } from '../../src/http/pages/declare.ts';
import type { Posted } from '../../src/pages/parts/form.ts';
import { invitationForm, invitePage, memberPage, roleForm } from '../../src/pages/people/member.ts';
import { membersPage } from '../../src/pages/people/members.ts';

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
    act({
      path: '/members',
      needs: 'admin',
      form: invitationForm.schema,
      act: invite,
    }),
    act({ path: '/members/{member_id}/link', needs: 'admin', act: makeLink }),
    act({
      path: '/members/{member_id}/withdraw',
      needs: 'admin',
      act: async (visit) => {
        await withdrawLink(visit.deps, await memberOf(visit), byVisit(visit));
        return { back: true };
      },
    }),
    act({
      path: '/members/{member_id}/role',
      needs: 'admin',
      form: roleForm.schema,
      act: async (visit, form) => {
        await changeRole(visit.deps, await memberOf(visit), form.role, byVisit(visit));
        return { back: true };
      },
    }),
    act({
      path: '/members/{member_id}/remove',
      needs: 'admin',
      form: sure,
      act: async (visit) => {
        await removeMember(visit.deps, await memberOf(visit), byVisit(visit));
        return { to: '/members' };
      },
    }),
  ];
}

function ownActs(): Declaration[] {
  return [
    act({
      path: '/members/sessions/{session_id}/end',
      needs: 'viewer',
      act: async (visit) => {
        const id = pathNumber(visit, 'session_id', 'One of your sessions with this number');
        await endOwnSession(visit.deps, await holderOf(visit), id, byVisit(visit));
        return { back: true };
      },
    }),
    act({
      path: '/members/sessions/end-others',
      needs: 'viewer',
      act: async (visit) => {
        await endOtherSessions(
          visit.deps,
          await holderOf(visit),
          visit.visitor.sessionId ?? 0,
          byVisit(visit),
        );
        return { back: true };
      },
    }),
  ];
}

async function invite(visit: Visit, form: Posted<typeof invitationForm>): Promise<ActAnswer> {
  const fields = { name: form.name, role: form.role, email: form.email ?? null };
  const member = await addMember(visit.deps, fields, byVisit(visit));
  const made = await linkOf(visit, member);
  const model = await membersModel(visit);
  return { status: 200, view: (frame) => membersPage(model, frame, made) };
}

async function makeLink(visit: Visit): Promise<ActAnswer> {
  const made = await linkOf(visit, await memberOf(visit));
  const model = await memberModel(visit);
  return { status: 200, view: (frame) => memberPage(model, frame, made) };
}

async function linkOf(visit: Visit, member: Member): Promise<MadeLinkModel> {
  const { token, expiresAtMs } = await inviteMember(visit.deps, member, byVisit(visit));
  return {
    name: member.name,
    link: linkAddress(visit.pagesUrl, token),
    ends_at: new Date(expiresAtMs).toISOString(),
  };
}

async function memberOf(visit: Visit): Promise<Member> {
  const id = pathNumber(visit, 'member_id', 'A member with this number');
  const member = await visit.deps.store.findMember(id);
  if (member === null) throw notHere('A member with this number');
  return member;
}
