import type { CreatedLinkModel, MemberRowView, MembersModel } from '../../core/page-models/members.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { actionButton, copyButton } from '../components/controls.ts';
import { bidiIsolated, emptyState, pageHead, section, visuallyHidden } from '../components/elements.ts';
import { capitalize, statusMark } from '../components/icons.ts';
import { dataTable, rowHeader } from '../components/table.ts';
import { type Content, html, type VNode } from '../el.ts';
import {
  counted,
  currentTimeZone,
  formatDayAndTime,
  formatTimeOfDay,
  shortTime,
  timeElement,
} from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { accessText, memberTabs } from './access.ts';

export function invitationsPage(
  model: MembersModel,
  context: PageContext,
  newLink: CreatedLinkModel | null = null,
): PageContent {
  const { invitations } = model;
  return {
    title: 'Invitations',
    breadcrumbs: [{ name: 'Members', path: '/members' }],
    main: [
      pageHead({ title: 'Invitations' }),
      memberTabs(context, '/members/invitations'),
      newLink === null ? null : newLinkNotice(newLink),
      invitations.length === 0
        ? emptyState('No invitations pending', 'An invitation is valid for 7 days.')
        : invitationTable(invitations, context),
    ],
  };
}

export function invitationsSection({ invitations }: MembersModel, context: PageContext): VNode | null {
  if (invitations.length === 0) return null;
  const title = 'Pending invitations';
  return section({ id: 'm-invitations', title }, invitationTable(invitations, context));
}

function invitationTable(rows: readonly MemberRowView[], context: PageContext): VNode {
  const mayManage = context.currentUser?.canManage === true;
  return dataTable<MemberRowView>(context, {
    caption: 'Pending invitations',
    class: 't vtop',
    columns: [
      { name: 'Invited', row: (row) => invitedTitle(row, context) },
      { name: 'Role and access', class: 'd3 soft', cell: roleAndAccess },
      { name: 'Expires', class: 'nowrap d5', cell: (row) => expiry(row, context.nowMs) },
      mayManage ? { class: 'r', cell: (row) => actionsOf(row, context) } : null,
    ],
    rows,
  });
}

function invitedTitle(row: MemberRowView, context: PageContext): VNode {
  const { name, email, created_at: at, created_by: by } = row;
  const title = email === null ? name : `${name}, ${email}`;
  const when: Content = at === null ? '' : shortTime(at, context.nowMs);
  return rowHeader(
    html`<span class="cell">${bidiIsolated(title)}</span>`,
    ['Invited ', when, ' by ', bidiIsolated(by)],
    [
      ['f4', roleAndAccess(row)],
      ['f5', expiry(row, context.nowMs)],
    ],
  );
}

function roleAndAccess({ role, teams, projects }: MemberRowView): string {
  const access = [...teams.map((team) => `#${team}`), ...(projects === null ? [] : [accessText(projects)])];
  return [capitalize(role), ...access.filter((part) => part !== 'none')].join(', ');
}

function expiry({ invited_until: until }: MemberRowView, nowMs: number): Content {
  const leftMs = until === null ? 0 : Date.parse(until) - nowMs;
  if (leftMs <= 0) return statusMark('failed', 'Expired');
  const days = Math.ceil(leftMs / dayMs);
  return statusMark(days === 1 ? 'warning' : 'pending', `${counted(days, 'day')} left`);
}

function actionsOf({ member_id: id, name, email }: MemberRowView, context: PageContext): VNode {
  const rowAction = (verb: string, path: string): Content =>
    actionButton(context, `/members/${id}/${path}`, [verb, visuallyHidden(`, ${name}`)], {
      class: 'btn small',
    });
  return html`<div class="acts end">
    ${rowAction('Copy link', 'invitation-link')}${email === null ? null : rowAction('Resend', 'resend')}${rowAction('Revoke', 'revoke')}
  </div>`;
}

/** A new one-time link, which is never shown again. */
export function newLinkNotice({ name, link, ends_at: endsAt, is_mailed: isMailed }: CreatedLinkModel): VNode {
  const state = statusMark('new', ['Link for ', bidiIsolated(name)]);
  const until = timeElement(endsAt, `${formatDayAndTime(Date.parse(endsAt))} ${currentTimeZone()}`, false);
  const mailed = { true: ' It was mailed too.', false: ' The mail could not be sent.', null: '' }[
    `${isMailed}`
  ];
  return html`<div class="once" role="status">
    <p>${state}, shown only once. It works once, until ${until}.${mailed}</p>
    <p class="line"><code id="m-link">${link}</code>${copyButton('m-link', 'the link')}</p>
  </div>`;
}

export function linkExpiryText({ link_ends_at: endsAt }: MemberRowView): Content {
  if (endsAt === null) return null;
  return ['valid until ', timeElement(endsAt, formatTimeOfDay(Date.parse(endsAt)), false)];
}
