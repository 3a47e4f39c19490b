import type { VNode } from 'preact';
import type {
  CreatedLinkModel,
  MemberRowView,
  MembersModel,
  PermissionView,
} from '../../core/page-models/members.ts';
import { dialogButton, formDialog } from '../components/dialog-forms.ts';
import { bidiIsolated, emptyState, pageHead, visuallyHidden } from '../components/elements.ts';
import { icon } from '../components/icons.ts';
import { pageLink } from '../components/link.ts';
import { statusMark } from '../components/mark.ts';
import { cell, dataTable, rowHeader, scrollableTable } from '../components/table.ts';
import { timeAgo } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { counted } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { inviteDialogForm } from './member.ts';
import { linkExpiryText, newLinkNotice } from './one-time-link.ts';
import { memberTabs, sessionsSection } from './sessions.ts';

export function membersPage(
  model: MembersModel,
  context: PageContext,
  made: CreatedLinkModel | null = null,
): PageContent {
  const asking = inviteDialogForm();
  const invite = [
    ...dialogButton(context, asking, { word: 'Invite…', class: 'btn primary' }),
    formDialog(context, asking),
  ];
  const mayManage = context.visitor?.canManage === true;
  return {
    title: 'Members',
    main: [
      pageHead({ title: 'Members', acts: mayManage ? invite : null }),
      memberTabs(context, '/members'),
      made === null ? null : newLinkNotice(made),
      model.members.length === 0 ? noMembers(context, mayManage) : memberTable(model.members, context),
      html`<div class="cols even">${sessionsSection(model.your_sessions, context)}${roles(model.roles)}</div>`,
    ],
  };
}

function noMembers(frame: PageContext, mayManage: boolean): VNode {
  const invite = pageLink(frame, { path: '/members/invite' }, { class: 'btn primary' }, 'Invite member');
  return emptyState(
    'No members yet',
    'Anyone with the workspace token can sign in. Members have names, shown in issues, comments and the audit log.',
    mayManage ? invite : null,
  );
}

function memberTable(rows: readonly MemberRowView[], frame: PageContext): VNode {
  const here = ({ last_seen: seen }: MemberRowView): VNode =>
    seen === null ? statusMark('pending', 'never') : timeAgo(seen, frame.nowMs);
  return dataTable<MemberRowView>(frame, {
    caption: 'Members',
    columns: [
      { name: 'Name', row: (member) => memberTitle(member, here(member), frame) },
      { name: 'Role', head: 'd5 w7', class: 'd5', cell: ({ role }) => role },
      { name: 'Last active', head: 'd2 w7', class: 'd2 soft', cell: here },
      {
        name: 'Sessions',
        head: 'd3 w7',
        row: ({ sessions: all }) =>
          all === 0 ? cell('none', 'd3 dim') : cell(counted(all, 'session'), 'd3 soft'),
      },
      { name: 'Link', head: 'd1 w11', class: 'd1 soft', cell: (member) => linkExpiryText(member) ?? '–' },
    ],
    rows,
  });
}

function memberTitle(member: MemberRowView, here: VNode, frame: PageContext): VNode {
  const { name, email, role, is_you: isYou, sessions: all } = member;
  const path = `/members/${member.member_id}`;
  const you = isYou ? html`<span class="dim">${' (you)'}</span>` : null;
  return rowHeader(
    pageLink(frame, { path }, { class: 'cell' }, bidiIsolated(name), you),
    bidiIsolated(email ?? `added by ${member.created_by}`),
    [
      ['f5', role],
      ['f4', all === 0 ? 'no sessions' : counted(all, 'session')],
      ['f2', here],
      ['f1', linkExpiryText(member)],
    ],
  );
}

function roles(rows: readonly PermissionView[]): VNode {
  const may = (yes: boolean): Content =>
    yes
      ? html`<span class="mk passed" title="yes">${icon('passed')}${visuallyHidden('yes')}</span>`
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
  return html`<section aria-labelledby="m-roles">
    <h2 id="m-roles">Roles</h2>
    ${scrollableTable('Roles', table)}
  </section>`;
}
