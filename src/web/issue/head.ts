import type { VNode } from 'preact';
import { type IssueHeadModel, spanOfDay } from '../../core/page-models/issue/head.ts';
import { dayMs, slotEventCountMax, slotMs } from '../../core/parsing/durations.ts';
import { type Histogram, histogram } from '../charts/histogram.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { bidiIsolated, type Fact, facts, pageHead, tabs, visuallyHidden } from '../components/elements.ts';
import { icon } from '../components/icons.ts';
import { keysDialog } from '../components/keys.ts';
import { externalLink, pageLink } from '../components/link.ts';
import { statusMark } from '../components/mark.ts';
import { timeAgo } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import { span } from '../formatters/times.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { linkedIncident } from '../uptime/linked-incidents.ts';
import { issueActions } from './actions.ts';
import { issuePath } from './issue-path.ts';
import { releaseLink, stateSentence } from './sentences.ts';

export type IssuePageTab = 'event' | 'events' | 'users' | 'tags' | 'activity' | 'similar';

/** `how` is what the event says of its handling, such as `unhandled`. */
export function issuePage(
  model: IssueHeadModel & { readonly how?: string },
  context: PageContext,
  tab: IssuePageTab,
  ...content: Content[]
): PageContent {
  const { issue } = model;
  return {
    title: replaceInvisible(issue.title) || `Issue ${issue.issue_id}`,
    crumbs: issueBreadcrumbs(model),
    main: html`<div class="issue">
      ${issueHead(model, context)}${model.asked_id === issue.issue_id ? null : mergedNote(model)}
      <div class="sumline">${issueFacts(model, context)}${compactPlot(model, context)}</div>
      ${moreFacts(model, context)}${issueTabs(model, context, tab)}${content}${keysDialog(context)}
    </div>`,
  };
}

export function issueBreadcrumbs({ issue }: IssueHeadModel): NonNullable<PageContent['crumbs']> {
  return [
    { name: 'Issues', path: '/issues' },
    { name: issue.project.name, path: `/projects/${issue.project.project_id}` },
    { name: `#${issue.issue_id}`, path: null },
  ];
}

