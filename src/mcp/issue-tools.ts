import { z } from 'zod';
import { getEventOfPath, viewEventOfIssue, viewNewestEvent } from '../core/page-models/issue/event.ts';
import { type IssueHeadModel, issueHeadModel } from '../core/page-models/issue/head.ts';
import { type HistoryEntryView, historyModel } from '../core/page-models/issue/history.ts';
import { eventToMarkdown, issueToMarkdown } from '../core/page-models/issue/markdown.ts';
import {
  type EventPayload,
  type ParsedFrame,
  parseExceptions,
} from '../core/page-models/issue/parse-event.ts';
import { issueEventsModel } from '../core/page-models/issue/tabs.ts';
import { issuesModel, type ListedIssueView } from '../core/page-models/issues/list.ts';
import {
  cursorField,
  dataNotice,
  fenced,
  fitTokens,
  projectField,
  type Tool,
  tokensField,
  tool,
} from './tool.ts';
import { contextOf, type McpUser } from './user.ts';

const framesShown = 5;
const similarShown = 5;
const entriesShown = 10;

export const issueIdField = z.int().min(1).describe('Number of the issue, such as 1043.');

const listProjects = tool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects that you have access to, with their numbers.',
  input: {},
  async answer({ projects }) {
    if (projects.length === 0) return 'You have access to no project.';
    return `${dataNotice}\n\n${fenced(projects.map(({ id, name }) => `${id}  ${name}`))}`;
  },
});

const searchIssues = tool({
  name: 'search_issues',
  title: 'Search issues',
  description:
    "Lists issues (groups of the same error), with Sentry's search syntax: is:unresolved, is:regressed, is:new, level:fatal, release:latest, environment:production, assigned:me, age:-24h, times_seen, file:, function:, has:, any tag as key:value, ! in front to negate, [a,b] for lists, and words of the title. A mistake in the query is named and left out.",
  input: {
    query: z.string().max(2_000).default('is:unresolved').describe('The search. Empty for all issues.'),
    project: projectField,
    range: z
      .string()
      .max(60)
      .default('30d')
      .describe(
        'Issues seen in this time: 1h, 24h, 7d, 14d, 30d, 90d, or FROM..TO such as 2026-11-01..2026-11-08.',
      ),
    environment: z.string().max(64).optional(),
    sort: z.enum(['last_seen', 'first_seen', 'events', 'users']).default('last_seen'),
    cursor: cursorField,
    max_tokens: tokensField,
  },
  async answer(user, { query, project, range, environment, sort, cursor, max_tokens: tokens }) {
    const params = { query, range, environment, sort, before: cursor };
    const model = await issuesModel(contextOf(user, { query: params, project }));
    const { search, issues, total, older } = model;
    const wrongRange =
      model.filters.range === range ? [] : [`“${range}” is no range; ${model.filters.range} is used.`];
    const mistakes = search.mistakes.map(({ message }) => `${message} It is left out; the rest is applied.`);
    const count = total === 1 ? '1 issue matches' : `${total} issues match`;
    const heading = `${count}; ${issues.length} shown, by ${model.filters.sort}, seen in ${model.filters.range}.`;
    const more = older === null ? [] : [`More: call again with cursor ${older}`];
    const text = [
      ...[...wrongRange, ...mistakes],
      [heading, ...more].join(' '),
      ...(issues.length === 0 ? [] : [dataNotice, fenced(issues.flatMap(issueLines))]),
    ].join('\n\n');
    return fitTokens(text, tokens, 'Narrow the query, or raise max_tokens.');
  },
});

