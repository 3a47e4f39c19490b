import type { VNode } from 'preact';
import type { ContactModel, ReportModel } from '../../core/workspace/feedback/report.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { sureForm } from '../parts/asking.ts';
import { actForm, submit } from '../parts/controls.ts';
import { hidden, hiddenCaption, outside, pageHead, pairs, section } from '../parts/layout.ts';
import { pageLink, webLink } from '../parts/link.ts';
import { cell, titleCell, wide } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { size } from '../words/numbers.ts';
import { span, timeBefore } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { acts, pagePath, stateMark } from './list.ts';

type Report = ReportModel['report'];

/** `contact` is set only in the response to "Show contact". */
export function reportPage(
  model: ReportModel,
  asked: Frame,
  contact: ContactModel | null = null,
): PageContent {
  const { report, event, others } = model;
  const path = `/feedback/${report.feedback_id}`;
  // Forms must return to this page, also in the response to an action.
  const frame = { ...asked, path };
  return {
    title: `Feedback ${report.feedback_id}`,
    crumbs: [{ name: 'Feedback', path: '/feedback' }],
    main: [
      pageHead({
        above: ['Report ', String(report.feedback_id), ', ', outside(report.domain ?? report.project)],
        title: hidden(`Feedback ${report.feedback_id}`),
        ...(frame.visitor?.canAct === true ? { acts: reportActs(report, frame) } : {}),
      }),
      html`<blockquote class="quote"><p>${outside(report.message)}</p></blockquote>`,
      report.truncated ? html`<p class="hint">It was cut at the maximum length.</p>` : null,
      note(report, frame),
      html`<div class="cols">
        <div class="col">
          ${pictures(report, frame)}${moment(event, report, frame)}
          ${more('b-console', 'Console', report.console)}
          ${more('b-meta', 'Page data', report.metadata)}${removal(report, frame)}
        </div>
        <aside class="aside" aria-label="About this report">
          ${contactSection(report, frame, contact)}${where(report, frame)}${othersSection(others, frame)}
        </aside>
      </div>`,
    ],
  };
}

function reportActs({ feedback_id: id, state }: Report, frame: Frame): Content {
  const path = `/feedback/${id}/state`;
  const first = state === 'open' ? 'resolved' : 'open';
  const rest = (Object.keys(acts) as Array<keyof typeof acts>).filter(
    (each) => each !== state && each !== first,
  );
  const button = (to: keyof typeof acts, className: string): VNode =>
    submit(acts[to], { class: className, name: 'state', value: to });
  return actForm(
    frame,
    path,
    { class: 'acts' },
    button(first, 'btn primary'),
    ' ',
    ...rest.map((to) => button(to, 'btn')),
  );
}

function note(report: Report, frame: Frame): VNode {
  const { state_at: at, state_by: by, issue_id: issueId, domain } = report;
  const path = pagePath(report.url);
  const issue = { path: `/issues/${issueId}`, query: { project: report.project_id } };
  const from = path === null ? null : [', from ', html`<code>${outside(path)}</code>`];
  const host = domain === null || path === null ? null : [' of ', outside(domain)];
  return el(
    'p',
    { class: 'note' },
    stateMark(report),
    at === null
      ? null
      : [' ', ago(at, frame.nowMs), by === null ? null : [' by ', outside(by)], '. Received '],
    at === null ? ' ' : null,
    ago(report.created_at, frame.nowMs),
    from,
    host,
    '. ',
    issueId === null
      ? 'Sent without an event.'
      : ['Sent with an event of ', pageLink(frame, issue, null, `#${issueId}`), '.'],
  );
}

function pictures({ screenshots, feedback_id: id }: Report, frame: Frame): Content {
  return screenshots.map((each, at) => {
    const title = screenshots.length === 1 ? 'Screenshot' : `What they saw, ${at + 1}`;
    const facts = `${each.width} × ${each.height}, ${size(each.size)}`;
    const image = {
      src: `${frame.base}${each.path}`,
      width: each.width,
      height: each.height,
      loading: 'lazy',
      alt: `Screenshot ${at + 1} of feedback ${id}`,
    };
    const caption = [
      each.name === null ? null : outside(each.name),
      pageLink(frame, { path: each.path }, null, 'Full size'),
    ];
    return section(
      { id: `b-pic-${at + 1}`, title, beside: html`<span class="small dim">${facts}</span>` },
      html`<figure class="shotbox">
        <img ...${image} /><figcaption class="small dim">${caption}</figcaption>
      </figure>`,
    );
  });
}

