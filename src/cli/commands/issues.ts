// `issue list|show|resolve|ignore|reopen|merge|unmerge`, with the schema and rules of POST /issues/{id}.
import { issueBulkRequest, issueChangeRequest, issuesQuery } from '../../../schemas/issues.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { type EventSummaryView, viewEventSummary } from '../../core/events/views.ts';
import { parseId } from '../../core/ids.ts';
import { updateIssue } from '../../core/issues/actions.ts';
import { bulkIssuesMax } from '../../core/issues/bulk.ts';
import { changeIssuesOfProject } from '../../core/issues/bulk-requests.ts';
import { toIssueFilter } from '../../core/issues/change-requests.ts';
import {
  type IssueDetailsView,
  type IssueView,
  viewIssueDetails,
  viewIssues,
} from '../../core/issues/views.ts';
import { findFilterLikeWords } from '../../core/page-models/ignored-filters.ts';
import { requireSearch } from '../../core/search/search.ts';
import type { Issue } from '../../core/store/issues.ts';
import type { Project } from '../../core/store/projects.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  type CommandResult,
  type ParsedArgs,
  UsageError,
} from '../command.ts';
import { type Columns, formatIsoTime, formatViewTable, listResult, sanitizeForTerminal } from '../print.ts';
import { getSelectedProject, getWithProject, ownerOption, projectOption } from '../project-option.ts';
import {
  limitOption,
  optionsFromSchema,
  parseLimit,
  parseRequest,
  printHiddenRowCount,
  readFieldValues,
} from '../schema-options.ts';

const eventsShownMax = 10;
const filters = {
  schema: issuesQuery,
  only: ['query', 'status', 'substatus', 'level', 'search', 'release', 'environment'],
};

const issueList: Command = {
  name: 'issue list',
  onlyReads: true,
  summary: 'List the issues of a project, last seen first.',
  usage:
    '[--query QUERY] [--status unresolved] [--search TEXT] [--release VERSION] [--limit 50] [--project NAME]',
  options: { ...optionsFromSchema(filters), ...limitOption, ...projectOption },
  examples: [
    'issue list --query "is:unresolved level:error age:-24h"',
    'issue list --release 1.4.0 --search checkout --json',
  ],
  async run(context, args) {
    const rows = parseLimit(args);
    const query = parseRequest(issuesQuery, readFieldValues(args, filters));
    const deps = await context.deps();
    const project = await getSelectedProject(deps, args);
    const scope = { projectIds: [project.id], of: 'issues', memberId: null } as const;
    const terms = await requireSearch(deps, query.query, scope);
    const page = await deps.store.listIssues(project.id, { ...toIssueFilter(query), terms, ...rows });
    const issues = await viewIssues(deps, page.rows);
    const filterLikeWords = issues.length === 0 ? findFilterLikeWords(args.text('search') ?? '') : [];
    if (filterLikeWords.length > 0) {
      const quoted = filterLikeWords.map((word) => `"${sanitizeForTerminal(word, 60)}"`).join(', ');
      context.err(`${quoted}: searched as text. To filter, use --query.\n`);
    }
    printHiddenRowCount(context, issues.length, page.total, 'issues');
    return listResult(issues, 'No issues.', issueColumns);
  },
};

const issueShow: Command = {
  name: 'issue show',
  onlyReads: true,
  summary: 'Show one issue with its statistics, grouping, latest events, activity and merges.',
  usage: 'ISSUE_ID [--project NAME]',
  options: ownerOption,
  examples: ['issue show 7'],
  async run(context, args) {
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, args, args.positionals[0]);
    const issue = await viewIssueDetails(deps, project.id, found.id);
    const recent = { descending: true, limit: eventsShownMax, offset: 0 };
    const events = await deps.store.listIssueEvents(project.id, issue.issue_id, recent);
    const last = (events?.rows ?? []).map(viewEventSummary);
    return {
      json: { project_id: project.id, ...issue, last_events: last },
      text: () => `${issueText(issue, project.name, found.id)}\n${tablesOf(issue, last)}`,
    };
  },
};

const queryOption = {
  query: 'instead of ids: the issues that match this search, at most 1,000, the ones seen last',
};

