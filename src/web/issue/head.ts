import { type IssueHeadModel, spanOfDay } from '../../core/page-models/issue/head.ts';
import { dayMs, slotEventCountMax, slotMs } from '../../core/parsing/durations.ts';
import { type Histogram, histogram } from '../charts/histogram.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { bidiIsolated, type Fact, facts, pageHead, tabs, visuallyHidden } from '../components/elements.ts';
import { icon, statusMark } from '../components/icons.ts';
import { keysDialog } from '../components/keys.ts';
import { type Content, externalLink, html, pageLink, type VNode } from '../el.ts';
import { count, counted, replaceInvisible, span, timeAgo, untrustedText } from '../formatters.ts';
import { linkedIncident } from '../incidents/linked-incidents.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { issueActions } from './actions.ts';
import { issuePath } from './issue-path.ts';
import { releaseLink, stateSentence } from './sentences.ts';

export type IssuePageTab = 'event' | 'events' | 'users' | 'tags' | 'activity' | 'similar';

/** `how` is what the event says of its handling, such as `unhandled`. */
export function issuePage(
  model: IssueHeadModel & { readonly handledText?: string },
  context: PageContext,
  tab: IssuePageTab,
  ...content: Content[]
): PageContent {
  const { issue } = model;
  return {
    title: replaceInvisible(issue.title) || `Issue ${issue.issue_id}`,
    breadcrumbs: issueBreadcrumbs(model),
    main: html`<div class="issue">
      ${issueHead(model, context)}${model.asked_id === issue.issue_id ? null : mergedNote(model)}
      <div class="sumline">${issueFacts(model, context)}${compactPlot(model, context)}</div>
      ${moreFacts(model, context)}${issueTabs(model, context, tab)}${content}${keysDialog(context)}
    </div>`,
  };
}

export function issueBreadcrumbs({ issue }: IssueHeadModel): NonNullable<PageContent['breadcrumbs']> {
  return [
    { name: 'Issues', path: '/issues' },
    { name: issue.project.name, path: `/projects/${issue.project.project_id}` },
    { name: `#${issue.issue_id}`, path: null },
  ];
}

function issueHead(model: IssueHeadModel & { readonly handledText?: string }, context: PageContext): VNode {
  const { issue, handledText = '' } = model;
  const actions = issueActions(model, context);
  return pageHead({
    title: titleOf(model),
    below: culprit(issue.culprit),
    states: [
      html`<span>${statusMark(issue.level)}${handledText === '' ? null : html`<span class="soft">, ${handledText}</span>`}</span>`,
      html`<span>${stateSentence(model, context)}</span>`,
    ],
    ...(actions === null ? {} : { actions }),
  });
}

function titleOf({ issue }: IssueHeadModel): Content {
  const hasType = issue.grouping.source === 'stacktrace' || issue.grouping.source === 'exception';
  const [, type, text] = (hasType ? /^(\S{1,80}?): (.+)$/s.exec(issue.title) : null) ?? [];
  if (type === undefined || text === undefined) {
    return html`<bdi>${replaceInvisible(issue.title) || '(no title)'}</bdi>`;
  }
  return [breakable(replaceInvisible(type)), ' ', html`<bdi class="msg">${replaceInvisible(text)}</bdi>`];
}

/** Allows line breaks between parts of a name: `System.`, `ActiveRecord::`, `App\\`. */
function breakable(name: string): VNode {
  const segments = name.split(/(?<=[.\\]|::)(?=\w)/);
  return bidiIsolated(segments.flatMap((part, at) => (at === 0 ? [part] : [html`<wbr />`, part])));
}

function culprit(text: string): Content {
  if (text === '') return html`<span class="dim">Unknown location</span>`;
  const [, name, file] = /^(.+) \(([^()]+)\)$/s.exec(text) ?? [];
  if (name === undefined || file === undefined) return html`<code>${untrustedText(text)}</code>`;
  return [html`<code>${untrustedText(name)}</code>`, ' in ', html`<code>${untrustedText(file)}</code>`];
}

function mergedNote({ asked_id: requestedId }: IssueHeadModel): VNode {
  return html`<p class="note">#${requestedId} was merged into this issue.</p>`;
}

function issueFacts(model: IssueHeadModel, context: PageContext): VNode {
  const { issue } = model;
  const { nowMs } = context;
  const users = `${count(issue.users)}${issue.users_capped ? ' or more' : ''}`;
  const each =
    issue.users === 0 ? 'no user data' : `${counted(Math.round(issue.events / issue.users), 'event')} each`;
  const seenIn = (version: string | null): Content =>
    version === null ? null : ['in ', releaseLink(model, version, context)];
  const rows: Fact[] = [
    ['Events', count(issue.events), `${count(model.days.at(-1)?.events ?? 0)} today`],
    ['Users', users, each],
    ['Last seen', timeAgo(issue.last_seen, nowMs), seenIn(issue.last_release)],
    ['First seen', timeAgo(issue.first_seen, nowMs), seenIn(issue.first_release)],
  ];
  return facts(rows);
}

