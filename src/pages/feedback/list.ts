// The page of all reports: words first, where and when, and what becomes of them.
import type { VNode } from 'preact';
import type { ReportsModel } from '../../core/workspace/feedback/list.ts';
import type { ReportView } from '../../core/workspace/feedback/views.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { actForm, askForm, searchField, select, submit } from '../parts/controls.ts';
import { empty, hiddenCaption, nothingFits, outside, pageHead, pager, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { histogram } from '../plots/histogram.ts';
import { count, counted } from '../words/numbers.ts';

/** Reports of a state, newest first. */
export function reportsPage(model: ReportsModel, frame: Frame): PageContent {
  return {
    title: 'Feedback',
    main: [
      pageHead({ title: 'Feedback' }),
      stateTabs(model, frame),
      filters(model, frame),
      plot(model, frame),
      model.reports.length === 0 ? nothing(model, frame) : [table(model, frame), pages(model, frame)],
      switches(model, frame),
    ],
  };
}

function queryOf({ asked }: ReportsModel): QueryMembers {
  return { state: asked.state === 'open' ? null : asked.state, domain: asked.domain, q: asked.q };
}

const stateNames = { open: 'Open', resolved: 'Resolved', spam: 'Spam' } as const;

function stateTabs(model: ReportsModel, frame: Frame): VNode {
  const states = Object.entries(stateNames) as Array<[keyof typeof stateNames, string]>;
  return tabs(
    frame,
    'State',
    states.map(([state, name]) => ({
      name,
      path: '/feedback',
      query: { ...queryOf(model), state: state === 'open' ? null : state },
      count: count(model.counts[state]),
      isCurrent: model.asked.state === state,
    })),
  );
}

function filters(model: ReportsModel, frame: Frame): VNode {
  const { asked, domains } = model;
  const hosts =
    asked.domain === null || domains.includes(asked.domain) ? domains : [...domains, asked.domain];
  const kept = { state: asked.state === 'open' ? null : asked.state };
  return askForm(
    frame,
    { path: '/feedback', label: 'Filter', kept },
    searchField('q', 'Search feedback', 'Words or page', asked.q),
    ...select(
      { id: 'domain', name: 'domain', label: 'Domain' },
      [{ value: '', name: 'Any domain' }, ...hosts.map((host) => ({ value: host, name: host }))],
      asked.domain,
    ),
    submit('Apply'),
  );
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
    finding: [el('b', null, counted(sum, 'report')), ' in 30 days'],
    height: 80,
  });
}

/** Which nothing it is: none fits, none came, or none can come. */
function nothing(model: ReportsModel, frame: Frame): VNode {
  const { asked, counts, domain_count: all, domains_off: off } = model;
  if (asked.q !== null || asked.domain !== null) {
    const way = pageLink(frame, { path: '/feedback' }, null, 'Show all open reports');
    return nothingFits(frame, 'No report fits', `None that is ${asked.state} fits what was asked for.`, way);
  }
  if (counts.open + counts.resolved + counts.spam > 0) {
    const words = { open: 'Nothing waits', resolved: 'None is resolved yet', spam: 'None is held as spam' };
    return empty(words[asked.state], 'Reports of visitors in other states are behind the tabs above.');
  }
  if (all === 0) {
    return empty(
      'No domain is listed',
      'Reports of visitors are taken from listed domains alone. None is listed yet.',
      pageLink(frame, { path: '/domains' }, null, 'Add a domain'),
    );
  }
  if (off === all) {
    return empty(
      'Reports are off',
      `They are switched off for ${all === 1 ? 'the one domain' : `all ${count(all)} domains`}. Visitors who try are told so.`,
      pageLink(frame, { path: '/domains' }, null, 'Switch them on'),
    );
  }
  return empty('No report yet', 'When a visitor says what went wrong, it stands here a moment later.');
}

