import type { VNode } from 'preact';
import { dayMs, slotEventsMax, slotMs } from '../../core/reading/spans.ts';
import type { IssueHeadModel } from '../../core/workspace/issue/head.ts';
import { daySpan } from '../../core/workspace/issue/slots.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { type Fact, facts, outside, pageHead, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { ago, moment } from '../parts/time.ts';
import { histogram } from '../plots/histogram.ts';
import { incidentsOfPart } from '../uptime/incidents-of.ts';
import { count, counted } from '../words/numbers.ts';
import { dayAndTime, distance, span } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { issueActs } from './acts.ts';
import { pathOf } from './path.ts';
import { releaseLink, stateSentence, who } from './words.ts';

export type TabName = 'event' | 'events' | 'tags' | 'activity' | 'similar';

export function issuePage(
  model: IssueHeadModel,
  frame: Frame,
  tab: TabName,
  ...content: Content[]
): PageContent {
  const { issue } = model;
  return {
    title: visible(issue.title) || `Issue ${issue.issue_id}`,
    crumbs: crumbsOf(model),
    main: [
      issueHead(model, frame),
      model.asked_id === issue.issue_id ? null : mergedNote(model),
      stateSentence(model, frame),
      incidentsOfPart(model.incidents, frame),
      issueFacts(model, frame),
      plot(model, frame),
      issueTabs(model, frame, tab),
      ...content,
      html`<p class="small exp">
        ${pageLink(frame, { path: `${pathOf(model)}.md` }, { download: true }, 'This issue as Markdown')}
      </p>`,
    ],
  };
}

export function crumbsOf({ issue }: IssueHeadModel): NonNullable<PageContent['crumbs']> {
  return [
    { name: 'Issues', path: '/issues' },
    { name: issue.project.name, path: `/projects/${issue.project.project_id}` },
    { name: `#${issue.issue_id}`, path: null },
  ];
}

function issueHead(model: IssueHeadModel, frame: Frame): VNode {
  const { issue } = model;
  const acts = issueActs(model, frame);
  return pageHead({
    above: [mark(issue.level), ' in ', outside(visible(issue.project.name)), `, ${issue.platform}`],
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
    return html`<bdi>${visible(issue.title) || '(no title)'}</bdi>`;
  }
  return [breakable(visible(type)), ' ', html`<bdi class="msg">${visible(text)}</bdi>`];
}

/** Allows line breaks between parts of a name: `System.`, `ActiveRecord::`, `App\\`. */
function breakable(name: string): VNode {
  const parts = name.split(/(?<=[.\\]|::)(?=\w)/);
  return outside(parts.flatMap((part, at) => (at === 0 ? [part] : [html`<wbr />`, part])));
}

function culprit(place: string): Content {
  if (place === '') return html`<span class="dim">Unknown location</span>`;
  const [, name, file] = /^(.+) \(([^()]+)\)$/s.exec(place) ?? [];
  if (name === undefined || file === undefined) return html`<code>${outside(visible(place))}</code>`;
  return [html`<code>${outside(visible(name))}</code>`, ' in ', html`<code>${outside(visible(file))}</code>`];
}

function mergedNote({ asked_id: asked }: IssueHeadModel): VNode {
  return html`<p class="note">#${asked} was merged into this issue.</p>`;
}

function issueFacts(model: IssueHeadModel, frame: Frame): VNode {
  const { issue, stored, reports } = model;
  const { nowMs } = frame;
  const kept = `${count(stored.events)}${stored.capped ? ' or more' : ''} stored`;
  const users = `${count(issue.users)}${issue.users_capped ? ' or more' : ''}`;
  const each =
    issue.users === 0 ? 'no user data' : `${counted(Math.round(issue.events / issue.users), 'event')} each`;
  const firstMs = Date.parse(issue.first_seen);
  const old = `${distance(nowMs - firstMs)} old`;
  const rows: Fact[] = [
    { label: 'Events', figure: count(issue.events), small: kept },
    { label: 'Users', figure: users, small: each },
    {
      label: 'Last seen',
      figure: ago(issue.last_seen, nowMs),
      small: issue.last_release === null ? null : ['in ', releaseLink(model, issue.last_release, frame)],
    },
    {
      label: 'First seen',
      figure: moment(issue.first_seen, dayAndTime(firstMs), false),
      small:
        issue.first_release === null
          ? old
          : ['in ', releaseLink(model, issue.first_release, frame), `, ${old}`],
    },
    {
      label: 'Feedback',
      figure: reports.count === 0 ? 'None' : counted(reports.count, 'report'),
      small: reports.newest === null ? 'from users' : ['newest ', ago(reports.newest, nowMs)],
    },
    assigned(model, nowMs),
  ];
  return facts(rows);
}

function assigned({ issue }: IssueHeadModel, nowMs: number): Fact {
  const to = issue.assigned_to;
  if (to === null) return { label: 'Assigned to', figure: 'Unassigned', small: null };
  const by = to.by === null || to.at === null ? null : ['by ', who(to.by), ', ', ago(to.at, nowMs)];
  const name = to.name === null ? 'Former member' : html`<bdi>${visible(to.name)}</bdi>`;
  return { label: 'Assigned to', figure: name, small: by };
}

function plot(model: IssueHeadModel, frame: Frame): VNode {
  const { days, slots, issue } = model;
  const counts =
    slots === undefined
      ? days.map(({ day, events }) => ({ fromMs: Date.parse(day), ms: dayMs, events }))
      : slots.map(({ at, events }) => ({ fromMs: Date.parse(at), ms: slotMs, events }));
  const fill = issue.level === 'debug' ? 'info' : issue.level;
  return histogram(frame, {
    bars: counts.map(({ fromMs, ms, events }) => ({ fromMs, toMs: fromMs + ms, counts: { error: events } })),
    stacks: [{ key: 'error', name: 'events', fill }],
    markers: model.releases.map(({ version, at }) => ({ atMs: Date.parse(at), name: visible(version) })),
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
  const orMore = slots.some(({ events }) => events > slotEventsMax) ? ' or more' : '';
  return [said, `${orMore} in ${span(ms)}; a whole day has too many to be counted`];
}

function spanChoice(frame: Frame, isDay: boolean): VNode {
  const kept = Object.fromEntries(frame.query);
  const choice = (value: string | null, words: string, isChosen: boolean): VNode =>
    pageLink(
      frame,
      { path: frame.path, query: { ...kept, span: value, notice: null } },
      { class: 'btn small', 'aria-current': isChosen ? 'page' : null },
      words,
    );
  return html`<nav class="joined" aria-label="Range">
    ${choice(daySpan, '24 h', isDay)}${choice(null, '30 d', !isDay)}
  </nav>`;
}

function issueTabs(model: IssueHeadModel, frame: Frame, current: TabName): VNode {
  const path = pathOf(model);
  const query = { span: model.slots === undefined ? null : daySpan };
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
