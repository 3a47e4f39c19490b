import type { VNode } from 'preact';
import type { ReportsModel } from '../../core/workspace/feedback/list.ts';
import type { ReportView } from '../../core/workspace/feedback/views.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, submit } from '../parts/controls.ts';
import { empty, none, nothingFits, outside } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { listPage } from '../parts/list.ts';
import { mark } from '../parts/mark.ts';
import { type Column, rowHead } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { histogram } from '../plots/histogram.ts';
import { count, counted } from '../words/numbers.ts';

const path = '/feedback';

export function reportsPage(model: ReportsModel, frame: Frame): PageContent {
  const { asked, counts, domains, reports } = model;
  const { q, domain } = asked;
  const state = asked.state === 'open' ? null : asked.state;
  const mayAct = frame.visitor?.canAct === true;
  return listPage(frame, {
    path,
    title: 'Feedback',
    tabs: {
      label: 'State',
      name: 'state',
      current: asked.state,
      usual: 'open',
      query: { state, domain, q },
      all: [
        ['open', 'Open', counts.open],
        ['resolved', 'Resolved', counts.resolved],
        ['spam', 'Spam', counts.spam],
      ],
    },
    filters: {
      kept: { state },
      search: { label: 'Search feedback', hint: 'Text or page', value: q },
      choices: [{ name: 'domain', label: 'Domain', any: 'Any domain', choices: domains, chosen: domain }],
    },
    plot: plot(model, frame),
    nothing: nothing(model, frame),
    around: (table) => (mayAct ? withActs(table, model, frame) : table),
    caption: 'User feedback, newest first',
    columns: columns(mayAct, frame),
    rows: reports,
    pages: {
      query: { state, domain, q },
      newer: model.newer,
      older: model.older,
      all: null,
      noun: ['report'],
      said: howMany(model),
    },
    below: switches(model, frame),
  });
}

function plot({ days }: ReportsModel, frame: Frame): VNode {
  const sum = days.reduce((all, { reports }) => all + reports, 0);
  return histogram(frame, {
    bars: days.map(({ from, to, reports }) => ({
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
      counts: { reports },
    })),
    stacks: [{ key: 'reports', name: 'reports', fill: 'error' }],
    nowMs: frame.nowMs,
    noun: ['report', 'reports'],
    finding: [html`<b>${counted(sum, 'report')}</b>`, ' in 30 days'],
    height: 80,
  });
}

function nothing(model: ReportsModel, frame: Frame): VNode {
  const { asked, counts, domain_count: all, domains_off: off } = model;
  if (asked.q !== null || asked.domain !== null) {
    const way = pageLink(frame, { path: '/feedback' }, null, 'Show all open reports');
    return nothingFits(
      frame,
      'No feedback matches',
      `No ${asked.state} feedback matches these filters.`,
      way,
    );
  }
  if (counts.open + counts.resolved + counts.spam > 0) {
    const words = { open: 'No open feedback', resolved: 'No resolved feedback', spam: 'No spam' };
    return empty(words[asked.state], 'Use the tabs above to see feedback in other states.');
  }
  if (all === 0) {
    return empty(
      'No domains yet',
      'Feedback is accepted only from listed domains. None is listed yet.',
      pageLink(frame, { path: '/domains' }, null, 'Add domain'),
    );
  }
  if (off === all) {
    return empty(
      'Feedback is off',
      `Feedback is turned off for ${all === 1 ? 'the one domain' : `all ${count(all)} domains`}. Visitors who try to send some see that.`,
      pageLink(frame, { path: '/domains' }, null, 'Turn on feedback'),
    );
  }
  return empty('No feedback yet', 'Bug reports from your visitors appear here.');
}

export const acts = { resolved: 'Resolve', open: 'Reopen', spam: 'Spam' } as const;