function table(model: ReportsModel, frame: Frame): Content {
  const mayAct = frame.visitor?.canAct === true;
  const heads = [
    mayAct ? el('td', { class: 'pickcol' }) : null,
    columnHead('What they said'),
    columnHead('Page', 'd3 w9'),
    columnHead('Issue', 'd2 w5'),
    columnHead('Contact', 'd1 w11'),
    columnHead('Came', 'd5 seen'),
  ];
  const all = el(
    'table',
    { class: 't list' },
    hiddenCaption('Reports from visitors, newest first'),
    headRow(...heads),
    el('tbody', null, ...model.reports.map((each) => row(each, frame, mayAct))),
  );
  if (!mayAct) return all;
  const states = Object.entries(acts).filter(([state]) => state !== model.asked.state);
  return actForm(
    frame,
    '/feedback',
    null,
    all,
    el(
      'div',
      { class: 'bulk' },
      el('span', { class: 'soft' }, 'With the selected reports'),
      ...states.map(([value, word]) => submit(word, { name: 'state', value })),
    ),
  );
}

/** What turns a report into each state. */
export const acts = { resolved: 'Resolve', open: 'Open again', spam: 'Spam' } as const;

function row(report: ReportView, frame: Frame, mayAct: boolean): VNode {
  const { feedback_id: id, issue_id: issueId } = report;
  const came = ago(report.created_at, frame.nowMs);
  const path = pagePath(report.url);
  const where = path === null ? null : el('code', { class: 'soft' }, outside(path));
  const issue = { path: `/issues/${issueId}`, query: { project: report.project_id } };
  const pick = { type: 'checkbox', name: 'feedback[]', value: id, 'aria-label': `Select report ${id}` };
  return el(
    'tr',
    null,
    mayAct ? cell(el('input', pick), 'pickcol') : null,
    el(
      'th',
      { scope: 'row' },
      pageLink(
        frame,
        { path: `/feedback/${id}` },
        { class: 'cell' },
        el('span', { class: 'ttl two' }, outside(report.message)),
      ),
      el('span', { class: 'cul' }, stateMark(report), secondLine(report)),
      el(
        'span',
        { class: 'fold' },
        where === null ? null : el('span', { class: 'f4' }, where),
        issueId === null ? null : el('span', { class: 'f2' }, el('b', null, `#${issueId}`)),
        el('span', { class: 'f5' }, came),
      ),
    ),
    cell(where ?? none(), 'd3'),
    cell(issueId === null ? none() : pageLink(frame, issue, null, `#${issueId}`), 'd2'),
    cell(report.email === null ? none() : outside(report.email), 'd1 soft'),
    cell(came, 'd5 seen'),
  );
}

/** The state of a report as a mark; one that nobody touched is new. */
export function stateMark({ state, state_at: at }: ReportView): VNode {
  if (state === 'resolved') return mark('resolved');
  if (state === 'spam') return mark('ignored', 'Spam');
  return at === null ? mark('new') : mark('ongoing', 'Open again');
}

function secondLine({ browser, screenshot_count: pictures, domain }: ReportView): Content {
  const picture = pictures === 0 ? '' : pictures === 1 ? ', with a picture' : `, with ${pictures} pictures`;
  return [
    browser === null ? null : `, ${browser}`,
    picture,
    domain === null ? null : [', ', outside(domain)],
  ];
}

function none(): VNode {
  return el('span', { class: 'dim' }, 'none');
}

/** Path and query of an address; what is none is shown as it came. */
export function pagePath(url: string | null): string | null {
  if (url === null || url === '') return null;
  const parsed = URL.parse(url);
  return parsed === null ? url : parsed.pathname + parsed.search;
}

function pages(model: ReportsModel, frame: Frame): VNode {
  const { asked, reports, counts, newer, older } = model;
  const isFiltered = asked.q !== null || asked.domain !== null;
  const of = isFiltered ? '' : ` of ${count(counts[asked.state])}`;
  const held = asked.state === 'spam' || counts.spam === 0 ? '' : `; ${count(counts.spam)} held as spam`;
  return pager(frame, {
    path: '/feedback',
    said: `${count(reports.length)}${of} ${asked.state} report${reports.length === 1 && isFiltered ? '' : 's'}${held}`,
    newer: newer === null ? null : { ...queryOf(model), before: newer },
    older: older === null ? null : { ...queryOf(model), after: older },
  });
}

function switches(
  { domain_count: all, domains_off: off, reports }: ReportsModel,
  frame: Frame,
): VNode | null {
  if (off === 0 || (reports.length === 0 && off === all)) return null;
  const where = pageLink(frame, { path: '/domains' }, null, `${count(off)} of ${counted(all, 'domain')}`);
  return el(
    'p',
    { class: 'note plain legend' },
    'Reports are off for ',
    where,
    '. Visitors there are told so when they try.',
  );
}