function moreFacts(model: IssueHeadModel, context: PageContext): VNode {
  const { reports, issue } = model;
  const { nowMs } = context;
  const rows: Array<readonly [name: string, value: Content]> = [];
  const to = issue.assigned_to;
  // Who may assign sees the assignee on the button.
  if (context.currentUser?.canAct !== true && to !== null) {
    rows.push(['Assignee', untrustedText(to.name ?? 'Former member')]);
  }
  rows.push(['Suspect commit', suspectCommit(model, context)], ...linkedIssues(model, context));
  if (reports.count > 0) {
    const newest = reports.newest === null ? null : [', newest ', timeAgo(reports.newest, nowMs)];
    rows.push(['Feedback', [counted(reports.count, 'report'), newest]]);
  }
  for (const each of model.incidents ?? []) rows.push(['Incident', linkedIncident(each, context)]);
  return html`<dl class="meta2">
    ${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

function suspectCommit({ suspect_commit: commit }: IssueHeadModel, context: PageContext): Content {
  if (commit === null) {
    const helpLink = pageLink(context, { path: '/help', hash: 'commits' }, null, 'How');
    return html`<span class="dim">No suspect commit. Send commits with the release.</span> ${helpLink}`;
  }
  const { commit_id: id, message, author, release, url } = commit;
  const words = [html`<code>${replaceInvisible(id.slice(0, 7))}</code>`, ' ', untrustedText(message)];
  const by = author === null ? null : [' by ', untrustedText(author)];
  const of = html`<span class="soft">${by}, in <bdi>${replaceInvisible(release)}</bdi></span>`;
  return [url === null ? words : externalLink(url, ...words), ' ', of];
}

function linkedIssues(model: IssueHeadModel, context: PageContext): Array<readonly [string, Content]> {
  return model.links.map(({ link_id: id, url, label, service }) => {
    const path = `${issuePath(model)}/links/${id}/remove`;
    const words = [icon('out'), ' ', externalLink(url, untrustedText(label))];
    const remove =
      context.currentUser?.canAct === true
        ? actionForm(
            context,
            path,
            { class: 'inline' },
            submitButton(['Remove', visuallyHidden(` the link to ${label}`)], { class: 'link' }),
          )
        : null;
    return ['Linked issue', [...words, ' ', html`<span class="soft">${service}</span> `, remove]] as const;
  });
}

function compactPlot(model: IssueHeadModel, context: PageContext): VNode {
  return histogram(context, { ...plotOf(model, context), height: 72, isCompact: true });
}

export function eventsChart(model: IssueHeadModel, context: PageContext): VNode {
  return histogram(context, {
    ...plotOf(model, context),
    aside: rangeTabs(context, model.slots !== undefined),
    height: 108,
  });
}

function plotOf(model: IssueHeadModel, context: PageContext): Histogram {
  const { days, slots, issue } = model;
  const counts =
    slots === undefined
      ? days.map(({ day, events }) => ({ fromMs: Date.parse(day), ms: dayMs, events }))
      : slots.map(({ at, events }) => ({ fromMs: Date.parse(at), ms: slotMs, events }));
  const fill = issue.level === 'debug' ? 'info' : issue.level;
  return {
    bars: counts.map(({ fromMs, ms, events }) => ({ fromMs, toMs: fromMs + ms, counts: { error: events } })),
    stacks: [{ key: 'error', name: 'events', fill }],
    markers: model.releases.map(({ version, at }) => ({
      atMs: Date.parse(at),
      name: replaceInvisible(version),
    })),
    nowMs: context.nowMs,
    noun: ['event', 'events'],
    finding: trendText(model),
  };
}

function trendText({ days, slots }: IssueHeadModel): Content {
  const all = (slots ?? days).reduce((sum, { events }) => sum + events, 0);
  const amount = html`<b>${counted(all, 'event')}</b>`;
  if (slots === undefined) return [amount, ' in 30 days'];
  const ms = slots.length * slotMs;
  if (ms === dayMs) return [amount, ' in 24 h'];
  const orMore = slots.some(({ events }) => events > slotEventCountMax) ? ' or more' : '';
  return [amount, `${orMore} in ${span(ms)}; a whole day has too many to be counted`];
}

function rangeTabs(context: PageContext, isDay: boolean): VNode {
  const params = Object.fromEntries(context.query);
  const choice = (value: string | null, words: string, isChosen: boolean): VNode =>
    pageLink(
      context,
      { path: context.path, query: { ...params, span: value, notice: null } },
      { class: 'btn small', 'aria-current': isChosen ? 'page' : null },
      words,
    );
  return html`<nav class="joined" aria-label="Range">
    ${choice(spanOfDay, '24 h', isDay)}${choice(null, '30 d', !isDay)}
  </nav>`;
}

function issueTabs(model: IssueHeadModel, context: PageContext, current: IssuePageTab): VNode {
  const path = issuePath(model);
  const query = { span: model.slots === undefined ? null : spanOfDay };
  const { stored, similar, history_entries: entries } = model;
  const all = [
    { name: 'Event', path, isCurrent: current === 'event' },
    {
      name: 'Events',
      path: `${path}/events`,
      count: `${count(stored.events)}${stored.capped ? '+' : ''}`,
      isCurrent: current === 'events',
    },
    {
      name: 'Users',
      path: `${path}/users`,
      count: `${count(model.issue.users)}${model.issue.users_capped ? '+' : ''}`,
      isCurrent: current === 'users',
    },
    { name: 'Tags', path: `${path}/tags`, count: count(model.tag_count), isCurrent: current === 'tags' },
    { name: 'Activity', path: `${path}/activity`, count: count(entries), isCurrent: current === 'activity' },
    {
      name: 'Similar',
      path: `${path}/similar`,
      count: count(similar.length),
      isCurrent: current === 'similar',
    },
  ];
  const label = `Issue ${model.issue.issue_id}`;
  const tabsWithQuery = all.map((tab) => ({ ...tab, query }));
  return tabs(context, label, tabsWithQuery);
}
