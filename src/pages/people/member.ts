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

const roles = radios('Role', z.enum(['viewer', 'member', 'admin'], 'Choose viewer, member or admin.'), [
  ['viewer', 'Viewer', 'can see everything and change nothing'],
  ['member', 'Member', 'can work with issues and feedback'],
  ['admin', 'Admin', 'can also manage projects, keys and members, and delete'],
]);

export const invitationForm = form({
  name: needed('Name', 'Enter a name.', {
    hint: 'Shown in issues, comments and the audit log.',
    attributes: { maxlength: 80 },
  }),
  email: text('E-mail', {
    hint: 'Optional. Only admins see it.',
    attributes: { type: 'email', maxlength: 254 },
  }),
  role: roles,
});

/** Label hidden: the page's heading already says it. */
export const roleForm = form({ role: { ...roles, look: { label: 'Role', attributes: { class: 'vh' } } } });

/** The answer to the invitation shows the link. */
export function inviteAsking(): Asking {
  return {
    id: 'd-invite',
    path: '/members/invite',
    title: 'Invite member',
    why: 'You get a sign-in link to pass on. It works once, for 15 minutes.',
    act: '/members',
    fields: rows(invitationForm, { values: { role: 'member' } }),
    verb: 'Create invitation link',
  };
}

export function invitePage(frame: Frame): PageContent {
  return {
    title: 'Invite member',
    crumbs: [{ name: 'Members', path: '/members' }],
    main: askingPart(frame, inviteAsking(), { from: '/members' }),
  };
}

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
    ['Last active', seen === null ? mark('pending', 'never') : ago(seen, frame.nowMs)],
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
        html`<p>${submit('Change role')}</p>`,
      ),
    ),
    section(
      { id: 'm-way', title: 'Sign-in link' },
      el(
        'div',
        { class: 'stack' },
        el(
          'p',
          { class: 'soft' },
          'The link signs them in on one device, once, within 15 minutes. A new link replaces earlier ones.',
        ),
        html`<div class="acts">
          ${actForm(frame, `${path}/link`, null, submit('Create link'))}
          ${hasLink ? actForm(frame, `${path}/withdraw`, null, submit('Revoke link')) : null}
        </div>`,
      ),
    ),
    section(
      { id: 'm-end', title: 'Remove member' },
      sureForm(
        frame,
        `${path}/remove`,
        'Their sessions and links end at once. Their entries in the audit log stay.',
        'Remove',
      ),
    ),
  ];
}
