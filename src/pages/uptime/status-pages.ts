import type { VNode } from 'preact';
import type { PlannedView, StatusPagesModel } from '../../core/workspace/uptime/status-pages.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { formLink } from '../parts/form-link.ts';
import { empty, hidden, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { listPage } from '../parts/list.ts';
import { mark } from '../parts/mark.ts';
import { type Column, titleCell } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { smallStrip } from '../plots/strip.ts';
import { count, counted } from '../words/numbers.ts';
import { dayAndTime, timeOfDay } from '../words/times.ts';
import { untilEnd } from './monitors.ts';
import { componentShape, daysOfStrip, listed, nameOf, told } from './words.ts';

type Row = StatusPagesModel['pages'][number];

export function statusPagesPage(model: StatusPagesModel, frame: Frame): PageContent {
  const make = formLink(frame, '/status-pages/new', 'New status page…', 'btn primary');
  return listPage(frame, {
    path: '/status-pages',
    title: 'Status pages',
    head: { acts: frame.visitor?.canManage === true ? make : null },
    nothing: empty(
      'No status page yet',
      'A status page shows the public, or members only, which services work and which incidents are open.',
    ),
    caption: 'Status pages',
    class: 't list mons',
    columns: columns(model, frame),
    rows: model.pages,
    below: planned(model, frame),
  });
}

function columns({ pages }: StatusPagesModel, frame: Frame): Array<Column<Row> | null> {
  const isFollowed = pages.some(({ followers: all }) => all !== null);
  const parts = (page: Row): string => `${count(page.components)} in ${counted(page.groups, 'group')}`;
  const newest = ({ newest_word_at: at }: Row): Content =>
    at === null ? 'no updates' : ago(at, frame.nowMs);
  return [
    { class: 'lv', cell: ({ state }) => componentShape(state) },
    {
      name: 'Page',
      row: (page) =>
        titleCell(frame, {
          path: `/status/${encodeURIComponent(page.slug)}`,
          query: { project: null },
          title: nameOf(page.name),
          place: [page.is_public ? null : [mark('team', 'Members only'), ', '], told(page.headline)],
          folded: [
            ['f2', parts(page)],
            ['f5', newest(page)],
          ],
        }),
    },
    { name: '45 days', class: 'st', cell: strip },
    { name: 'Components', head: 'd2 w8', class: 'd2 soft', cell: parts },
    isFollowed ? { name: 'Followers', head: 'd1 w8', class: 'd1 soft', cell: followers } : null,
    { name: 'Latest update', head: 'd5 w7', class: 'd5 soft', cell: newest },
    { name: hidden('Actions'), head: 'r d5 w5', class: 'r d5 small', cell: (page) => editLink(page, frame) },
  ];
}

function editLink({ slug, name }: Row, frame: Frame): VNode {
  const path = `/status-pages/${encodeURIComponent(slug)}`;
  return pageLink(frame, { path }, null, 'Edit', hidden(` ${nameOf(name)}`));
}

function strip({ name, days }: Row): VNode {
  const troubled = days.filter((day) => day.state === 'down' || day.state === 'degraded').length;
  const finding = troubled === 0 ? 'no downtime' : `downtime on ${counted(troubled, 'day')}`;
  return smallStrip(daysOfStrip(days, true), `${nameOf(name)}, ${days.length} days: ${finding}`);
}

/** `208 by RSS, 4 by mail` */
export function followers({ followers: all }: Pick<Row, 'followers'>): string {
  if (all === null) return '';
  const { rss, mail } = all;
  if (rss === 0 && mail === 0) return 'none yet';
  const parts = [rss === 0 ? null : `${count(rss)} by RSS`, mail === 0 ? null : `${count(mail)} by mail`];
  return parts.filter((part) => part !== null).join(', ');
}

function planned({ planned: all }: StatusPagesModel, frame: Frame): VNode {
  const plan = formLink(frame, '/incidents/plan', 'Schedule maintenance…', 'btn small');
  return section(
    {
      id: 's-planned',
      title: 'Scheduled maintenance',
      beside: frame.visitor?.canAct === true ? plan : null,
    },
    all.length === 0
      ? html`<p class="ruled soft">No maintenance scheduled.</p>`
      : html`<ol class="log">${all.map((each) => line(each, frame))}</ol>`,
  );
}

function line(work: PlannedView, frame: Frame): VNode {
  const { incident_id: id, title, started_at: at, planned_end_at: ends, is_under_way: isNow } = work;
  const link = pageLink(frame, { path: `/incidents/${id}` }, null, told(title));
  const from = Date.parse(at);
  const when = isNow
    ? untilEnd(ends).trim()
    : ends === null
      ? `from ${dayAndTime(from)}`
      : `${timeOfDay(from)} to ${timeOfDay(Date.parse(ends))}`;
  const where: Content[] = [
    when,
    work.components.length === 0
      ? null
      : ['; ', ...listed(work.components.slice(0, 4).map((each) => told(each)))],
    work.pages.length === 0
      ? ', on no page'
      : work.pages.length === 1
        ? null
        : `, on ${work.pages.length} pages`,
    isNow ? '. Notifications for its monitors are muted.' : '.',
  ];
  return html`<li>
    ${isNow ? html`<span class="dim">Now</span>` : shortTime(at, frame.nowMs)}
    <div>
      <p>${isNow ? [mark('maintenance', 'Maintenance'), ' '] : null}${link}</p>
      <p class="small dim">${where}</p>
    </div>
  </li>`;
}