export function issueLines(issue: ListedIssueView): string[] {
  const { place: location } = issue;
  const inCode =
    [location.function, location.file].filter((each) => each !== null).join(' in ') || location.text;
  const state = issue.substatus === null ? issue.status : `${issue.status}, ${issue.substatus}`;
  const seen = [
    `${issue.events} events`,
    `${issue.users}${issue.users_capped ? ' or more' : ''} users`,
    `first seen ${issue.first_seen}${issue.first_release === null ? '' : ` in ${issue.first_release}`}`,
    `last seen ${issue.last_seen}${issue.last_release === null ? '' : ` in ${issue.last_release}`}`,
  ];
  const regressed = issue.regressed_in === null ? '' : ` in ${issue.regressed_in}`;
  const assigned = issue.assigned_to?.name == null ? '' : `; assigned to ${issue.assigned_to.name}`;
  return [
    `#${issue.issue_id} [${issue.level}] ${toOneLine(issue.title)}`,
    `    ${inCode === null ? '' : `${toOneLine(inCode)}; `}project ${issue.project.name}; ${state}${regressed}${assigned}`,
    `    ${seen.join('; ')}`,
  ];
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

const getIssue = tool({
  name: 'get_issue',
  title: 'Show an issue',
  description:
    'Shows one issue: state, first and last release, suspect commit, stack of the newest event with source lines, breadcrumbs, tags, similar issues, latest activity.',
  input: { issue_id: issueIdField, max_tokens: tokensField },
  async answer(user, { issue_id: id, max_tokens: tokens }) {
    const context = contextOf(user, { path: { id: String(id) } });
    const { head, found, tags } = await issueHeadModel(context);
    const [newest, history] = await Promise.all([
      viewNewestEvent(context, found, head.stored),
      historyModel(context, found, entriesShown),
    ]);
    const address = `${context.pagesUrl}/issues/${head.issue.issue_id}`;
    const before = [...suspectPart(head), ...(newest === null ? [] : sourcePart(newest as EventPayload))];
    const text = [
      dataNotice,
      issueToMarkdown(head, tags, newest, address, before).trimEnd(),
      ...similarPart(head),
      ...activityPart(history.entries),
    ].join('\n\n');
    const event = newest === null ? '' : ` The newest event is ${newest.event_id}: get_event has all of it.`;
    return fitTokens(text, tokens, `Raise max_tokens for the rest.${event}`);
  },
});

function suspectPart({ suspect_commit: commit }: IssueHeadModel): string[] {
  if (commit === null) return [];
  const lines = [
    `commit: ${commit.commit_id}`,
    `message: ${toOneLine(commit.message)}`,
    `author: ${commit.author ?? commit.author_email ?? 'unknown'}`,
    `release: ${commit.release}`,
    `changed file: ${commit.path}`,
    ...(commit.url === null ? [] : [`url: ${commit.url}`]),
  ];
  return ['## Suspect commit', fenced(lines)];
}

/** Source lines around the first in-app frames of the main exception. */
function sourcePart(event: EventPayload): string[] {
  const exceptions = parseExceptions(event);
  const main = exceptions.find(({ isMain }) => isMain) ?? exceptions[0];
  const frames = (main?.frames ?? []).filter(({ inApp, source }) => inApp !== false && source !== null);
  if (frames.length === 0) return [];
  return [
    '## Source of in-app frames, most recent call first',
    fenced(frames.slice(0, framesShown).flatMap(sourceLines)),
  ];
}

function sourceLines({ function: name, file, line, before, source, after }: ParsedFrame): string[] {
  const first = (line ?? 0) - before.length;
  const numbered = (text: string, at: number): string => {
    const marker = at === line ? '>' : ' ';
    return line === null ? `  ${text}` : `${marker} ${String(at).padStart(5)} | ${text}`;
  };
  const all = [...before, source ?? '', ...after];
  return [
    `${file}:${line ?? '?'} in ${name || '(anonymous)'}`,
    ...all.map((text, index) => numbered(text, first + index)),
    '',
  ];
}

function similarPart({ similar }: IssueHeadModel): string[] {
  if (similar.length === 0) return [];
  const lines = similar
    .slice(0, similarShown)
    .map(
      (each) =>
        `#${each.issue_id} (${Math.round(each.alike * 100)} % alike, ${each.status}) ${toOneLine(each.title)}`,
    );
  return ['## Similar issues', fenced(lines)];
}

function activityPart(entries: readonly HistoryEntryView[]): string[] {
  if (entries.length === 0) return [];
  const lines = entries.map((entry) => {
    if (entry.entry === 'comment') return `${entry.at} ${entry.author} commented: ${toOneLine(entry.body)}`;
    const by = entry.actor === null ? '' : ` by ${entry.actor}`;
    return `${entry.at} ${entry.kind}${by}`;
  });
  return ['## Latest activity, newest first', fenced(lines)];
}

const listIssueEvents = tool({
  name: 'list_issue_events',
  title: 'List the events of an issue',
  description: 'Lists the stored events of an issue, newest first, with release and environment.',
  input: { issue_id: issueIdField, cursor: cursorField, max_tokens: tokensField },
  async answer(user, { issue_id: id, cursor, max_tokens: tokens }) {
    const params = { path: { id: String(id) }, query: { before: cursor } };
    const { events, older } = await issueEventsModel(contextOf(user, params));
    if (events.length === 0) return 'No events of this issue are stored any more.';
    const lines = events.map(
      (event) =>
        `${event.event_id}  ${event.received}  ${event.release ?? 'no release'}  ${event.environment ?? ''}  ${toOneLine(event.title)}`,
    );
    const more = older === null ? '' : ` More: call again with cursor ${older}`;
    const text = `${events.length} events.${more}\n\n${dataNotice}\n\n${fenced(lines)}`;
    return fitTokens(text, tokens, 'Raise max_tokens for the rest.');
  },
});

const getEvent = tool({
  name: 'get_event',
  title: 'Show an event',
  description: 'Shows one event of an issue: stack with source lines, breadcrumbs, request, tags.',
  input: {
    issue_id: issueIdField,
    event_id: z.string().max(40).default('latest').describe('32 hexadecimal digits, latest or oldest.'),
    max_tokens: tokensField,
  },
  async answer(user: McpUser, { issue_id: id, event_id: eventId, max_tokens: tokens }) {
    const context = contextOf(user, { path: { id: String(id), event_id: eventId } });
    const { event } = await getEventOfPath(context);
    const view = viewEventOfIssue(context, event);
    const address = `${context.pagesUrl}/issues/${view.issue_id}/events/${view.event_id}`;
    const text = [dataNotice, eventToMarkdown(view, address).trimEnd(), ...sourcePart(view as EventPayload)];
    return fitTokens(text.join('\n\n'), tokens, 'Raise max_tokens for the rest.');
  },
});

export const issueTools: readonly Tool[] = [listProjects, searchIssues, getIssue, listIssueEvents, getEvent];
