import type { ContactModel, FeedbackModel } from '../../core/page-models/feedback/report.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { confirmCheckboxForm } from '../components/dialog-forms.ts';
import {
  bidiIsolated,
  codeBlock,
  hiddenCaption,
  nameValueList,
  noneText,
  pageHead,
  plainSection,
  section,
  visuallyHidden,
} from '../components/elements.ts';
import { cell, scrollableTable, titleCell } from '../components/table.ts';
import { type Content, el, externalLink, html, pageLink, type VNode } from '../el.ts';
import { formatBytes, formatTimeBefore, shortTime, span, timeAgo, untrustedText } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { feedbackStateMark, stateActions, urlPath } from './list.ts';

type Report = FeedbackModel['report'];

/** `contact` is set only in the response to "Show contact". */
export function feedbackPage(
  model: FeedbackModel,
  context: PageContext,
  contact: ContactModel | null = null,
): PageContent {
  const { report, event, others } = model;
  const path = `/feedback/${report.feedback_id}`;
  // Forms must return to this page, also in the response to an action.
  const pageContext = { ...context, path };
  return {
    title: `Feedback ${report.feedback_id}`,
    breadcrumbs: [{ name: 'Feedback', path: '/feedback' }],
    main: [
      pageHead({
        above: ['Report ', String(report.feedback_id), ', ', bidiIsolated(report.domain ?? report.project)],
        title: visuallyHidden(`Feedback ${report.feedback_id}`),
        ...(pageContext.currentUser?.canAct === true ? { actions: reportActions(report, pageContext) } : {}),
      }),
      html`<blockquote class="quote"><p>${bidiIsolated(report.message)}</p></blockquote>`,
      report.truncated ? html`<p class="hint">It was cut at the maximum length.</p>` : null,
      note(report, pageContext),
      html`<div class="cols">
        <div class="col">
          ${pictures(report, pageContext)}${eventSection(event, report, pageContext)}
          ${more('b-console', 'Console', report.console)}
          ${more('b-meta', 'Page data', report.metadata)}${removal(report, pageContext)}
        </div>
        <aside class="aside" aria-label="About this report">
          ${contactSection(report, pageContext, contact)}${contextSection(report, pageContext)}${othersSection(others, pageContext)}
        </aside>
      </div>`,
    ],
  };
}

function reportActions({ feedback_id: id, state }: Report, context: PageContext): Content {
  const path = `/feedback/${id}/state`;
  const first = state === 'open' ? 'resolved' : 'open';
  const rest = (Object.keys(stateActions) as Array<keyof typeof stateActions>).filter(
    (each) => each !== state && each !== first,
  );
  const button = (to: keyof typeof stateActions, className: string): VNode =>
    submitButton(stateActions[to], { class: className, name: 'state', value: to });
  return actionForm(
    context,
    path,
    { class: 'acts' },
    button(first, 'btn primary'),
    ' ',
    ...rest.map((to) => button(to, 'btn')),
  );
}

function note(report: Report, context: PageContext): VNode {
  const { state_at: at, state_by: by, issue_id: issueId, domain } = report;
  const path = urlPath(report.url);
  const issue = { path: `/issues/${issueId}`, query: { project: report.project_id } };
  const from = path === null ? null : [', from ', html`<code>${bidiIsolated(path)}</code>`];
  const host = domain === null || path === null ? null : [' of ', bidiIsolated(domain)];
  return el(
    'p',
    { class: 'note' },
    feedbackStateMark(report),
    at === null
      ? null
      : [' ', timeAgo(at, context.nowMs), by === null ? null : [' by ', bidiIsolated(by)], '. Received '],
    at === null ? ' ' : null,
    timeAgo(report.created_at, context.nowMs),
    from,
    host,
    '. ',
    issueId === null
      ? 'Sent without an event.'
      : ['Sent with an event of ', pageLink(context, issue, null, `#${issueId}`), '.'],
  );
}

function pictures({ screenshots, feedback_id: id }: Report, context: PageContext): Content {
  return screenshots.map((each, at) => {
    const title = screenshots.length === 1 ? 'Screenshot' : `What they saw, ${at + 1}`;
    const facts = `${each.width} × ${each.height}, ${formatBytes(each.size)}`;
    const image = {
      src: `${context.base}${each.path}`,
      width: each.width,
      height: each.height,
      loading: 'lazy',
      alt: `Screenshot ${at + 1} of feedback ${id}`,
    };
    const caption = [
      each.name === null ? null : bidiIsolated(each.name),
      pageLink(context, each.path, null, 'Full size'),
    ];
    return section(
      { id: `b-pic-${at + 1}`, title, aside: html`<span class="small dim">${facts}</span>` },
      html`<figure class="shotbox">
        <img ...${image} /><figcaption class="small dim">${caption}</figcaption>
      </figure>`,
    );
  });
}