const issueResolve: Command = {
  name: 'issue resolve',
  summary: 'Resolve issues now, in the next release, or in a given release.',
  usage: '[ISSUE_ID]… [--query QUERY] [--in now|next_release|release] [--release VERSION] [--project NAME]',
  options: {
    in: 'now (default), next_release, or release with --release',
    release: 'version in which they are resolved',
    ...queryOption,
    ...ownerOption,
  },
  examples: [
    'issue resolve 7',
    'issue resolve 7 9 --in next_release',
    'issue resolve --query "is:unresolved release:1.4.0" --release 1.4.1',
  ],
  run(context, args) {
    const kind = impliedBy(args, 'in', ['release']);
    return changeNamedIssues(context, args, {
      status: 'resolved',
      in: kind,
      release: args.text('release'),
    });
  },
};

const issueIgnore: Command = {
  name: 'issue ignore',
  summary: 'Ignore issues forever, until a date, or until a number of further events or users.',
  usage:
    '[ISSUE_ID]… [--query QUERY] [--until forever|date|count|users] [--date DATE | --count N [--window S] | --users N]',
  options: {
    until: 'forever (default), date, count or users; implied by the next four options',
    date: 'ignore until this date, in RFC 3339, for example 2027-01-31T00:00:00Z',
    count: 'ignore until this many more events',
    window: 'with --count: within this many seconds',
    users: 'ignore until this many more users',
    ...queryOption,
    ...ownerOption,
  },
  examples: [
    'issue ignore 7',
    'issue ignore 7 8 --date 2027-01-31T00:00:00Z',
    'issue ignore 7 --count 100 --window 3600',
    'issue ignore --query "browser:IE*"',
  ],
  run(context, args) {
    const until = impliedBy(args, 'until', ['date', 'count', 'users']);
    if (args.text('window') !== undefined && until !== 'count') {
      throw new UsageError('--window requires --count.');
    }
    const names = ['date', 'count', 'window', 'users'];
    const fields = Object.fromEntries(names.map((name) => [name, args.text(name)]));
    return changeNamedIssues(context, args, { status: 'ignored', until, ...fields });
  },
};

const issueReopen: Command = {
  name: 'issue reopen',
  summary: 'Reopen resolved or ignored issues.',
  usage: '[ISSUE_ID]… [--query QUERY] [--project NAME]',
  options: { ...queryOption, ...ownerOption },
  examples: ['issue reopen 7'],
  run: (context, args) => changeNamedIssues(context, args, { status: 'unresolved' }),
};

const issueAssign: Command = {
  name: 'issue assign',
  summary: 'Assign issues to a member or a team, or to nobody.',
  usage: '[ISSUE_ID]… [--query QUERY] --to WHO [--project NAME]',
  options: {
    to: 'ID or e-mail address of a member, a team such as "#payments", or nobody',
    ...queryOption,
    ...ownerOption,
  },
  examples: [
    'issue assign 7 --to jane@example.com',
    'issue assign --query "is:unassigned file:src/cart/*" --to "#payments"',
  ],
  run(context, args) {
    const to = args.text('to');
    if (to === undefined) throw new UsageError('--to is required.');
    return changeNamedIssues(context, args, { assigned_to: to === 'nobody' ? null : to });
  },
};

const issueMerge: Command = {
  name: 'issue merge',
  summary: 'Merge other issues into one, with their future events. `issue unmerge` undoes it.',
  usage: 'INTO_ISSUE_ID OTHER_ISSUE_ID… [--project NAME]',
  options: ownerOption,
  examples: ['issue merge 7 9 12'],
  async run(context, args) {
    const [into, ...others] = args.positionals;
    // All ids are looked up before the merge, so that an error names the wrong id.
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, args, into);
    const issues = [found];
    for (const other of others) issues.push((await getOwnedIssue(deps, args, other)).found);
    requireUnmergedIssues(issues);
    return changeIssues(context, [{ project, issueId: found.id }], { merge: others.join(',') });
  },
};

const issueUnmerge: Command = {
  name: 'issue unmerge',
  summary: 'Undo the last merge into an issue, or the given one. `issue show` lists the merges.',
  usage: 'ISSUE_ID [MERGE_ID] [--project NAME]',
  options: ownerOption,
  examples: ['issue unmerge 7', 'issue unmerge 7 3'],
  async run(context, args) {
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, args, args.positionals[0]);
    const mergeId = args.positionals[1] ?? (await lastMerge(deps, project, found));
    return changeIssues(context, [{ project, issueId: found.id }], { undo_merge: mergeId });
  },
};

