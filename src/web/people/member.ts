import { z } from 'zod';
import type { CreatedLinkModel, MemberModel, MembersModel } from '../../core/page-models/members.ts';
import { actionButton, actionForm, fieldsForm, submitButton } from '../components/controls.ts';
import { confirmCheckboxForm, type DialogForm, formSection } from '../components/dialog-forms.ts';
import { bidiIsolated, nameValueList, pageHead, section } from '../components/elements.ts';
import {
  defineForm,
  enteredFields,
  type FormEntry,
  formFields,
  radioField,
  requiredTextField,
  textField,
} from '../components/form.ts';
import { statusMark } from '../components/icons.ts';
import { type Content, el, html } from '../el.ts';
import { counted, shortTime, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { accessFields, accessText, teamsField } from './access.ts';
import { linkExpiryText, newLinkNotice } from './invitations.ts';
import { tokenTable } from './personal-tokens.ts';
import { sessionTable } from './sessions.ts';
import { accessOf, projectChoices } from './teams.ts';

const roles = radioField('Role', z.enum(['viewer', 'member', 'admin'], 'Choose viewer, member or admin.'), [
  ['viewer', 'Viewer', 'can see their projects but change nothing'],
  ['member', 'Member', 'can work with issues and feedback'],
  ['admin', 'Admin', 'can also manage projects, keys and members, and delete'],
]);

export const invitationForm = defineForm({
  name: requiredTextField('Name', 'Enter a name.', {
    hint: 'Shown in issues, comments and the audit log.',
    attributes: { maxlength: 80 },
  }),
  email: textField('E-mail', {
    isOptional: true,
    hint: 'Only admins see it.',
    attributes: { type: 'email', maxlength: 254 },
  }),
  role: roles,
  team: teamsField,
  ...accessFields,
});

/** Label hidden: the page's heading already says it. */
export const roleForm = defineForm({
  role: { ...roles, options: { label: 'Role', attributes: { class: 'vh' } } },
});

export function inviteDialogForm(
  context: PageContext,
  teams: MembersModel['teams'],
  entry?: FormEntry,
): DialogForm {
  const choices = teams.map((team) => ({ value: String(team.team_id), name: `#${team.name}` }));
  return {
    id: 'd-invite',
    path: '/members/invite',
    title: 'Invite member',
    description:
      'The invitation is valid for 7 days. It is sent by e-mail if SMTP_URL is set, and you can copy its link.',
    action: '/members',
    fields: enteredFields(invitationForm, entry, {
      values: { role: 'member', access: 'all' },
      fieldOptions: { team: { choices }, ...projectChoices(context) },
    }),
    verb: 'Invite member',
  };
}

export function invitePage(
  { teams }: Pick<MembersModel, 'teams'>,
  context: PageContext,
  entry?: FormEntry,
): PageContent {
  return {
    title: 'Invite member',
    breadcrumbs: [{ name: 'Members', path: '/members' }],
    main: formSection(context, inviteDialogForm(context, teams, entry), { from: '/members' }),
  };
}

export function memberPage(
  model: MemberModel,
  context: PageContext,
  newLink: CreatedLinkModel | null = null,
): PageContent {
  const { member } = model;
  const { name, email, role, created_at: since, created_by: by, last_seen: seen } = member;
  const facts = nameValueList([
    ['Role', role],
    ['Teams', member.teams.length === 0 ? 'none' : member.teams.map((team) => `#${team}`).join(', ')],
    ['Project access', accessText(member.projects)],
    ['E-mail', email === null ? null : bidiIsolated(email)],
    ['Added', since === null ? null : [shortTime(since, context.nowMs), ' by ', bidiIsolated(by)]],
    ['Last active', seen === null ? statusMark('pending', 'never') : timeAgo(seen, context.nowMs)],
    ['Sessions', member.sessions === 0 ? 'none' : counted(member.sessions, 'session')],
    ['Sign-in', member.sign_in.length === 0 ? null : bidiIsolated(member.sign_in.join(', '))],
    ['Link', linkExpiryText(member)],
  ]);
  const mayManage = context.currentUser?.canManage === true;
  return {
    title: name,
    breadcrumbs: [{ name: 'Members', path: '/members' }],
    main: el('div', { class: 'narrow' }, [
      pageHead({ title: [bidiIsolated(name), member.is_you ? html`<span class="dim"> (you)</span>` : null] }),
      newLink === null ? null : newLinkNotice(newLink),
      facts,
      mayManage ? changes(model, context) : null,
    ]),
  };
}

function changes({ member, sessions, tokens }: MemberModel, context: PageContext): Content[] {
  const path = `/members/${member.member_id}`;
  const hasLink = member.link_ends_at !== null;
  const revokeAll = submitButton('Revoke all sessions');
  return [
    section(
      { id: 'm-role', title: 'Role' },
      fieldsForm(context, `${path}/role`, formFields(roleForm, { values: member }), 'Change role'),
    ),
    section({ id: 'm-access', title: 'Project access' }, accessOf(path, member.projects, context)),
    section(
      { id: 'm-way', title: 'Sign-in link' },
      html`<div class="stack">
        <p class="soft">
          The link signs them in on one device, once, within 15 minutes. A new link replaces earlier ones.
        </p>
        <div class="acts">
          ${actionButton(context, `${path}/link`, 'Create link')}
          ${hasLink ? actionButton(context, `${path}/withdraw`, 'Revoke link') : null}
        </div>
      </div>`,
    ),
    member.sessions === 0
      ? null
      : section(
          { id: 'm-sessions', title: 'Sessions' },
          html`<p class="soft">${counted(member.sessions, 'session')}. Revoking them signs the member out on
            every device.</p>`,
          sessionTable(sessions, context, 'Sessions of the member', `${path}/sessions`),
          actionForm(context, `${path}/sessions/end`, { class: 'space' }, revokeAll),
        ),
    tokens.length === 0
      ? null
      : section({ id: 'm-tokens', title: 'API tokens' }, tokenTable(tokens, context, `${path}/tokens`)),
    section(
      { id: 'm-end', title: 'Remove member' },
      confirmCheckboxForm(
        context,
        `${path}/remove`,
        'Their sessions, links and API tokens end at once. Their entries in the audit log stay.',
        'Remove',
      ),
    ),
  ];
}
