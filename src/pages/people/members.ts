import type { VNode } from 'preact';
import type { MadeLinkModel, MemberRowView, MembersModel, RightView } from '../../core/workspace/members.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingDialog, opener } from '../parts/asking.ts';
import { actForm, submit } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import { empty, hidden, outside, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, rowHead, tableOf, wide } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { counted } from '../words/numbers.ts';
import { linkWords, shownOnce } from './made-link.ts';
import { inviteAsking } from './member.ts';

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
      pageHead({ title: 'Members', acts: mayManage ? invite : null }),
      made === null ? null : shownOnce(made),
      model.members.length === 0 ? nobodyYet(frame, mayManage) : memberTable(model.members, frame),
      html`<div class="cols even">${sessions(model, frame)}${roles(model.roles)}</div>`,
    ],
  };
}

function nobodyYet(frame: Frame, mayManage: boolean): VNode {
  const invite = pageLink(frame, { path: '/members/invite' }, null, 'Invite member');
  return empty(
    'No members yet',
    'Anyone with the workspace token can sign in. Members have names, shown in issues, comments and the audit log.',
    mayManage ? invite : null,
  );
}

function memberTable(rows: readonly MemberRowView[], frame: Frame): VNode {
  const here = ({ last_seen: seen }: MemberRowView): VNode =>
    seen === null ? mark('pending', 'never') : ago(seen, frame.nowMs);
  return tableOf<MemberRowView>(frame, {
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
      { name: 'Link', head: 'd1 w11', class: 'd1 soft', cell: (member) => linkWords(member) ?? '–' },
    ],
    rows,
  });
}

function memberTitle(member: MemberRowView, here: VNode, frame: Frame): VNode {
  const { name, email, role, is_you: isYou, sessions: all } = member;
  const path = `/members/${member.member_id}`;
  const you = isYou ? html`<span class="dim">${' (you)'}</span>` : null;
  return rowHead(
    pageLink(frame, { path }, { class: 'cell' }, outside(name), you),
    outside(email ?? `added by ${member.created_by}`),
    [
      ['f5', role],
      ['f4', all === 0 ? 'no sessions' : counted(all, 'session')],
      ['f2', here],
      ['f1', linkWords(member)],
    ],
  );
}

function sessions({ your_sessions: rows }: MembersModel, frame: Frame): VNode {
  const small = { class: 'btn small' };
  const endAll = rows.some((session) => !session.is_this)
    ? actForm(frame, '/members/sessions/end-others', null, submit('Revoke all others', small))
    : null;
  const table = tableOf<(typeof rows)[number]>(frame, {
    caption: 'Your sessions',
    class: 't mini',
    isHeadless: true,
    columns: [
      {
        row: ({ browser, is_this: isThis, created_at: at, net }) =>
          rowHead(html`<span class="cell">${browser}</span>`, [
            isThis ? 'this session' : at === null ? '' : ['since ', shortTime(at, frame.nowMs)],
            net === '' ? '' : [', from ', net],
          ]),
      },
      {
        class: 'r w6 soft',
        cell: ({ is_this: isThis, last_used: at }) =>
          isThis ? 'now' : at === null ? '–' : ago(at, frame.nowMs),
      },
      {
        class: 'r w5 small',
        cell: ({ is_this: isThis, session_id: id, browser }) =>
          isThis
            ? null
            : actForm(
                frame,
                `/members/sessions/${id}/end`,
                null,
                submit(['Revoke', hidden(` ${browser}`)], small),
              ),
      },
    ],
    rows,
  });
  return html`<section aria-labelledby="m-sessions">
    <div class="top"><h2 id="m-sessions">Your sessions</h2>${endAll}</div>
    ${table}
    <p class="hint legend">A session expires 30 days after its last use.</p>
  </section>`;
}

function roles(rows: readonly RightView[]): VNode {
  const may = (yes: boolean): Content =>
    yes
      ? html`<span class="mk passed" title="yes">${icon('passed')}${hidden('yes')}</span>`
      : [html`<span class="dim" aria-hidden="true">–</span>`, hidden('no')];
  const table = tableOf<RightView>(null, {
    caption: 'Permissions of each role',
    class: 't',
    columns: [
      { name: 'Permission', row: (right) => rowHead(right.may) },
      { name: 'Viewer', cell: ({ viewer }) => may(viewer) },
      { name: 'Member', cell: ({ member }) => may(member) },
      { name: 'Admin', cell: ({ admin }) => may(admin) },
    ],
    rows,
  });
  return html`<section aria-labelledby="m-roles">
    <h2 id="m-roles">Roles</h2>
    ${wide('Roles', table)}
  </section>`;
}