function withActs(table: VNode, { asked }: ReportsModel, frame: Frame): Content {
  const states = Object.entries(acts).filter(([state]) => state !== asked.state);
  const bulk = html`<div class="bulk">
    <span class="soft">Selected feedback</span>
    ${states.map(([value, word]) => submit(word, { name: 'state', value }))}
  </div>`;
  return actForm(frame, path, null, table, bulk);
}

function columns(mayAct: boolean, frame: Frame): Array<Column<ReportView> | null> {
  const where = ({ url }: ReportView): Content => {
    const page = pagePath(url);
    return page === null ? null : html`<code class="soft">${outside(page)}</code>`;
  };
  const came = ({ created_at: at }: ReportView): VNode => ago(at, frame.nowMs);
  return [
    mayAct ? { class: 'pickcol', cell: pickBox } : null,
    {
      name: 'Message',
      row: (report) => {
        const { feedback_id: id, issue_id: issue, message } = report;
        const words = html`<span class="ttl two">${outside(message)}</span>`;
        return rowHead(
          pageLink(frame, { path: `${path}/${id}` }, { class: 'cell' }, words),
          [stateMark(report), secondLine(report)],
          [
            ['f4', where(report)],
            ['f2', issue === null ? null : html`<b>#${issue}</b>`],
            ['f5', came(report)],
          ],
        );
      },
    },
    { name: 'Page', head: 'd3 w9', class: 'd3', cell: (report) => where(report) ?? none() },
    {
      name: 'Issue',
      head: 'd2 w5',
      class: 'd2',
      cell: ({ issue_id: id, project_id: project }) =>
        id === null ? none() : pageLink(frame, { path: `/issues/${id}`, query: { project } }, null, `#${id}`),
    },
    {
      name: 'Contact',
      head: 'd1 w11',
      class: 'd1 soft',
      cell: ({ email }) => (email === null ? none() : outside(email)),
    },
    { name: 'Received', class: 'd5 seen', cell: came },
  ];
}

function pickBox({ feedback_id: id }: ReportView): VNode {
  return html`<input type="checkbox" name="feedback[]" value=${id} aria-label="Select report ${id}" />`;
}

export function stateMark({ state, state_at: at }: ReportView): VNode {
  if (state === 'resolved') return mark('resolved');
  if (state === 'spam') return mark('ignored', 'Spam');
  return at === null ? mark('new') : mark('ongoing', 'Reopen');
}

function secondLine({ browser, screenshot_count: pictures, domain }: ReportView): Content {
  const picture =
    pictures === 0 ? '' : pictures === 1 ? ', with a screenshot' : `, with ${pictures} screenshots`;
  return [
    browser === null ? null : `, ${browser}`,
    picture,
    domain === null ? null : [', ', outside(domain)],
  ];
}

/** Path and query of a URL; the text itself if it is not a URL. */
export function pagePath(url: string | null): string | null {
  if (url === null || url === '') return null;
  const parsed = URL.parse(url);
  return parsed === null ? url : parsed.pathname + parsed.search;
}

function howMany({ asked, reports, counts }: ReportsModel): string {
  const isFiltered = asked.q !== null || asked.domain !== null;
  const of = isFiltered ? '' : ` of ${count(counts[asked.state])}`;
  const held = asked.state === 'spam' || counts.spam === 0 ? '' : `; ${count(counts.spam)} marked as spam`;
  const noun = reports.length === 1 && isFiltered ? 'report' : 'reports';
  return `${count(reports.length)}${of} ${asked.state} ${noun}${held}`;
}

function switches(
  { domain_count: all, domains_off: off, reports }: ReportsModel,
  frame: Frame,
): VNode | null {
  if (off === 0 || (reports.length === 0 && off === all)) return null;
  const where = pageLink(frame, { path: '/domains' }, null, `${count(off)} of ${counted(all, 'domain')}`);
  return html`<p class="note plain legend">
    Feedback is off for ${where}. Visitors who try to send some see that.
  </p>`;
}