export const issueCommands = [
  issueList,
  issueShow,
  issueResolve,
  issueIgnore,
  issueReopen,
  issueAssign,
  issueMerge,
  issueUnmerge,
];

/** Names the issue that is merged already; the API would only say that there is nothing to merge. */
function requireUnmergedIssues(issues: readonly Issue[]): void {
  const heads = new Set(issues.map((issue) => issue.mergedInto ?? issue.id));
  if (heads.size > 1) return;
  const [head] = heads;
  const merged = issues.find((issue) => issue.id !== head);
  throw new CommandError(
    merged === undefined
      ? `Issue ${head} cannot be merged into itself.`
      : `Issue ${merged.id} is already merged into issue ${head}.`,
  );
}

type IssueFields = Readonly<Record<string, string | null | undefined>>;

/** The kind that is implied by the option given with it. Throws UsageError if two options conflict. */
function impliedBy(args: ParsedArgs, option: string, kinds: readonly string[]): string | undefined {
  const chosen = kinds.filter((kind) => args.text(kind) !== undefined);
  const [first, second] = chosen;
  if (second !== undefined) throw new UsageError(`--${first} and --${second} cannot be used together.`);
  const value = args.text(option);
  if (value !== undefined && first !== undefined && value !== first) {
    throw new UsageError(`--${first} requires --${option} ${first}, not --${option} ${value}.`);
  }
  return value ?? first;
}

async function changeNamedIssues(context: CommandContext, args: ParsedArgs, fields: IssueFields) {
  const query = args.text('query');
  const [first] = args.positionals;
  if (query !== undefined && first !== undefined) {
    throw new UsageError('--query cannot be used together with issue IDs.');
  }
  if (query !== undefined) return changeMatchingIssues(context, args, { ...fields, query });
  if (first === undefined) throw new UsageError('Enter ISSUE_ID… or --query QUERY.');
  const deps = await context.deps();
  const targets = [];
  for (const word of args.positionals) {
    const { project, found } = await getOwnedIssue(deps, args, word);
    targets.push({ project, issueId: found.id });
  }
  return changeIssues(context, targets, fields);
}

async function changeMatchingIssues(
  context: CommandContext,
  args: ParsedArgs,
  fields: IssueFields,
): Promise<CommandResult> {
  const input = parseRequest(issueBulkRequest, fields);
  const deps = await context.deps();
  const project = await getSelectedProject(deps, args);
  const scope = { projectIds: [project.id], of: 'issues', memberId: null } as const;
  const terms = await requireSearch(deps, input.query, scope);
  const done = await changeIssuesOfProject(deps, project, input, terms, commandLineSource, null);
  const { matched, changed, unchanged } = done;
  const lines = [
    `${changed.length} of ${matched} issues changed${changed.length === 0 ? '.' : `: ${changed.join(' ')}`}`,
  ];
  if (unchanged.length > 0) lines.push(`${unchanged.length} were so already.`);
  if (matched > bulkIssuesMax)
    lines.push(`At most ${bulkIssuesMax} are changed at once. Run it again for the rest.`);
  return { json: done, text: lines.join('\n') };
}

async function changeIssues(
  context: CommandContext,
  targets: ReadonlyArray<{ project: Project; issueId: number }>,
  fields: IssueFields,
): Promise<CommandResult> {
  const changes = parseRequest(issueChangeRequest, fields);
  const deps = await context.deps();
  const changed = [];
  for (const { project, issueId } of targets) {
    await updateIssue(deps, project, issueId, changes, commandLineSource);
    changed.push(await viewIssueDetails(deps, project.id, issueId));
  }
  return { json: changed, text: formatViewTable(issueColumns, changed) };
}

async function lastMerge(deps: Deps, project: Project, issue: Issue): Promise<string> {
  const merges = await deps.store.listMerges(project.id, issue.mergedInto ?? issue.id);
  const activeMerge = merges.find((merge) => merge.undoneAtMs === null);
  if (activeMerge === undefined) throw new CommandError(`Nothing is merged into issue ${issue.id}.`);
  return String(activeMerge.id);
}

