// `issue list` and `issue show`: what the events amount to, for people at a terminal.
import { issuesQuery } from '../../schemas/issues.ts';
import type { Deps } from '../core/deps.ts';
import { type EventSummaryView, viewEventSummary } from '../core/events/views.ts';
import { parseId } from '../core/ids.ts';
import { issueFilterOf } from '../core/issues/requests.ts';
import { type IssueView, type IssueWholeView, viewIssue, viewIssueWhole } from '../core/issues/views.ts';
import type { Issue } from '../core/store/issues.ts';
import type { Project } from '../core/store/projects.ts';
import { filterWords } from '../core/workspace/unknown-words.ts';
import {
  type Command,
  exitCodes,
  isoText,
  type ParsedWords,
  printable,
  printJson,
  table,
} from './command.ts';
import { firstRows, limitOption, tellOfMore } from './listing.ts';
import { requestOf } from './text/api-words.ts';
import { getChosenProject, getOwned, ownerOption, projectOption } from './which-project.ts';

const eventsShownMax = 10;

export const issueList: Command = {
  name: 'issue list',
  onlyReads: true,
  summary: 'Lists the issues of a project, the last seen first.',
  usage: '[--status unresolved] [--search TEXT] [--release VERSION] [--limit 50] [--project NAME]',
  options: {
    status: { type: 'string', help: 'unresolved, resolved or ignored (default: all)' },
    substatus: { type: 'string', help: 'new, ongoing or regressed, of the unresolved' },
    level: { type: 'string', help: 'debug, info, warning, error or fatal' },
    search: { type: 'string', help: 'text in the title or the culprit' },
    release: { type: 'string', help: 'seen in this release' },
    environment: { type: 'string', help: 'seen in this environment' },
    ...limitOption,
    ...projectOption,
  },
  positionals: { least: 0, most: 0 },
  examples: ['issue list --status unresolved', 'issue list --release 1.4.0 --search checkout --json'],
  async run(context, words) {
    const rows = firstRows(words);
    const names = ['status', 'substatus', 'level', 'search', 'release', 'environment'];
    const asked = requestOf(issuesQuery, Object.fromEntries(names.map((name) => [name, words.text(name)])));
    const deps = await context.deps();
    const project = await getChosenProject(deps, words);
    const page = await deps.store.listIssues(project.id, { ...issueFilterOf(asked), ...rows });
    const issues = page.rows.map(viewIssue);
    if (words.flag('json')) printJson(context, issues);
    else context.out(`${issues.length === 0 ? 'No issues.' : issueTable(issues)}\n`);
    const strange = issues.length === 0 ? filterWords(words.text('search') ?? '') : [];
    if (strange.length > 0) {
      const said = strange.map((word) => `"${printable(word, 60)}"`).join(', ');
      context.err(
        `${said}: searched as text. What is no text has an option: --status, --substatus, --level, --release, --environment.\n`,
      );
    }
    tellOfMore(context, issues.length, page.total, 'issues');
    return exitCodes.fine;
  },
};

export const issueShow: Command = {
  name: 'issue show',
  onlyReads: true,
  summary:
    'Shows one issue: its figures, why its events belong together, its last events, its history, its merges.',
  usage: 'ISSUE_ID [--project NAME]',
  options: { ...ownerOption },
  positionals: { least: 1, most: 1 },
  examples: ['issue show 7'],
  async run(context, words) {
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, words, words.positionals[0]);
    const issue = await viewIssueWhole(deps, project.id, found.id);
    const recent = { descending: true, limit: eventsShownMax, offset: 0 };
    const events = await deps.store.listIssueEvents(project.id, issue.issue_id, recent);
    const last = (events?.rows ?? []).map(viewEventSummary);
    if (words.flag('json')) printJson(context, { project_id: project.id, ...issue, last_events: last });
    else context.out(`${issueText(issue, project.name, found.id)}${eventTable(last)}${historyText(issue)}`);
    return exitCodes.fine;
  },
};