function eventSection(event: FeedbackModel['event'], report: Report, context: PageContext): VNode | null {
  if (event === null) {
    if (report.event_id === null) return null;
    const description =
      'The event it refers to is not stored: it was never received, or its retention period is over. ';
    return section(
      { id: 'b-ev', title: 'Related event' },
      html`<p class="soft">${description}<code>${bidiIsolated(report.event_id)}</code></p>`,
    );
  }
  const when = event.before_ms >= 0 ? `${span(event.before_ms)} before this feedback` : 'after this feedback';
  const row = html`<tr>
    ${titleCell(context, {
      path: `/issues/${event.issue_id}/events/${event.event_id}`,
      query: { project: report.project_id },
      title: event.title,
      subtitle: [event.culprit ? [html`<code>${bidiIsolated(event.culprit)}</code>`, ', '] : null, when],
    })}
    ${cell(event.level, 'r w6 soft')}
  </tr>`;
  const steps = event.trail.map(
    (step) =>
      html`<tr>
        ${cell(step.before_ms === null ? '' : formatTimeBefore(step.before_ms), 'r dim')}
        ${cell(bidiIsolated(step.category), 'dim')}${cell(html`<code>${bidiIsolated(step.text)}</code>`)}
      </tr>`,
  );
  const trail = html`<table class="t trail after">
    ${hiddenCaption('Breadcrumbs')}
    <tbody>${steps}</tbody>
  </table>`;
  return section(
    { id: 'b-ev', title: 'Related event' },
    html`<table class="t mini">${hiddenCaption('Event')}<tbody>${row}</tbody></table>`,
    steps.length === 0 ? null : scrollableTable('Breadcrumbs', trail),
  );
}

function more(id: string, title: string, text: string | null): VNode | null {
  if (text === null) return null;
  return section({ id, title }, codeBlock(title, bidiIsolated(text), 'snip'));
}

function contactSection(report: Report, context: PageContext, shown: ContactModel | null): VNode {
  const name = shown?.name ?? report.name;
  const email = shown?.email ?? report.email;
  const hasMore = shown === null && report.email !== null;
  const path = `/feedback/${report.feedback_id}/contact`;
  const show =
    context.currentUser?.canManage === true && hasMore
      ? [
          actionForm(
            context,
            path,
            { class: 'under' },
            submitButton('Reveal e-mail address', { class: 'btn small' }),
          ),
          html`<p class="hint">This is written to the audit log.</p>`,
        ]
      : null;
  const contactList = nameValueList([
    ['Name', name === null ? noneText() : bidiIsolated(name)],
    ['E-mail', email === null ? noneText() : bidiIsolated(email)],
  ]);
  const once = html`<p class="hint">Shown once and recorded in the audit log.</p>`;
  return plainSection('b-who', 'Contact', contactList, shown === null ? show : once);
}

function contextSection(report: Report, context: PageContext): VNode {
  const { viewport, url } = report;
  const tags = Object.entries(report.tags).map(
    ([name, value]) => [bidiIsolated(name), bidiIsolated(value)] as const,
  );
  const project = { path: `/projects/${report.project_id}` };
  const text = (value: string | null): Content => (value === null ? null : bidiIsolated(value));
  return section(
    { id: 'b-where', title: 'Context' },
    nameValueList([
      ['Project', pageLink(context, project, null, bidiIsolated(report.project))],
      ['Page', url === null ? null : html`<code>${externalLink(url, bidiIsolated(url))}</code>`],
      ['Release', text(report.release)],
      ['Environment', text(report.environment)],
      ['Browser', text(report.browser)],
      [
        'User agent',
        report.user_agent === null ? null : html`<code>${untrustedText(report.user_agent)}</code>`,
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

function othersSection(others: FeedbackModel['others'], context: PageContext): VNode | null {
  if (others.length === 0) return null;
  const lines = others.map(
    (each) =>
      html`<li>
        ${shortTime(each.created_at, context.nowMs)}
        <div>
          <p>${pageLink(context, `/feedback/${each.feedback_id}`, null, bidiIsolated(each.message))}</p>
        </div>
      </li>`,
  );
  return section({ id: 'b-like', title: 'Related feedback' }, html`<ol class="log">${lines}</ol>`);
}

function removal({ feedback_id: id }: Report, context: PageContext): VNode | null {
  if (context.currentUser?.canManage !== true) return null;
  return section(
    { id: 'b-end', title: 'Delete feedback' },
    confirmCheckboxForm(
      context,
      `/feedback/${id}/delete`,
      'Its text, contact and screenshots are deleted. This cannot be undone.',
      'Delete',
    ),
  );
}