function issueHead(model: IssueHeadModel & { readonly how?: string }, frame: PageContext): VNode {
  const { issue, how = '' } = model;
  const acts = issueActions(model, frame);
  return pageHead({
    title: titleOf(model),
    below: culprit(issue.culprit),
    states: [
      html`<span>${statusMark(issue.level)}${how === '' ? null : html`<span class="soft">, ${how}</span>`}</span>`,
      html`<span>${stateSentence(model, frame)}</span>`,
    ],
    ...(acts === null ? {} : { acts }),
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
  const parts = name.split(/(?<=[.\\]|::)(?=\w)/);
  return bidiIsolated(parts.flatMap((part, at) => (at === 0 ? [part] : [html`<wbr />`, part])));
}

function culprit(place: string): Content {
  if (place === '') return html`<span class="dim">Unknown location</span>`;
  const [, name, file] = /^(.+) \(([^()]+)\)$/s.exec(place) ?? [];
  if (name === undefined || file === undefined)
    return html`<code>${bidiIsolated(replaceInvisible(place))}</code>`;
  return [
    html`<code>${bidiIsolated(replaceInvisible(name))}</code>`,
    ' in ',
    html`<code>${bidiIsolated(replaceInvisible(file))}</code>`,
  ];
}

function mergedNote({ asked_id: requestedId }: IssueHeadModel): VNode {
  return html`<p class="note">#${requestedId} was merged into this issue.</p>`;
}

function issueFacts(model: IssueHeadModel, frame: PageContext): VNode {
  const { issue } = model;
  const { nowMs } = frame;
  const users = `${count(issue.users)}${issue.users_capped ? ' or more' : ''}`;
  const each =
    issue.users === 0 ? 'no user data' : `${counted(Math.round(issue.events / issue.users), 'event')} each`;
  const seenIn = (version: string | null): Content =>
    version === null ? null : ['in ', releaseLink(model, version, frame)];
  const rows: Fact[] = [
    { label: 'Events', figure: count(issue.events), small: `${count(model.days.at(-1)?.events ?? 0)} today` },
    { label: 'Users', figure: users, small: each },
    { label: 'Last seen', figure: timeAgo(issue.last_seen, nowMs), small: seenIn(issue.last_release) },
    { label: 'First seen', figure: timeAgo(issue.first_seen, nowMs), small: seenIn(issue.first_release) },
  ];
  return facts(rows);
}

function moreFacts(model: IssueHeadModel, frame: PageContext): VNode {
  const { reports, issue } = model;
  const { nowMs } = frame;
  const rows: Array<readonly [name: string, value: Content]> = [];
  const to = issue.assigned_to;
  // Who may assign sees the assignee on the button.
  if (frame.currentUser?.canAct !== true && to !== null) {
    rows.push(['Assignee', html`<bdi>${replaceInvisible(to.name ?? 'Former member')}</bdi>`]);
  }
  rows.push(['Suspect commit', suspectCommit(model, frame)], ...linkedIssues(model, frame));
  if (reports.count > 0) {
    const newest = reports.newest === null ? null : [', newest ', timeAgo(reports.newest, nowMs)];
    rows.push(['Feedback', [counted(reports.count, 'report'), newest]]);
  }
  for (const each of model.incidents ?? []) rows.push(['Incident', linkedIncident(each, frame)]);
  return html`<dl class="meta2">
    ${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

function suspectCommit({ suspect_commit: commit }: IssueHeadModel, frame: PageContext): Content {
  if (commit === null) {
    const how = pageLink(frame, { path: '/help', hash: 'commits' }, null, 'How');
    return html`<span class="dim">No suspect commit. Send commits with the release.</span> ${how}`;
  }
  const { commit_id: id, message, author, release, url } = commit;
  const words = [
    html`<code>${replaceInvisible(id.slice(0, 7))}</code>`,
    ' ',
    html`<bdi>${replaceInvisible(message)}</bdi>`,
  ];
  const by = author === null ? null : [' by ', html`<bdi>${replaceInvisible(author)}</bdi>`];
  const of = html`<span class="soft">${by}, in <bdi>${replaceInvisible(release)}</bdi></span>`;
  return [url === null ? words : externalLink(url, ...words), ' ', of];
}

function linkedIssues(model: IssueHeadModel, frame: PageContext): Array<readonly [string, Content]> {
  return model.links.map(({ link_id: id, url, label, service }) => {
    const path = `${issuePath(model)}/links/${id}/remove`;
    const words = [icon('out'), ' ', externalLink(url, html`<bdi>${replaceInvisible(label)}</bdi>`)];
    const remove =
      frame.currentUser?.canAct === true
        ? actionForm(
            frame,
            path,
            { class: 'inline' },
            submitButton(['Remove', visuallyHidden(` the link to ${label}`)], { class: 'link' }),
          )
        : null;
    return ['Linked issue', [...words, ' ', html`<span class="soft">${service}</span> `, remove]] as const;
  });
}

function compactPlot(model: IssueHeadModel, frame: PageContext): VNode {
  return histogram(frame, { ...plotOf(model, frame), height: 72, isCompact: true });
}

export function eventsChart(model: IssueHeadModel, frame: PageContext): VNode {
  return histogram(frame, {
    ...plotOf(model, frame),
    beside: spanChoice(frame, model.slots !== undefined),
    height: 108,
  });
}

function plotOf(model: IssueHeadModel, frame: PageContext): Histogram {
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
    nowMs: frame.nowMs,
    noun: ['event', 'events'],
    finding: finding(model),
  };
}

function finding({ days, slots }: IssueHeadModel): Content {
  const all = (slots ?? days).reduce((sum, { events }) => sum + events, 0);
  const amount = html`<b>${counted(all, 'event')}</b>`;
  if (slots === undefined) return [amount, ' in 30 days'];
  const ms = slots.length * slotMs;
  if (ms === dayMs) return [amount, ' in 24 h'];
  const orMore = slots.some(({ events }) => events > slotEventCountMax) ? ' or more' : '';
  return [amount, `${orMore} in ${span(ms)}; a whole day has too many to be counted`];
}

function spanChoice(frame: PageContext, isDay: boolean): VNode {
  const params = Object.fromEntries(frame.query);
  const choice = (value: string | null, words: string, isChosen: boolean): VNode =>
    pageLink(
      frame,
      { path: frame.path, query: { ...params, span: value, notice: null } },
      { class: 'btn small', 'aria-current': isChosen ? 'page' : null },
      words,
    );
  return html`<nav class="joined" aria-label="Range">
    ${choice(spanOfDay, '24 h', isDay)}${choice(null, '30 d', !isDay)}
  </nav>`;
}

function issueTabs(model: IssueHeadModel, frame: PageContext, current: IssuePageTab): VNode {
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
  return tabs(frame, label, tabsWithQuery);
}
