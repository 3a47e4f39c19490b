// /status-pages: what each reads now, how it did, and what is planned.
import type { VNode } from 'preact';
import type { PlannedView, StatusPagesModel } from '../../core/workspace/uptime/status-pages.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { formLink } from '../parts/form-link.ts';
import { empty, hidden, hiddenCaption, pageHead, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { smallStrip } from '../plots/strip.ts';
import { count, counted } from '../words/numbers.ts';
import { dayAndTime, timeOfDay } from '../words/times.ts';
import { untilEnd } from './monitors.ts';
import { componentShape, daysOfStrip, listed, nameOf, told } from './words.ts';

type Row = StatusPagesModel['pages'][number];

/** The page of all status pages. */
export function statusPagesPage(model: StatusPagesModel, frame: Frame): PageContent {
  const { pages } = model;
  const make = formLink(frame, '/status-pages/new', 'Make a status page…', 'btn primary');
  return {
    title: 'Status pages',
    main: [
      pageHead({ title: 'Status pages', ...(frame.visitor?.canManage === true ? { acts: make } : {}) }),
      pages.length === 0
        ? empty(
            'No status page yet',
            'A status page says to everybody, or to members alone, what works and what is being seen to.',
          )
        : table(pages, frame),
      planned(model, frame),
    ],
  };
}

function table(pages: readonly Row[], frame: Frame): VNode {
  const isFollowed = pages.some(({ followers: all }) => all !== null);
  const heads = [
    el('td', { class: 'lv' }),
    columnHead('Page'),
    columnHead('45 days', 'st'),
    columnHead('Components', 'd2 w8'),
    ...(isFollowed ? [columnHead('Followers', 'd1 w8')] : []),
    columnHead('Newest word', 'd5 w7'),
    columnHead(hidden('Acts'), 'r d5 w5'),
  ];
  return el(
    'table',
    { class: 't list mons' },
    hiddenCaption('Status pages'),
    headRow(...heads),
    el('tbody', null, ...pages.map((each) => row(each, frame, isFollowed))),
  );
}

function row(page: Row, frame: Frame, isFollowed: boolean): VNode {
  const { slug, name, state, headline, days, newest_word_at: said } = page;
  const parts = `${count(page.components)} in ${counted(page.groups, 'group')}`;
  const word = said === null ? 'nothing said' : ago(said, frame.nowMs);
  const troubled = days.filter((day) => day.state === 'down' || day.state === 'degraded').length;
  const finding = troubled === 0 ? 'no trouble' : `trouble on ${counted(troubled, 'day')}`;
  const edit = pageLink(
    frame,
    { path: `/status-pages/${encodeURIComponent(slug)}` },
    null,
    'Edit',
    hidden(` ${nameOf(name)}`),
  );
  return el(
    'tr',
    null,
    cell(componentShape(state), 'lv'),
    titleCell(frame, {
      path: `/status/${encodeURIComponent(slug)}`,
      query: { project: null },
      title: nameOf(name),
      place: [page.is_public ? null : [mark('team', 'Members only'), ', '], told(headline)],
      folded: [el('span', { class: 'f2' }, parts), el('span', { class: 'f5' }, word)],
    }),
    cell(smallStrip(daysOfStrip(days, true), `${nameOf(name)}, ${days.length} days: ${finding}`), 'st'),
    cell(parts, 'd2 soft'),
    isFollowed ? cell(followers(page), 'd1 soft') : null,
    cell(word, 'd5 soft'),
    cell(edit, 'r d5 small'),
  );
}

/** `208 by RSS, 4 by mail` */
export function followers({ followers: all }: Pick<Row, 'followers'>): string {
  if (all === null) return '';
  const { rss, mail } = all;
  if (rss === 0 && mail === 0) return 'nobody yet';
  const parts = [rss === 0 ? null : `${count(rss)} by RSS`, mail === 0 ? null : `${count(mail)} by mail`];
  return parts.filter((part) => part !== null).join(', ');
}

function planned({ planned: all }: StatusPagesModel, frame: Frame): VNode {
  const plan = formLink(frame, '/incidents/plan', 'Plan something…', 'btn small');
  return section(
    {
      id: 's-planned',
      title: 'Planned',
      beside: frame.visitor?.canAct === true ? plan : null,
    },
    all.length === 0
      ? el('p', { class: 'ruled soft' }, 'Nothing is planned.')
      : el('ol', { class: 'log' }, ...all.map((each) => line(each, frame))),
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
    isNow ? '. Monitors there are silent.' : '.',
  ];
  return el(
    'li',
    null,
    isNow ? el('span', { class: 'dim' }, 'Now') : shortTime(at, frame.nowMs),
    el(
      'div',
      null,
      el('p', null, isNow ? [mark('maintenance', 'Planned work'), ' '] : null, link),
      el('p', { class: 'small dim' }, ...where),
    ),
  );
}