function moment(event: ReportModel['event'], report: Report, frame: Frame): VNode | null {
  if (event === null) {
    if (report.event_id === null) return null;
    const why =
      'The event it refers to is not stored: it was never received, or its retention period is over. ';
    return section(
      { id: 'b-ev', title: 'Related event' },
      html`<p class="soft">${why}<code>${outside(report.event_id)}</code></p>`,
    );
  }
  const when = event.before_ms >= 0 ? `${span(event.before_ms)} before this feedback` : 'after this feedback';
  const row = el(
    'tr',
    null,
    titleCell(frame, {
      path: `/issues/${event.issue_id}/events/${event.event_id}`,
      query: { project: report.project_id },
      title: event.title,
      place: [event.culprit ? [html`<code>${outside(event.culprit)}</code>`, ', '] : null, when],
    }),
    cell(event.level, 'r w6 soft'),
  );
  const steps = event.trail.map(
    (step) =>
      html`<tr>
        ${cell(step.before_ms === null ? '' : timeBefore(step.before_ms), 'r dim')}
        ${cell(outside(step.category), 'dim')}${cell(html`<code>${outside(step.text)}</code>`)}
      </tr>`,
  );
  const trail = html`<table class="t trail after">
    ${hiddenCaption('Breadcrumbs')}
    <tbody>${steps}</tbody>
  </table>`;
  return section(
    { id: 'b-ev', title: 'Related event' },
    html`<table class="t mini">${hiddenCaption('Event')}<tbody>${row}</tbody></table>`,
    steps.length === 0 ? null : wide('Breadcrumbs', trail),
  );
}

function more(id: string, title: string, text: string | null): VNode | null {
  if (text === null) return null;
  const place = { class: 'snip', tabindex: 0, role: 'group', 'aria-label': title };
  return section({ id, title }, html`<pre ...${place}><code>${outside(text)}</code></pre>`);
}

function contactSection(report: Report, frame: Frame, shown: ContactModel | null): VNode {
  const name = shown?.name ?? report.name;
  const email = shown?.email ?? report.email;
  const hasMore = shown === null && report.email !== null;
  const path = `/feedback/${report.feedback_id}/contact`;
  const show =
    frame.visitor?.canAct === true && hasMore
      ? [
          actForm(frame, path, { class: 'under' }, submit('Reveal e-mail address', { class: 'btn small' })),
          html`<p class="hint">This is written to the audit log.</p>`,
        ]
      : null;
  const who = pairs([
    ['Name', name === null ? html`<span class="dim">none</span>` : outside(name)],
    ['E-mail', email === null ? html`<span class="dim">none</span>` : outside(email)],
  ]);
  const once = html`<p class="hint">Shown once and recorded in the audit log.</p>`;
  return html`<section aria-labelledby="b-who">
    <h2 id="b-who">Contact</h2>
    ${who}${shown === null ? show : once}
  </section>`;
}

function where(report: Report, frame: Frame): VNode {
  const { viewport, url } = report;
  const tags = Object.entries(report.tags).map(([name, value]) => [outside(name), outside(value)] as const);
  const project = { path: `/projects/${report.project_id}` };
  const text = (value: string | null): Content => (value === null ? null : outside(value));
  return el(
    'section',
    { class: 'sec', 'aria-labelledby': 'b-where' },
    html`<h2 id="b-where">Where</h2>`,
    pairs([
      ['Project', pageLink(frame, project, null, outside(report.project))],
      ['Page', url === null ? null : html`<code>${webLink(url, outside(url))}</code>`],
      ['Release', text(report.release)],
      ['Environment', text(report.environment)],
      ['Browser', text(report.browser)],
      [
        'User agent',
        report.user_agent === null ? null : html`<code>${outside(visible(report.user_agent))}</code>`,
      ],
      ['Window', viewport === null ? null : `${viewport.width} × ${viewport.height}`],
      ['Language', text(report.locale)],
      ['Category', text(report.category)],
      ['Severity', text(report.severity)],
      ['Event', report.event_id === null ? null : html`<code>${report.event_id}</code>`],
      ['Received through', text(report.source.replaceAll('_', ' '))],
      ...tags,
    ]),
  );
}

function othersSection(others: ReportModel['others'], frame: Frame): VNode | null {
  if (others.length === 0) return null;
  const lines = others.map(
    (each) =>
      html`<li>
        ${shortTime(each.created_at, frame.nowMs)}
        <div>
          <p>${pageLink(frame, { path: `/feedback/${each.feedback_id}` }, null, outside(each.message))}</p>
        </div>
      </li>`,
  );
  return html`<section class="sec" aria-labelledby="b-like">
    <h2 id="b-like">Related feedback</h2>
    <ol class="log">${lines}</ol>
  </section>`;
}

function removal({ feedback_id: id }: Report, frame: Frame): VNode | null {
  if (frame.visitor?.canManage !== true) return null;
  return section(
    { id: 'b-end', title: 'Delete feedback' },
    sureForm(
      frame,
      `/feedback/${id}/delete`,
      'Its text, contact and screenshots are deleted. This cannot be undone.',
      'Delete',
    ),
  );
}
