import type { StatusPagesModel } from '../../core/page-models/monitoring/status-pages.ts';
import { smallDayStrip } from '../charts/day-strip.ts';
import { emptyState, section, visuallyHidden } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatDayAndTime, formatTimeOfDay, shortTime, timeAgo } from '../formatters.ts';
import {
  commaSeparated,
  componentIcon,
  shortUntrustedName,
  shortUntrustedText,
  toStripDays,
} from '../monitors/labels.ts';
import { untilText } from '../monitors/monitors.ts';
import type { PageContent, PageContext } from '../page-context.ts';

type Row = StatusPagesModel['pages'][number];

export function statusPagesPage(model: StatusPagesModel, context: PageContext): PageContent {
  const make = pageLink(context, '/status-pages/new', { class: 'btn primary' }, 'New status page…');
  return listPage(context, {
    path: '/status-pages',
    title: 'Status pages',
    head: { actions: model.pages.length > 0 && context.currentUser?.canManage === true ? make : null },
    noRows: emptyState(
      'No status page yet',
      'A status page shows the public, or members only, which services work and which incidents are open.',
      context.currentUser?.canManage === true ? make : 'An admin can create one.',
    ),
    caption: 'Status pages',
    class: 't list mons',
    columns: columns(model, context),
    rows: model.pages,
    below: planned(model, context),
  });
}

function columns({ pages }: StatusPagesModel, context: PageContext): Array<Column<Row> | null> {
  const isFollowed = pages.some(({ followers: all }) => all !== null);
  const componentsText = (page: Row): string =>
    `${count(page.components.length)} in ${counted(page.groups, 'group')}`;
  const newest = ({ newest_word_at: at }: Row): Content =>
    at === null ? 'no updates' : timeAgo(at, context.nowMs);
  return [
    { class: 'lv', cell: ({ state }) => componentIcon(state) },
    {
      name: 'Page',
      row: (page) =>
        titleCell(context, {
          path: `/status/${encodeURIComponent(page.slug)}`,
          query: { project: null },
          title: shortUntrustedName(page.name),
          subtitle: [
            page.published ? null : [statusMark('team', 'Members only'), ', '],
            shortUntrustedText(page.headline),
          ],
          folded: [
            ['f2', componentsText(page)],
            ['f5', newest(page)],
          ],
        }),
    },
    { name: '45 days', class: 'st', cell: strip },
    column('Components', 'd2 w8', 'd2 soft', componentsText),
    isFollowed ? column('Followers', 'd1 w8', 'd1 soft', subscriberCountText) : null,
    column('Latest update', 'd5 w7', 'd5 soft', newest),
    column(visuallyHidden('Actions'), 'r d5 w5', 'r d5 small', (page) => editLink(page, context)),
  ];
}

function editLink({ slug, name }: Row, context: PageContext): VNode {
  const path = `/status-pages/${encodeURIComponent(slug)}`;
  return pageLink(context, path, null, 'Edit', visuallyHidden(` ${shortUntrustedName(name)}`));
}

function strip({ name, days }: Row): VNode {
  const downDays = days.filter((day) => day.state === 'down' || day.state === 'degraded').length;
  const finding = downDays === 0 ? 'no downtime' : `downtime on ${counted(downDays, 'day')}`;
  return smallDayStrip(
    toStripDays(days, true),
    `${shortUntrustedName(name)}, ${days.length} days: ${finding}`,
  );
}

/** `208 by RSS, 4 by mail` */
export function subscriberCountText({ followers: all }: Pick<Row, 'followers'>): string {
  if (all === null) return '';
  const { rss, mail } = all;
  if (rss === 0 && mail === 0) return 'none yet';
  const texts = [rss === 0 ? null : `${count(rss)} by RSS`, mail === 0 ? null : `${count(mail)} by mail`];
  return texts.filter((part) => part !== null).join(', ');
}

function planned({ planned: all }: StatusPagesModel, context: PageContext): VNode {
  const plan = pageLink(context, '/incidents/plan', { class: 'btn small' }, 'Schedule maintenance…');
  return section(
    {
      id: 's-planned',
      title: 'Scheduled maintenance',
      aside: context.currentUser?.canAct === true ? plan : null,
    },
    all.length === 0
      ? html`<p class="ruled soft">No maintenance scheduled.</p>`
      : html`<ol class="log">${all.map((each) => line(each, context))}</ol>`,
  );
}

function line(work: StatusPagesModel['planned'][number], context: PageContext): VNode {
  const { incident_id: id, title, started_at: at, planned_end_at: ends, is_in_progress: isNow } = work;
  const link = pageLink(context, `/incidents/${id}`, null, shortUntrustedText(title));
  const from = Date.parse(at);
  const when = isNow
    ? untilText(ends).trim()
    : ends === null
      ? `from ${formatDayAndTime(from)}`
      : `${formatTimeOfDay(from)} to ${formatTimeOfDay(Date.parse(ends))}`;
  const details: Content[] = [
    when,
    work.components.length === 0
      ? null
      : ['; ', ...commaSeparated(work.components.slice(0, 4).map((each) => shortUntrustedText(each)))],
    work.pages.length === 0
      ? ', on no page'
      : work.pages.length === 1
        ? null
        : `, on ${work.pages.length} pages`,
    isNow ? '. Notifications for its monitors are muted.' : '.',
  ];
  return html`<li>
    ${isNow ? html`<span class="dim">Now</span>` : shortTime(at, context.nowMs)}
    <div>
      <p>${isNow ? [statusMark('maintenance', 'Maintenance'), ' '] : null}${link}</p>
      <p class="small dim">${details}</p>
    </div>
  </li>`;
}
