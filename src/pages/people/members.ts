// The pages of members: all of them, one, and the form that invites.
import type { VNode } from 'preact';
import {
  type MadeLinkModel,
  type MemberModel,
  type MemberRowView,
  type MembersModel,
  type RightView,
  roleWords,
} from '../../core/workspace/members.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, copyButton, field, submit } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import { hidden, hiddenCaption, outside, pageHead, pairs, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, wide } from '../parts/table.ts';
import { ago, moment, shortTime } from '../parts/time.ts';
import { counted } from '../words/numbers.ts';
import { timeOfDay } from '../words/times.ts';

/** Members, the visitor's own sessions, and what each role may do. */
export function membersPage(
  model: MembersModel,
  frame: Frame,
  made: MadeLinkModel | null = null,
): PageContent {
  const invite = pageLink(frame, { path: '/members/invite' }, { class: 'btn primary' }, 'Invite…');
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

/** A link that was made just now, where it is seen once. */
function shownOnce({ name, link, ends_at: endsAt }: MadeLinkModel): VNode {
  const state = el('span', { class: 'mk new' }, icon('new'), 'Link for ', outside(name));
  const until = moment(endsAt, `${timeOfDay(Date.parse(endsAt))} UTC`, false);
  return el(
    'div',
    { class: 'once', role: 'status' },
    el('p', null, state, ', shown this once. It works one time, until ', until, '.'),
    el('p', { class: 'line' }, el('code', { id: 'm-link' }, link), copyButton('m-link', 'the link')),
  );
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
        el('span', { class: 'f4' }, counts),
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

function linkWords({ link_ends_at: endsAt }: MemberRowView): Content {
  if (endsAt === null) return null;
  return ['waits until ', moment(endsAt, timeOfDay(Date.parse(endsAt)), false)];
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

/** The form that invites: it answers with the link. */
export function invitePage(frame: Frame): PageContent {
  return {
    title: 'Invite somebody',
    crumbs: [{ name: 'Members', path: '/members' }],
    main: el(
      'div',
      { class: 'narrow' },
      pageHead({ title: 'Invite somebody' }),
      el('p', { class: 'soft' }, 'You get a link to hand over. It works once, for 15 minutes.'),
      actForm(
        frame,
        '/members',
        { class: 'stack' },
        field(
          { id: 'name', label: 'Name', hint: 'As issues, comments and the audit history will tell it.' },
          { name: 'name', type: 'text', required: true, maxlength: 80, autocomplete: 'off' },
        ),
        field(
          { id: 'email', label: 'E-mail', hint: 'May stay empty. Only admins see it.' },
          { name: 'email', type: 'email', maxlength: 254, autocomplete: 'off' },
        ),
        roleChoice('member'),
        el(
          'p',
          { class: 'acts' },
          submit('Make the link', { class: 'btn primary' }),
          ' ',
          pageLink(frame, { path: '/members' }, { class: 'btn' }, 'Cancel'),
        ),
      ),
    ),
  };
}

function roleChoice(chosen: string): VNode {
  const choices = Object.entries(roleWords).map(([value, words]) =>
    el(
      'label',
      null,
      el('input', { type: 'radio', name: 'role', value, checked: value === chosen }),
      el('span', null, value.charAt(0).toUpperCase() + value.slice(1), el('small', { class: 'soft' }, words)),
    ),
  );
  return el('fieldset', { class: 'choose' }, el('legend', { class: 'label' }, 'Role'), ...choices);
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
    main: [
      pageHead({ title: [outside(name), member.is_you ? el('span', { class: 'dim' }, ' (you)') : null] }),
      made === null ? null : shownOnce(made),
      facts,
      mayManage ? changes(member, frame) : null,
    ],
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
        roleChoice(member.role),
        el('p', null, submit('Change the role')),
      ),
    ),
    section(
      { id: 'm-way', title: 'Way in' },
      el(
        'p',
        { class: 'soft' },
        'A link lets them in on one device, once, within 15 minutes. A new one takes the place of those before.',
      ),
      el(
        'div',
        { class: 'acts' },
        actForm(frame, `${path}/link`, null, submit('Make a link')),
        hasLink ? actForm(frame, `${path}/withdraw`, null, submit('Take the link back')) : null,
      ),
    ),
    section(
      { id: 'm-end', title: 'End the membership' },
      actForm(
        frame,
        `${path}/remove`,
        { class: 'stack' },
        el(
          'label',
          { class: 'check' },
          el('input', { type: 'checkbox', name: 'sure', value: 'yes', required: true }),
          ' All their sessions and links end at once. What they did stays in the history.',
        ),
        el('p', null, submit('Remove', { class: 'btn danger' })),
      ),
    ),
  ];
}