function getOwnedIssue(deps: Deps, args: ParsedArgs, word = ''): Promise<{ project: Project; found: Issue }> {
  const id = parseId(word);
  return getWithProject(deps, args, `issue "${word}"`, async (project) =>
    id === null ? null : deps.store.findIssue(project.id, id),
  );
}

const issueColumns: Columns<IssueView> = {
  ...{ ID: 'issue_id', Level: 'level' },
  Title: ({ title }) => sanitizeForTerminal(title, 60),
  Where: ({ culprit }) => sanitizeForTerminal(culprit, 40),
  ...{ State: stateText, Events: 'events', Users: 'users' },
  'First seen (UTC)': (issue) => formatIsoTime(issue.first_seen),
  'Last seen (UTC)': (issue) => formatIsoTime(issue.last_seen),
};

function stateText(issue: IssueView): string {
  const { resolution, ignore } = issue;
  if (resolution?.in === 'release') return `resolved in ${sanitizeForTerminal(resolution.release, 40)}`;
  if (resolution?.in === 'next_release') return 'resolved in the next release';
  if (ignore?.until === 'date') return `ignored until ${formatIsoTime(ignore.date)}`;
  if (ignore?.until === 'count') return `ignored until ${ignore.count} more events`;
  if (ignore?.until === 'users') return `ignored until ${ignore.users} more users`;
  return issue.substatus ?? issue.status;
}

function issueText(issue: IssueDetailsView, projectName: string, askedId: number): string {
  const { grouping } = issue;
  const lastDay = issue.hours.reduce((sum, hour) => sum + hour.events, 0);
  const lines = [
    `Issue ${issue.issue_id} of "${sanitizeForTerminal(projectName)}"  ${sanitizeForTerminal(issue.title)}`,
    ...(issue.merged_into === null ? [] : [`  merged      issue ${askedId} was merged into this one`]),
    `  where       ${sanitizeForTerminal(issue.culprit) || '–'}`,
    `  level       ${issue.level}, platform ${sanitizeForTerminal(issue.platform)}`,
    `  state       ${stateText(issue)}`,
    `  events      ${issue.events} (${lastDay} in the last 24 hours), users ${issue.users}${issue.users_capped ? ' or more' : ''}`,
    `  seen        ${formatIsoTime(issue.first_seen)} to ${formatIsoTime(issue.last_seen)} UTC`,
    `  releases    ${sanitizeForTerminal(issue.first_release ?? '–')} to ${sanitizeForTerminal(issue.last_release ?? '–')}`,
    `  grouped by  ${grouping.source} (${grouping.algorithm}): ${grouping.parts.map((part) => sanitizeForTerminal(part)).join(' | ')}`,
    ...grouping.notes.map((note) => `              ${sanitizeForTerminal(note)}`),
  ];
  return lines.join('\n');
}

function tablesOf(issue: IssueDetailsView, events: readonly EventSummaryView[]): string {
  const text = (value: string | null, max: number): string | null =>
    value === null ? null : sanitizeForTerminal(value, max);
  return [
    section('Last events', events, {
      Event: 'event_id',
      'Received (UTC)': ({ received }) => formatIsoTime(received),
      Release: ({ release }) => text(release, 40),
      Environment: ({ environment }) => text(environment, 20),
    }),
    section('Activity', issue.activity, {
      'When (UTC)': ({ at }) => formatIsoTime(at),
      What: 'kind',
      From: ({ from }) => from || null,
      To: ({ to }) => to || null,
      Who: ({ actor }) => sanitizeForTerminal(actor, 40),
    }),
    section('Merges', issue.merges, {
      Merge: 'merge_id',
      Issues: ({ issue_ids: ids }) => ids.join(' '),
      'When (UTC)': ({ at }) => formatIsoTime(at),
      Who: ({ actor }) => sanitizeForTerminal(actor, 40),
      'Undone (UTC)': ({ undone_at: at }) => formatIsoTime(at),
    }),
  ].join('');
}

function section<View extends object>(title: string, views: readonly View[], columns: Columns<View>): string {
  return views.length === 0 ? '' : `\n${title}\n${formatViewTable(columns, views)}\n`;
}
