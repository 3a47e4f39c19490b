import type { FeedbackListModel, FeedbackView } from '../../core/page-models/feedback/list.ts';
import { histogram } from '../charts/histogram.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { bidiIsolated, emptyState, noneText, noResults } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, rowHeader } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const path = '/feedback';

export function feedbackListPage(model: FeedbackListModel, context: PageContext): PageContent {
  const { filters, counts, domains, reports } = model;
  const { q, domain } = filters;
  const state = filters.state === 'open' ? null : filters.state;
  const mayAct = context.currentUser?.canAct === true;
  return listPage(context, {
    path,
    title: 'Feedback',
    tabs: {
      label: 'State',
      name: 'state',
      current: filters.state,
      usual: 'open',
      query: { state, domain, q },
      all: [
        ['open', 'Open', counts.open],
        ['resolved', 'Resolved', counts.resolved],
        ['spam', 'Spam', counts.spam],
      ],
    },
    filters: {
      preserved: { state },
      search: { label: 'Search feedback', hint: 'Text or page', value: q },
      choices: [{ name: 'domain', label: 'Domain', any: 'Any domain', choices: domains, chosen: domain }],
    },
    plot: plot(model, context),
    noRows: emptyList(model, context),
    around: (table) => (mayAct ? withActions(table, model, context) : table),
    caption: 'User feedback, newest first',
    columns: columns(mayAct, context),
    rows: reports,
    pages: {
      query: { state, domain, q },
      newer: model.newer,
      older: model.older,
      all: null,
      noun: ['report'],
      summary: countText(model),
    },
    below: switchedOffNote(model, context),
  });
}

function plot({ days }: FeedbackListModel, context: PageContext): VNode {
  const sum = days.reduce((all, { reports }) => all + reports, 0);
  return histogram(context, {
    bars: days.map(({ from, to, reports }) => ({
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
      counts: { reports },
    })),
    stacks: [{ key: 'reports', name: 'reports', fill: 'plain' }],
    noun: 'report',
    finding: [html`<b>${counted(sum, 'report')}</b>`, ' in 30 days'],
    height: 80,
  });
}

function emptyList(model: FeedbackListModel, context: PageContext): VNode {
  const { filters, counts, domain_count: all, domains_off: off } = model;
  if (filters.q !== null || filters.domain !== null) {
    const link = pageLink(context, '/feedback', null, 'Show all open reports');
    return noResults(
      context,
      'No feedback matches',
      `No ${filters.state} feedback matches these filters.`,
      link,
    );
  }
  if (counts.open + counts.resolved + counts.spam > 0) {
    const words = { open: 'No open feedback', resolved: 'No resolved feedback', spam: 'No spam' };
    return emptyState(words[filters.state], 'Use the tabs above to see feedback in other states.');
  }
  if (all === 0) {
    return emptyState(
      'No domains yet',
      'Feedback is accepted only from listed domains. None is listed yet.',
      pageLink(context, '/domains', { class: 'btn' }, 'Add domain'),
    );
  }
  if (off === all) {
    return emptyState(
      'Feedback is off',
      `Feedback is turned off for ${all === 1 ? 'the one domain' : `all ${count(all)} domains`}. Visitors who try to send some see that.`,
      pageLink(context, '/domains', null, 'Turn on feedback'),
    );
  }
  return emptyState(
    'No feedback yet',
    'Bug reports from your visitors appear here, sent by the widget of a Sentry SDK or a form of yours.',
    pageLink(context, '/setup', { class: 'btn' }, 'Set up an SDK'),
  );
}

export const stateActions = { resolved: 'Resolve', open: 'Reopen', spam: 'Spam' } as const;

function withActions(table: VNode, { filters }: FeedbackListModel, context: PageContext): Content {
  const states = Object.entries(stateActions).filter(([state]) => state !== filters.state);
  const bulk = html`<div class="bulk">
    <span class="soft">Selected feedback</span>
    ${states.map(([value, word]) => submitButton(word, { name: 'state', value }))}
  </div>`;
  return actionForm(context, path, null, table, bulk);
}

