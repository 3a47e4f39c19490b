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
import { formatIsoTime, formatViewTable, sanitizeForTerminal } from '../print.ts';
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
  async run(context, words) {
    const rows = parseLimit(words);
    const query = parseRequest(issuesQuery, readFieldValues(words, filters));
    const deps = await context.deps();
    const project = await getSelectedProject(deps, words);
    const scope = { projectIds: [project.id], of: 'issues', memberId: null } as const;
    const terms = await requireSearch(deps, query.query, scope);
    const page = await deps.store.listIssues(project.id, { ...toIssueFilter(query), terms, ...rows });
    const issues = await viewIssues(deps, page.rows);
    const strange = issues.length === 0 ? findFilterLikeWords(words.text('search') ?? '') : [];
    if (strange.length > 0) {
      const quoted = strange.map((word) => `"${sanitizeForTerminal(word, 60)}"`).join(', ');
      context.err(`${quoted}: searched as text. To filter, use --query.\n`);
    }
    printHiddenRowCount(context, issues.length, page.total, 'issues');
    return { json: issues, text: issues.length === 0 ? 'No issues.' : issueTable(issues) };
  },
};

const issueShow: Command = {
  name: 'issue show',
  onlyReads: true,
  summary: 'Show one issue with its statistics, grouping, latest events, activity and merges.',
  usage: 'ISSUE_ID [--project NAME]',
  options: ownerOption,
  examples: ['issue show 7'],
  async run(context, words) {
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, words, words.positionals[0]);
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
  run(context, words) {
    const kind = impliedBy(words, 'in', ['release']);
    return changeNamedIssues(context, words, {
      status: 'resolved',
      in: kind,
      release: words.text('release'),
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
  run(context, words) {
    const until = impliedBy(words, 'until', ['date', 'count', 'users']);
    if (words.text('window') !== undefined && until !== 'count') {
      throw new UsageError('--window requires --count.');
    }
    const names = ['date', 'count', 'window', 'users'];
    const given = Object.fromEntries(names.map((name) => [name, words.text(name)]));
    return changeNamedIssues(context, words, { status: 'ignored', until, ...given });
  },
};

const issueReopen: Command = {
  name: 'issue reopen',
  summary: 'Reopen resolved or ignored issues.',
  usage: '[ISSUE_ID]… [--query QUERY] [--project NAME]',
  options: { ...queryOption, ...ownerOption },
  examples: ['issue reopen 7'],
  run: (context, words) => changeNamedIssues(context, words, { status: 'unresolved' }),
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
  run(context, words) {
    const to = words.text('to');
    if (to === undefined) throw new UsageError('--to is required.');
    return changeNamedIssues(context, words, { assigned_to: to === 'nobody' ? null : to });
  },
};

const issueMerge: Command = {
  name: 'issue merge',
  summary: 'Merge other issues into one, with their future events. `issue unmerge` undoes it.',
  usage: 'INTO_ISSUE_ID OTHER_ISSUE_ID… [--project NAME]',
  options: ownerOption,
  examples: ['issue merge 7 9 12'],
  async run(context, words) {
    const [into, ...others] = words.positionals;
    // All ids are looked up before the merge, so that an error names the wrong id.
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, words, into);
    const issues = [found];
    for (const other of others) issues.push((await getOwnedIssue(deps, words, other)).found);
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
  async run(context, words) {
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, words, words.positionals[0]);
    const mergeId = words.positionals[1] ?? (await lastMerge(deps, project, found));
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
  const inside = issues.find((issue) => issue.id !== head);
  throw new CommandError(
    inside === undefined
      ? `Issue ${head} cannot be merged into itself.`
      : `Issue ${inside.id} is already merged into issue ${head}.`,
  );
}

type Given = Readonly<Record<string, string | null | undefined>>;

/** The kind that is implied by the option given with it. Throws UsageError if two options conflict. */
function impliedBy(words: ParsedArgs, option: string, kinds: readonly string[]): string | undefined {
  const given = kinds.filter((kind) => words.text(kind) !== undefined);
  const [first, second] = given;
  if (second !== undefined) throw new UsageError(`--${first} and --${second} cannot be used together.`);
  const value = words.text(option);
  if (value !== undefined && first !== undefined && value !== first) {
    throw new UsageError(`--${first} requires --${option} ${first}, not --${option} ${value}.`);
  }
  return value ?? first;
}

async function changeNamedIssues(
  context: CommandContext,
  words: ParsedArgs,
  given: Given,
): Promise<CommandResult> {
  const query = words.text('query');
  const [first] = words.positionals;
  if (query !== undefined && first !== undefined) {
    throw new UsageError('--query cannot be used together with issue IDs.');
  }
  if (query !== undefined) return changeMatchingIssues(context, words, { ...given, query });
  if (first === undefined) throw new UsageError('Give ISSUE_ID… or --query QUERY.');
  const deps = await context.deps();
  const targets = [];
  for (const word of words.positionals) {
    const { project, found } = await getOwnedIssue(deps, words, word);
    targets.push({ project, issueId: found.id });
  }
  return changeIssues(context, targets, given);
}

async function changeMatchingIssues(
  context: CommandContext,
  words: ParsedArgs,
  given: Given,
): Promise<CommandResult> {
  const input = parseRequest(issueBulkRequest, given);
  const deps = await context.deps();
  const project = await getSelectedProject(deps, words);
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
  given: Given,
): Promise<CommandResult> {
  const changes = parseRequest(issueChangeRequest, given);
  const deps = await context.deps();
  const changed = [];
  for (const { project, issueId } of targets) {
    await updateIssue(deps, project, issueId, changes, commandLineSource);
    changed.push(await viewIssueDetails(deps, project.id, issueId));
  }
  return { json: changed, text: issueTable(changed) };
}

async function lastMerge(deps: Deps, project: Project, issue: Issue): Promise<string> {
  const merges = await deps.store.listMerges(project.id, issue.mergedInto ?? issue.id);
  const standing = merges.find((merge) => merge.undoneAtMs === null);
  if (standing === undefined) throw new CommandError(`Nothing is merged into issue ${issue.id}.`);
  return String(standing.id);
}

/** Throws CommandError if no project has the issue, or several have. */
function getOwnedIssue(
  deps: Deps,
  words: ParsedArgs,
  word = '',
): Promise<{ project: Project; found: Issue }> {
  const id = parseId(word);
  return getWithProject(deps, words, `issue "${word}"`, async (project) =>
    id === null ? null : deps.store.findIssue(project.id, id),
  );
}

function issueTable(issues: readonly IssueView[]): string {
  return formatViewTable(
    {
      ...{ ID: 'issue_id', Level: 'level' },
      Title: ({ title }) => sanitizeForTerminal(title, 60),
      Where: ({ culprit }) => sanitizeForTerminal(culprit, 40),
      ...{ State: stateText, Events: 'events', Users: 'users' },
      'First seen (UTC)': (issue) => formatIsoTime(issue.first_seen),
      'Last seen (UTC)': (issue) => formatIsoTime(issue.last_seen),
    },
    issues,
  );
}

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
  const last = formatViewTable(
    {
      Event: 'event_id',
      'Received (UTC)': ({ received }) => formatIsoTime(received),
      Release: ({ release }) => text(release, 40),
      Environment: ({ environment }) => text(environment, 20),
    },
    events,
  );
  const history = formatViewTable(
    {
      'When (UTC)': ({ at }) => formatIsoTime(at),
      What: 'kind',
      From: ({ from }) => from || null,
      To: ({ to }) => to || null,
      Who: ({ actor }) => sanitizeForTerminal(actor, 40),
    },
    issue.activity,
  );
  const merges = formatViewTable(
    {
      Merge: 'merge_id',
      Issues: ({ issue_ids: ids }) => ids.join(' '),
      'When (UTC)': ({ at }) => formatIsoTime(at),
      Who: ({ actor }) => sanitizeForTerminal(actor, 40),
      'Undone (UTC)': ({ undone_at: at }) => (at === null ? null : formatIsoTime(at)),
    },
    issue.merges,
  );
  return [
    events.length === 0 ? '' : `\nLast events\n${last}\n`,
    issue.activity.length === 0 ? '' : `\nActivity\n${history}\n`,
    issue.merges.length === 0 ? '' : `\nMerges\n${merges}\n`,
  ].join('');
}
