import type { VNode } from 'preact';
import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import { spanOfDay } from '../../core/page-models/issue/slots.ts';
import { dayMs, slotEventCountMax, slotMs } from '../../core/parsing/durations.ts';
import { histogram } from '../charts/histogram.ts';
import { bidiIsolated, type Fact, facts, pageHead, tabs } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { statusMark } from '../components/mark.ts';
import { timeAgo, timeElement } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import { formatAge, formatDayAndTime, span } from '../formatters/times.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { linkedIncidents } from '../uptime/linked-incidents.ts';
import { issueActions } from './actions.ts';
import { issuePath } from './issue-path.ts';
import { actorName, releaseLink, stateSentence } from './sentences.ts';

export type IssuePageTab = 'event' | 'events' | 'tags' | 'activity' | 'similar';

export function issuePage(
  model: IssueHeadModel,
  context: PageContext,
  tab: IssuePageTab,
  ...content: Content[]
): PageContent {
  const { issue } = model;
  return {
    title: replaceInvisible(issue.title) || `Issue ${issue.issue_id}`,
    crumbs: issueBreadcrumbs(model),
    main: [
      issueHead(model, context),
      model.asked_id === issue.issue_id ? null : mergedNote(model),
      stateSentence(model, context),
      linkedIncidents(model.incidents, context),
      issueFacts(model, context),
      plot(model, context),
      issueTabs(model, context, tab),
      ...content,
      html`<p class="small exp">
        ${pageLink(context, { path: `${issuePath(model)}.md` }, { download: true }, 'This issue as Markdown')}
      </p>`,
    ],
  };
}

export function issueBreadcrumbs({ issue }: IssueHeadModel): NonNullable<PageContent['crumbs']> {
  return [
    { name: 'Issues', path: '/issues' },
    { name: issue.project.name, path: `/projects/${issue.project.project_id}` },
    { name: `#${issue.issue_id}`, path: null },
  ];
}

function issueHead(model: IssueHeadModel, frame: PageContext): VNode {
  const { issue } = model;
  const acts = issueActions(model, frame);
  return pageHead({
    above: [
      statusMark(issue.level),
      ' in ',
      bidiIsolated(replaceInvisible(issue.project.name)),
      `, ${issue.platform}`,
    ],
    title: titleOf(model),
    below: culprit(issue.culprit),
    ...(acts === null ? {} : { acts }),
  });
}

/** Type in bold and message, if the title has a type. */
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

function mergedNote({ asked_id: asked }: IssueHeadModel): VNode {
  return html`<p class="note">#${asked} was merged into this issue.</p>`;
}

function issueFacts(model: IssueHeadModel, frame: PageContext): VNode {
  const { issue, stored, reports } = model;
  const { nowMs } = frame;
  const kept = `${count(stored.events)}${stored.capped ? ' or more' : ''} stored`;
  const users = `${count(issue.users)}${issue.users_capped ? ' or more' : ''}`;
  const each =
    issue.users === 0 ? 'no user data' : `${counted(Math.round(issue.events / issue.users), 'event')} each`;
  const firstMs = Date.parse(issue.first_seen);
  const old = `${formatAge(nowMs - firstMs)} old`;
  const rows: Fact[] = [
    { label: 'Events', figure: count(issue.events), small: kept },
    { label: 'Users', figure: users, small: each },
    {
      label: 'Last seen',
      figure: timeAgo(issue.last_seen, nowMs),
      small: issue.last_release === null ? null : ['in ', releaseLink(model, issue.last_release, frame)],
    },
    {
      label: 'First seen',
      figure: timeElement(issue.first_seen, formatDayAndTime(firstMs), false),
      small:
        issue.first_release === null
          ? old
          : ['in ', releaseLink(model, issue.first_release, frame), `, ${old}`],
    },
    {
      label: 'Feedback',
      figure: reports.count === 0 ? 'None' : counted(reports.count, 'report'),
      small: reports.newest === null ? 'from users' : ['newest ', timeAgo(reports.newest, nowMs)],
    },
    assigned(model, nowMs),
  ];
  return facts(rows);
}

function assigned({ issue }: IssueHeadModel, nowMs: number): Fact {
  const to = issue.assigned_to;
  if (to === null) return { label: 'Assigned to', figure: 'Unassigned', small: null };
  const by = to.by === null || to.at === null ? null : ['by ', actorName(to.by), ', ', timeAgo(to.at, nowMs)];
  const name = to.name === null ? 'Former member' : html`<bdi>${replaceInvisible(to.name)}</bdi>`;
  return { label: 'Assigned to', figure: name, small: by };
}

function plot(model: IssueHeadModel, frame: PageContext): VNode {
  const { days, slots, issue } = model;
  const counts =
    slots === undefined
      ? days.map(({ day, events }) => ({ fromMs: Date.parse(day), ms: dayMs, events }))
      : slots.map(({ at, events }) => ({ fromMs: Date.parse(at), ms: slotMs, events }));
  const fill = issue.level === 'debug' ? 'info' : issue.level;
  return histogram(frame, {
    bars: counts.map(({ fromMs, ms, events }) => ({ fromMs, toMs: fromMs + ms, counts: { error: events } })),
    stacks: [{ key: 'error', name: 'events', fill }],
    markers: model.releases.map(({ version, at }) => ({
      atMs: Date.parse(at),
      name: replaceInvisible(version),
    })),
    nowMs: frame.nowMs,
    noun: ['event', 'events'],
    finding: finding(model),
    beside: spanChoice(frame, slots !== undefined),
    height: 108,
  });
}

function finding({ days, slots }: IssueHeadModel): Content {
  const all = (slots ?? days).reduce((sum, { events }) => sum + events, 0);
  const said = html`<b>${counted(all, 'event')}</b>`;
  if (slots === undefined) return [said, ' in 30 days'];
  const ms = slots.length * slotMs;
  if (ms === dayMs) return [said, ' in 24 h'];
  const orMore = slots.some(({ events }) => events > slotEventCountMax) ? ' or more' : '';
  return [said, `${orMore} in ${span(ms)}; a whole day has too many to be counted`];
}

function spanChoice(frame: PageContext, isDay: boolean): VNode {
  const kept = Object.fromEntries(frame.query);
  const choice = (value: string | null, words: string, isChosen: boolean): VNode =>
    pageLink(
      frame,
      { path: frame.path, query: { ...kept, span: value, notice: null } },
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
  const kept = all.map((tab) => ({ ...tab, query }));
  return html`<div class="sec">${tabs(frame, label, kept)}</div>`;
}