/** The issue of an id, and its project. Throws CommandFailure where none has it, or several do. */
export function getOwnedIssue(
  deps: Deps,
  words: ParsedWords,
  word = '',
): Promise<{ project: Project; found: Issue }> {
  const id = parseId(word);
  return getOwned(deps, words, `issue "${word}"`, async (project) =>
    id === null ? null : deps.store.findIssue(project.id, id),
  );
}

/** Issues as a table for people. */
export function issueTable(issues: readonly IssueView[]): string {
  const rows = issues.map((issue) => [
    issue.issue_id,
    issue.level,
    printable(issue.title, 60),
    printable(issue.culprit, 40),
    stateText(issue),
    issue.events,
    issue.users,
    isoText(issue.first_seen),
    isoText(issue.last_seen),
  ]);
  const headings = ['ID', 'Level', 'Title', 'Where', 'State', 'Events', 'Users'];
  return table([...headings, 'First seen (UTC)', 'Last seen (UTC)'], rows);
}

function stateText(issue: IssueView): string {
  const { resolution, ignore } = issue;
  if (resolution?.in === 'release') return `resolved in ${printable(resolution.release, 40)}`;
  if (resolution?.in === 'next_release') return 'resolved in the next release';
  if (ignore?.until === 'date') return `ignored until ${isoText(ignore.date)}`;
  if (ignore?.until === 'count') return `ignored until ${ignore.count} more events`;
  if (ignore?.until === 'users') return `ignored until ${ignore.users} more users`;
  return issue.substatus ?? issue.status;
}

function issueText(issue: IssueWholeView, projectName: string, askedId: number): string {
  const { grouping } = issue;
  const lastDay = issue.hours.reduce((sum, hour) => sum + hour.events, 0);
  const lines = [
    `Issue ${issue.issue_id} of "${printable(projectName)}"  ${printable(issue.title)}`,
    ...(issue.merged_into === null ? [] : [`  stands for  ${askedId}, which was merged into it`]),
    `  where       ${printable(issue.culprit) || '–'}`,
    `  level       ${issue.level}, platform ${printable(issue.platform)}`,
    `  state       ${stateText(issue)}`,
    `  events      ${issue.events} (${lastDay} in the last 24 hours), users ${issue.users}${issue.users_capped ? ' or more' : ''}`,
    `  seen        ${isoText(issue.first_seen)} to ${isoText(issue.last_seen)} UTC`,
    `  releases    ${printable(issue.first_release ?? '–')} to ${printable(issue.last_release ?? '–')}`,
    `  grouped by  ${grouping.source} (${grouping.algorithm}): ${grouping.parts.map((part) => printable(part)).join(' | ')}`,
    ...grouping.notes.map((note) => `              ${printable(note)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function eventTable(events: readonly EventSummaryView[]): string {
  if (events.length === 0) return '';
  const rows = events.map((event) => [
    event.event_id,
    isoText(event.received),
    event.release === null ? null : printable(event.release, 40),
    event.environment === null ? null : printable(event.environment, 20),
  ]);
  return `\nLast events\n${table(['Event', 'Received (UTC)', 'Release', 'Environment'], rows)}\n`;
}

function historyText(issue: IssueWholeView): string {
  const acts = issue.activity.map((act) => [
    isoText(act.at),
    act.kind,
    act.from || null,
    act.to || null,
    printable(act.actor, 40),
  ]);
  const merges = issue.merges.map((merge) => [
    merge.merge_id,
    merge.issue_ids.join(' '),
    isoText(merge.at),
    printable(merge.actor, 40),
    merge.undone_at === null ? null : isoText(merge.undone_at),
  ]);
  const history = table(['When (UTC)', 'What', 'From', 'To', 'Who'], acts);
  const merged = table(['Merge', 'Issues', 'When (UTC)', 'Who', 'Undone (UTC)'], merges);
  return `${acts.length === 0 ? '' : `\nHistory\n${history}\n`}${merges.length === 0 ? '' : `\nMerges\n${merged}\n`}`;
}
