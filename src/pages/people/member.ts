// The pages of one member, and the form that invites.
import { z } from 'zod';
import type { MadeLinkModel, MemberModel, MemberRowView } from '../../core/workspace/members.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { type Asking, askingPart, sureForm } from '../parts/asking.ts';
import { actForm, submit } from '../parts/controls.ts';
import { form, needed, radios, rows, text } from '../parts/form.ts';
import { outside, pageHead, pairs, section } from '../parts/layout.ts';
import { mark } from '../parts/mark.ts';
import { ago, shortTime } from '../parts/time.ts';
import { counted } from '../words/numbers.ts';
import { linkWords, shownOnce } from './made-link.ts';

const roles = radios('Role', z.enum(['viewer', 'member', 'admin'], 'A role is viewer, member or admin.'), [
  ['viewer', 'Viewer', 'sees everything, changes nothing'],
  ['member', 'Member', 'works with issues and feedback'],
  ['admin', 'Admin', 'also projects, keys, members, deleting'],
]);

export const invitationForm = form({
  name: needed('Name', 'A member needs a name.', {
    hint: 'As issues, comments and the audit history will tell it.',
    attributes: { maxlength: 80 },
  }),
  email: text('E-mail', {
    hint: 'May stay empty. Only admins see it.',
    attributes: { type: 'email', maxlength: 254 },
  }),
  role: roles,
});

/** A heading says what it is already. */
export const roleForm = form({ role: { ...roles, look: { label: 'Role', attributes: { class: 'vh' } } } });

/** What invites somebody: it answers with the link. */
export function inviteAsking(): Asking {
  return {
    id: 'd-invite',
    path: '/members/invite',
    title: 'Invite somebody',
    why: 'You get a link to hand over. It works once, for 15 minutes.',
    act: '/members',
    fields: rows(invitationForm, { values: { role: 'member' } }),
    verb: 'Make the link',
  };
}

/** The form that invites. */
export function invitePage(frame: Frame): PageContent {
  return {
    title: 'Invite somebody',
    crumbs: [{ name: 'Members', path: '/members' }],
    main: askingPart(frame, inviteAsking(), { from: '/members' }),
  };
}

/** One member, and for admins what can be changed. */
export function memberPage(
  { member }: MemberModel,
  frame: Frame,
  made: MadeLinkModel | null = null,
): PageContent {
  const { name, email, role, created_at: since, created_by: by, last_seen: seen } = member;
  const facts = pairs([
    ['Role', role],
    ['E-mail', email === null ? null : outside(email)],
    ['Added', since === null ? null : [shortTime(since, frame.nowMs), ' by ', outside(by)]],
    ['Last here', seen === null ? mark('pending', 'not yet') : ago(seen, frame.nowMs)],
    ['Sessions', member.sessions === 0 ? 'none' : counted(member.sessions, 'session')],
    ['Link', linkWords(member)],
  ]);
  const mayManage = frame.visitor?.canManage === true;
  return {
    title: name,
    crumbs: [{ name: 'Members', path: '/members' }],
    main: el('div', { class: 'narrow' }, [
      pageHead({ title: [outside(name), member.is_you ? html`<span class="dim"> (you)</span>` : null] }),
      made === null ? null : shownOnce(made),
      facts,
      mayManage ? changes(member, frame) : null,
    ]),
  };
}

function changes(member: MemberRowView, frame: Frame): Content[] {
  const path = `/members/${member.member_id}`;
  const hasLink = member.link_ends_at !== null;
  return [
    section(
      { id: 'm-role', title: 'Role' },
      actForm(
        frame,
        `${path}/role`,
        { class: 'stack' },
        ...rows(roleForm, { values: member }),
        html`<p>${submit('Change the role')}</p>`,
      ),
    ),
    section(
      { id: 'm-way', title: 'Way in' },
      el(
        'div',
        { class: 'stack' },
        el(
          'p',
          { class: 'soft' },
          'A link lets them in on one device, once, within 15 minutes. A new one takes the place of those before.',
        ),
        html`<div class="acts">
          ${actForm(frame, `${path}/link`, null, submit('Make a link'))}
          ${hasLink ? actForm(frame, `${path}/withdraw`, null, submit('Take the link back')) : null}
        </div>`,
      ),
    ),
    section(
      { id: 'm-end', title: 'End the membership' },
      sureForm(
        frame,
        `${path}/remove`,
        'All their sessions and links end at once. What they did stays in the history.',
        'Remove',
      ),
    ),
  ];
}
