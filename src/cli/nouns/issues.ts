// `issue list` and `issue show`: what the events amount to, for people at a terminal.
import { issuesQuery } from '../../../schemas/issues.ts';
import type { Deps } from '../../core/deps.ts';
import { type EventSummaryView, viewEventSummary } from '../../core/events/views.ts';
import { parseId } from '../../core/ids.ts';
import { issueFilterOf } from '../../core/issues/requests.ts';
import { type IssueView, type IssueWholeView, viewIssue, viewIssueWhole } from '../../core/issues/views.ts';
import type { Issue } from '../../core/store/issues.ts';
import type { Project } from '../../core/store/projects.ts';
import { filterWords } from '../../core/workspace/unknown-words.ts';
import type { Command, ParsedWords } from '../command.ts';
import { isoText, printable, tableOf } from '../print.ts';
import { firstRows, givenIn, limitOption, optionsOf, requestOf, tellOfMore } from '../requests.ts';
import { getChosenProject, getOwned, ownerOption, projectOption } from '../which-project.ts';

const eventsShownMax = 10;
const filters = {
  schema: issuesQuery,
  only: ['status', 'substatus', 'level', 'search', 'release', 'environment'],
};

export const issueList: Command = {
  name: 'issue list',
  onlyReads: true,
  summary: 'Lists the issues of a project, the last seen first.',
  usage: '[--status unresolved] [--search TEXT] [--release VERSION] [--limit 50] [--project NAME]',
  options: { ...optionsOf(filters), ...limitOption, ...projectOption },
  examples: ['issue list --status unresolved', 'issue list --release 1.4.0 --search checkout --json'],
  async run(context, words) {
    const rows = firstRows(words);
    const asked = requestOf(issuesQuery, givenIn(words, filters));
    const deps = await context.deps();
    const project = await getChosenProject(deps, words);
    const page = await deps.store.listIssues(project.id, { ...issueFilterOf(asked), ...rows });
    const issues = page.rows.map(viewIssue);
    const strange = issues.length === 0 ? filterWords(words.text('search') ?? '') : [];
    if (strange.length > 0) {
      const said = strange.map((word) => `"${printable(word, 60)}"`).join(', ');
      context.err(
        `${said}: searched as text. What is no text has an option: --status, --substatus, --level, --release, --environment.\n`,
      );
    }
    tellOfMore(context, issues.length, page.total, 'issues');
    return { json: issues, text: issues.length === 0 ? 'No issues.' : issueTable(issues) };
  },
};

export const issueShow: Command = {
  name: 'issue show',
  onlyReads: true,
  summary:
    'Shows one issue: its figures, why its events belong together, its last events, its history, its merges.',
  usage: 'ISSUE_ID [--project NAME]',
  options: ownerOption,
  examples: ['issue show 7'],
  async run(context, words) {
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, words, words.positionals[0]);
    const issue = await viewIssueWhole(deps, project.id, found.id);
    const recent = { descending: true, limit: eventsShownMax, offset: 0 };
    const events = await deps.store.listIssueEvents(project.id, issue.issue_id, recent);
    const last = (events?.rows ?? []).map(viewEventSummary);
    return {
      json: { project_id: project.id, ...issue, last_events: last },
      text: () => `${issueText(issue, project.name, found.id)}\n${tablesOf(issue, last)}`,
    };
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
  return tableOf(
    {
      ...{ ID: 'issue_id', Level: 'level' },
      Title: ({ title }) => printable(title, 60),
      Where: ({ culprit }) => printable(culprit, 40),
      ...{ State: stateText, Events: 'events', Users: 'users' },
      'First seen (UTC)': (issue) => isoText(issue.first_seen),
      'Last seen (UTC)': (issue) => isoText(issue.last_seen),
    },
    issues,
  );
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
  return lines.join('\n');
}

function tablesOf(issue: IssueWholeView, events: readonly EventSummaryView[]): string {
  const text = (value: string | null, max: number): string | null =>
    value === null ? null : printable(value, max);
  const last = tableOf(
    {
      Event: 'event_id',
      'Received (UTC)': ({ received }) => isoText(received),
      Release: ({ release }) => text(release, 40),
      Environment: ({ environment }) => text(environment, 20),
    },
    events,
  );
  const history = tableOf(
    {
      'When (UTC)': ({ at }) => isoText(at),
      What: 'kind',
      From: ({ from }) => from || null,
      To: ({ to }) => to || null,
      Who: ({ actor }) => printable(actor, 40),
    },
    issue.activity,
  );
  const merges = tableOf(
    {
      Merge: 'merge_id',
      Issues: ({ issue_ids: ids }) => ids.join(' '),
      'When (UTC)': ({ at }) => isoText(at),
      Who: ({ actor }) => printable(actor, 40),
      'Undone (UTC)': ({ undone_at: at }) => (at === null ? null : isoText(at)),
    },
    issue.merges,
  );
  return [
    events.length === 0 ? '' : `\nLast events\n${last}\n`,
    issue.activity.length === 0 ? '' : `\nHistory\n${history}\n`,
    issue.merges.length === 0 ? '' : `\nMerges\n${merges}\n`,
  ].join('');
}
