import type { MembersModel } from '../../core/page-models/members.ts';
import type { SessionsModel } from '../../core/page-models/sign-in-settings.ts';
import { actionButton } from '../components/controls.ts';
import { bidiIsolated, pageHead, section, visuallyHidden } from '../components/elements.ts';
import { miniTable, rowHeader } from '../components/table.ts';
import { html, pageLink, type VNode } from '../el.ts';
import { shortTime, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { memberTabs } from './access.ts';

export function sessionsPage({ your_sessions: rows }: SessionsModel, context: PageContext): PageContent {
  return {
    title: 'Your sessions',
    breadcrumbs: [{ name: 'Members', path: '/members' }],
    main: [
      pageHead({ title: 'Members' }),
      memberTabs(context, '/members/sessions'),
      html`<div class="narrow space">${sessionsSection(rows, context)}</div>`,
    ],
  };
}

type SessionRow = MembersModel['your_sessions'][number];

/** With `rowsMax`, this one, those used last, and a link to all. */
export function sessionsSection(
  rows: readonly SessionRow[],
  context: PageContext,
  rowsMax = rows.length,
): VNode {
  const shown = rows.toSorted((one, other) => Number(other.is_this) - Number(one.is_this)).slice(0, rowsMax);
  const small = { class: 'btn small' };
  const endAll = rows.some((session) => !session.is_this)
    ? actionButton(context, '/members/sessions/end-others', 'Revoke all others', small)
    : null;
  const all = pageLink(context, '/members/sessions', null, `All ${rows.length} sessions`);
  return section(
    { id: 'm-sessions', title: 'Your sessions', aside: endAll ?? '', class: null },
    sessionTable(shown, context, 'Your sessions', '/members/sessions'),
    rows.length > rowsMax ? html`<p class="small">${all}</p>` : null,
    html`<p class="hint legend">A session expires 30 days after its last use; with single sign-on, after 7 days.</p>`,
  );
}

/** `path` is the address below which each can be ended. */
export function sessionTable(
  rows: readonly SessionRow[],
  context: PageContext,
  caption: string,
  path: string,
): VNode {
  const small = { class: 'btn small' };
  return miniTable(
    caption,
    rows,
    {
      row: ({ browser, is_this: isThis, created_at: at, network, signed_in_by: by }) =>
        rowHeader(html`<span class="cell">${browser}</span>`, [
          isThis ? 'This session' : at === null ? '' : ['Since ', shortTime(at, context.nowMs)],
          by === '' ? '' : [', signed in ', bidiIsolated(by)],
          network === '' ? '' : [', from ', network],
        ]),
    },
    {
      class: 'r w6 soft nowrap',
      cell: ({ is_this: isThis, last_used: at }) =>
        isThis ? 'active now' : at === null ? '–' : timeAgo(at, context.nowMs),
    },
    {
      class: 'r w6 small',
      cell: ({ is_this: isThis, session_id: id, browser }) =>
        isThis
          ? null
          : actionButton(context, `${path}/${id}/end`, ['Revoke', visuallyHidden(` ${browser}`)], small),
    },
  );
}