function columns(mayAct: boolean, context: PageContext): Array<Column<FeedbackView> | null> {
  const pageOf = ({ url }: FeedbackView): Content => {
    const page = urlPath(url);
    return page === null ? null : html`<code class="soft">${bidiIsolated(page)}</code>`;
  };
  const receivedTime = ({ created_at: at }: FeedbackView): VNode => timeAgo(at, context.nowMs);
  return [
    mayAct ? { class: 'pickcol', cell: selectBox } : null,
    {
      name: 'Message',
      row: (report) => {
        const { feedback_id: id, issue_id: issue, message } = report;
        const words = html`<span class="ttl two">${bidiIsolated(message)}</span>`;
        return rowHeader(
          pageLink(context, `${path}/${id}`, { class: 'cell' }, words),
          [feedbackStateMark(report), secondLine(report)],
          [
            ['f4', pageOf(report)],
            ['f2', issue === null ? null : html`<b>#${issue}</b>`],
            ['f5', receivedTime(report)],
          ],
        );
      },
    },
    column('Page', 'd3 w9', 'd3', (report) => pageOf(report) ?? noneText()),
    column('Issue', 'd2 w5', 'd2', ({ issue_id: id, project_id: project }) =>
      id === null
        ? noneText()
        : pageLink(context, { path: `/issues/${id}`, query: { project } }, null, `#${id}`),
    ),
    column('Contact', 'd1 w11', 'd1 soft', ({ email }) =>
      email === null ? noneText() : bidiIsolated(email),
    ),
    { name: 'Received', class: 'd5 seen', cell: receivedTime },
  ];
}

function selectBox({ feedback_id: id }: FeedbackView): VNode {
  return html`<input type="checkbox" name="feedback[]" value=${id} aria-label="Select report ${id}" />`;
}

export function feedbackStateMark({ state, state_at: at }: FeedbackView): VNode {
  if (state === 'resolved') return statusMark('resolved');
  if (state === 'spam') return statusMark('ignored', 'Spam');
  return at === null ? statusMark('new') : statusMark('ongoing', 'Reopen');
}

function secondLine({ browser, screenshot_count: pictures, domain }: FeedbackView): Content {
  const picture =
    pictures === 0 ? '' : pictures === 1 ? ', with a screenshot' : `, with ${pictures} screenshots`;
  return [
    browser === null ? null : `, ${browser}`,
    picture,
    domain === null ? null : [', ', bidiIsolated(domain)],
  ];
}

/** Path and query of a URL; the text itself if it is not a URL. */
export function urlPath(url: string | null): string | null {
  if (url === null || url === '') return null;
  const parsed = URL.parse(url);
  return parsed === null ? url : parsed.pathname + parsed.search;
}

function countText({ filters, reports, counts }: FeedbackListModel): string {
  const isFiltered = filters.q !== null || filters.domain !== null;
  const of = isFiltered ? '' : ` of ${count(counts[filters.state])}`;
  const spamText =
    filters.state === 'spam' || counts.spam === 0 ? '' : `; ${count(counts.spam)} marked as spam`;
  const noun = reports.length === 1 && isFiltered ? 'report' : 'reports';
  return `${count(reports.length)}${of} ${filters.state} ${noun}${spamText}`;
}

function switchedOffNote(
  { domain_count: all, domains_off: off, reports }: FeedbackListModel,
  context: PageContext,
): VNode | null {
  if (off === 0 || (reports.length === 0 && off === all)) return null;
  const domainsLink = pageLink(context, '/domains', null, `${count(off)} of ${counted(all, 'domain')}`);
  return html`<p class="note plain legend">
    Feedback is off for ${domainsLink}. Visitors who try to send some see that.
  </p>`;
}
