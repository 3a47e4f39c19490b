// The page of members: who may come in, the visitor's own sessions, and what each role may do.
import type { VNode } from 'preact';
import type { MadeLinkModel, MemberRowView, MembersModel, RightView } from '../../core/workspace/members.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingDialog, opener } from '../parts/asking.ts';
import { actForm, submit } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import { hidden, hiddenCaption, outside, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, wide } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { counted } from '../words/numbers.ts';
import { linkWords, shownOnce } from './made-link.ts';
import { inviteAsking } from './member.ts';

/** Members, the visitor's own sessions, and what each role may do. */
export function membersPage(
  model: MembersModel,
  frame: Frame,
  made: MadeLinkModel | null = null,
): PageContent {
  const asking = inviteAsking();
  const invite = [
    ...opener(frame, asking, { word: 'Invite…', class: 'btn primary' }),
    askingDialog(frame, asking),
  ];
  const mayManage = frame.visitor?.canManage === true;
  return {
    title: 'Members',
    main: [
      pageHead({ title: 'Members', ...(mayManage ? { acts: invite } : {}) }),
      made === null ? null : shownOnce(made),
      model.members.length === 0 ? nobodyYet(frame, mayManage) : memberTable(model.members, frame),
      el('div', { class: 'cols even' }, sessions(model, frame), roles(model.roles)),
    ],
  };
}

function nobodyYet(frame: Frame, mayManage: boolean): VNode {
  return el(
    'div',
    { class: 'empty' },
    el('h2', null, 'Nobody but the token'),
    el(
      'p',
      null,
      'Whoever has the workspace token is in. A member has a name, which issues, comments and the audit history can tell.',
    ),
    mayManage ? el('p', null, pageLink(frame, { path: '/members/invite' }, null, 'Invite the first')) : null,
  );
}

function memberTable(members: readonly MemberRowView[], frame: Frame): VNode {
  const heads = [
    columnHead('Name'),
    columnHead('Role', 'd5 w7'),
    columnHead('Last here', 'd2 w7'),
    columnHead('Sessions', 'd3 w7'),
    columnHead('Link', 'd1 w11'),
  ];
  return el(
    'table',
    { class: 't list' },
    hiddenCaption('Members'),
    headRow(...heads),
    el('tbody', null, ...members.map((member) => memberRow(member, frame))),
  );
}

function memberRow(member: MemberRowView, frame: Frame): VNode {
  const { name, email, role, is_you: isYou, last_seen: seen, sessions: count } = member;
  const here = seen === null ? mark('pending', 'not yet') : ago(seen, frame.nowMs);
  const counts = count === 0 ? 'none' : counted(count, 'session');
  const link = linkWords(member);
  const you = isYou ? el('span', { class: 'dim' }, ' (you)') : null;
  const title = [outside(name), you];
  const path = `/members/${member.member_id}`;
  const place = email ?? `added by ${member.created_by}`;
  return el(
    'tr',
    null,
    el(
      'th',
      { scope: 'row' },
      pageLink(frame, { path }, { class: 'cell' }, ...title),
      el('span', { class: 'cul' }, outside(place)),
      el(
        'span',
        { class: 'fold' },
        el('span', { class: 'f5' }, role),
        el('span', { class: 'f4' }, count === 0 ? 'no session' : counts),
        el('span', { class: 'f2' }, here),
        link === null ? null : el('span', { class: 'f1' }, link),
      ),
    ),
    cell(role, 'd5'),
    cell(here, 'd2 soft'),
    cell(counts, count === 0 ? 'd3 dim' : 'd3 soft'),
    cell(link ?? '–', 'd1 soft'),
  );
}

function sessions({ your_sessions: all }: MembersModel, frame: Frame): VNode {
  const others = all.some((session) => !session.is_this);
  const endAll = others
    ? actForm(frame, '/members/sessions/end-others', null, submit('End all others', { class: 'btn small' }))
    : null;
  const rows = all.map((session) => {
    const since = session.created_at === null ? '' : ['since ', shortTime(session.created_at, frame.nowMs)];
    const from = session.net === '' ? '' : [', from ', session.net];
    const used = session.last_used === null ? '–' : ago(session.last_used, frame.nowMs);
    const path = `/members/sessions/${session.session_id}/end`;
    const end = actForm(
      frame,
      path,
      null,
      submit(['End', hidden(` ${session.browser}`)], { class: 'btn small' }),
    );
    return el(
      'tr',
      null,
      el(
        'th',
        { scope: 'row' },
        el('span', { class: 'cell' }, session.browser),
        el('span', { class: 'cul' }, session.is_this ? 'this one' : since, from),
      ),
      cell(session.is_this ? 'now' : used, 'r w6 soft'),
      cell(session.is_this ? null : end, 'r w5 small'),
    );
  });
  return el(
    'section',
    { 'aria-labelledby': 'm-sessions' },
    el('div', { class: 'top' }, el('h2', { id: 'm-sessions' }, 'Your sessions'), endAll),
    el('table', { class: 't mini' }, hiddenCaption('Your sessions'), el('tbody', null, ...rows)),
    el(
      'p',
      { class: 'hint legend' },
      'A session ends 30 days after its last use. Signing in begins a new one.',
    ),
  );
}

function roles(rights: readonly RightView[]): VNode {
  const may = (yes: boolean): VNode =>
    yes
      ? cell(el('span', { class: 'mk passed', title: 'yes' }, icon('passed'), hidden('yes')))
      : cell([el('span', { class: 'dim', 'aria-hidden': 'true' }, '–'), hidden('no')]);
  const rows = rights.map((right) =>
    el(
      'tr',
      null,
      el('th', { scope: 'row' }, right.may),
      may(right.viewer),
      may(right.member),
      may(right.admin),
    ),
  );
  const heads = [columnHead('May'), columnHead('Viewer'), columnHead('Member'), columnHead('Admin')];
  const table = el(
    'table',
    { class: 't' },
    hiddenCaption('What each role may do'),
    headRow(...heads),
    el('tbody', null, ...rows),
  );
  return el(
    'section',
    { 'aria-labelledby': 'm-roles' },
    el('h2', { id: 'm-roles' }, 'Roles'),
    wide('Roles', table),
  );
}
