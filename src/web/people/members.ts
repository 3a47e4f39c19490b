import type {
  CreatedLinkModel,
  MemberRowView,
  MembersModel,
  PermissionView,
} from '../../core/page-models/members.ts';
import { dialogButton, formDialog } from '../components/dialog-forms.ts';
import { bidiIsolated, emptyState, pageHead, section, visuallyHidden } from '../components/elements.ts';
import { avatarMark, capitalize, iconMark, statusMark } from '../components/icons.ts';
import { dataTable, rowHeader, scrollableTable } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { accessText, memberTabs } from './access.ts';
import { invitationsSection, linkExpiryText, newLinkNotice } from './invitations.ts';
import { inviteDialogForm } from './member.ts';
import { sessionsSection } from './sessions.ts';
import { teamsSection } from './teams.ts';

const sessionsShown = 5;

export function membersPage(
  model: MembersModel,
  context: PageContext,
  newLink: CreatedLinkModel | null = null,
): PageContent {
  const form = inviteDialogForm(context, model.teams);
  const invite = [
    ...dialogButton(context, form, { word: 'Invite…', class: 'btn primary' }),
    formDialog(context, form),
  ];
  const mayManage = context.currentUser?.canManage === true;
  return {
    title: 'Members',
    main: [
      pageHead({ title: 'Members', actions: mayManage && model.members.length > 0 ? invite : null }),
      memberTabs(context, '/members'),
      newLink === null ? null : newLinkNotice(newLink),
      model.members.length === 0 ? noMembers(context, mayManage) : memberTable(model.members, context),
      invitationsSection(model, context),
      html`<div class="cols even">${teamsSection(model, context)}${sessionsSection(model.your_sessions, context, sessionsShown)}</div>`,
      roles(model.roles),
    ],
  };
}

function noMembers(context: PageContext, mayManage: boolean): VNode {
  const invite = pageLink(context, '/members/invite', { class: 'btn primary' }, 'Invite member');
  return emptyState(
    'No members yet',
    'Anyone with the workspace token can sign in. Members have names, shown in issues, comments and the audit log.',
    mayManage ? invite : null,
  );
}

function memberTable(rows: readonly MemberRowView[], context: PageContext): VNode {
  const lastActive = ({ last_seen: seen }: MemberRowView): VNode =>
    seen === null ? statusMark('pending', 'never') : timeAgo(seen, context.nowMs);
  return dataTable<MemberRowView>(context, {
    caption: 'Members',
    class: 't list members space',
    columns: [
      { name: 'Name', row: (member) => memberTitle(member, lastActive(member), context) },
      { name: 'Role', class: 'd5', cell: ({ role }) => capitalize(role) },
      { name: 'Teams', class: 'd1 soft', cell: teamsText },
      { name: 'Project access', class: 'd2 soft', cell: ({ projects }) => accessText(projects) },
      { name: 'Sign-in', class: 'd3 soft', cell: signInText },
      { name: 'Last active', class: 'r d5 soft', cell: lastActive },
    ],
    rows,
  });
}

/** There are no passwords: who has neither a passkey nor an account signs in by a link. */
function signInText(member: MemberRowView): Content {
  const link = linkExpiryText(member);
  const methods = member.sign_in.length === 0 && link === null ? ['Link'] : member.sign_in;
  return [
    bidiIsolated(methods.join(', ')),
    link === null ? null : [methods.length > 0 ? ', ' : '', 'link ', link],
  ];
}

function teamsText({ teams }: MemberRowView): string {
  return teams.length === 0 ? 'none' : teams.map((team) => `#${team}`).join(', ');
}

function memberTitle(member: MemberRowView, lastActive: VNode, context: PageContext): VNode {
  const { name, email, role, is_you: isYou, projects } = member;
  const path = `/members/${member.member_id}`;
  const you = isYou ? html`<span class="dim">${' (you)'}</span>` : null;
  return html`<th scope="row">
    <div class="person">
      ${avatarMark(name)}
      <span>
        ${pageLink(context, path, { class: 'cell' }, bidiIsolated(name), you)}
        <span class="cul">${bidiIsolated(email ?? `added by ${member.created_by}`)}</span>
        <span class="fold">
          <span class="f5">${capitalize(role)}, ${lastActive}</span>
          <span class="f2">${accessText(projects)}</span>
        </span>
      </span>
    </div>
  </th>`;
}

function roles(rows: readonly PermissionView[]): VNode {
  const may = (yes: boolean): Content =>
    yes
      ? iconMark('passed', 'yes')
      : [html`<span class="dim" aria-hidden="true">–</span>`, visuallyHidden('no')];
  const table = dataTable<PermissionView>(null, {
    caption: 'Permissions of each role',
    class: 't',
    columns: [
      { name: 'Permission', row: (right) => rowHeader(right.may) },
      { name: 'Viewer', cell: ({ viewer }) => may(viewer) },
      { name: 'Member', cell: ({ member }) => may(member) },
      { name: 'Admin', cell: ({ admin }) => may(admin) },
    ],
    rows,
  });
  return section({ id: 'm-roles', title: 'Roles' }, scrollableTable('Roles', table));
}
