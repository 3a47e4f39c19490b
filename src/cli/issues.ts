// `issue list|show`, `event show`: what arrived, for people at a terminal.

import { parseEventId } from '../core/event-id.ts';
import type { Issue, StoredEvent } from '../core/issue-store.ts';
import {
  type Command,
  CommandFailure,
  chosenProject,
  exitCodes,
  printable,
  projectOption,
  table,
  timeText,
  UsageError,
} from './command.ts';

const statuses = ['unresolved', 'resolved', 'ignored'] as const;
const listedMax = 100;
const eventsShownMax = 10;

export const issueList: Command = {
  name: 'issue list',
  summary: 'Lists the issues of a project, the last seen first.',
  usage: '[--status unresolved] [--search TEXT] [--limit 50] [--project NAME]',
  options: {
    status: { type: 'string', help: 'unresolved, resolved or ignored (default: all)' },
    search: { type: 'string', help: 'text in the title or the culprit' },
    limit: { type: 'string', help: `how many at most, 1 to ${listedMax} (default 50)` },
    ...projectOption,
  },
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const limit = limitOf(words.text('limit'));
    const status = statuses.find((each) => each === words.text('status'));
    if (words.text('status') !== undefined && status === undefined) {
      throw new UsageError(`--status is one of ${statuses.join(', ')}.`);
    }
    const deps = await context.deps();
    const project = await chosenProject(deps, words);
    const search = words.text('search');
    const page = await deps.store.listIssues(project.id, {
      ...(status === undefined ? {} : { status }),
      ...(search === undefined ? {} : { search }),
      orderBy: 'last_seen',
      descending: true,
      limit,
      offset: 0,
    });
    if (words.flag('json')) {
      context.out(`${JSON.stringify(page.rows.map(issueJson), null, 2)}\n`);
      return exitCodes.fine;
    }
    const rows = page.rows.map((issue) => [
      issue.id,
      issue.level,
      printable(issue.title, 60),
      printable(issue.culprit, 40),
      stateText(issue),
      issue.eventsCount,
      issue.usersCount,
      timeText(issue.firstSeenMs),
      timeText(issue.lastSeenMs),
    ]);
    const headings = [
      'ID',
      'Level',
      'Title',
      'Where',
      'State',
      'Events',
      'Users',
      'First seen (UTC)',
      'Last seen (UTC)',
    ];
    context.out(page.total === 0 ? 'No issues.\n' : `${table(headings, rows)}\n`);
    if (page.total > page.rows.length)
      context.out(`${page.rows.length} of ${page.total} issues; see --limit and --search.\n`);
    return exitCodes.fine;
  },
};

export const issueShow: Command = {
  name: 'issue show',
  summary: 'Shows one issue: its figures, why its events belong together, its last events and its history.',
  usage: 'ISSUE_ID [--project NAME]',
  options: { ...projectOption },
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const project = await chosenProject(deps, words);
    const word = words.positionals[0] ?? '';
    const issue = /^\d{1,15}$/.test(word) ? await deps.store.findIssue(project.id, Number(word)) : null;
    if (issue === null)
      throw new CommandFailure(`There is no issue "${printable(word)}" in "${project.name}".`);
    const recent = { descending: true, limit: eventsShownMax, offset: 0 };
    const events = await deps.store.listIssueEvents(project.id, issue.id, recent);
    const activity = await deps.store.listIssueActivity(project.id, issue.id, { limit: 50, offset: 0 });
    if (words.flag('json')) {
      const answer = {
        ...issueJson(issue),
        grouping: issue.grouping,
        last_events: events?.rows ?? [],
        activity: activity.rows,
      };
      context.out(`${JSON.stringify(answer, null, 2)}\n`);
      return exitCodes.fine;
    }
    context.out(`${issueText(issue)}\n`);
    const eventRows = (events?.rows ?? []).map((event) => [
      event.eventId,
      timeText(event.receivedAtMs),
      event.release === null ? null : printable(event.release, 40),
      event.environment === null ? null : printable(event.environment, 20),
    ]);
    context.out(
      `\nLast events\n${table(['Event', 'Received (UTC)', 'Release', 'Environment'], eventRows)}\n`,
    );
    if (activity.total > 0) {
      const rows = activity.rows.map((each) => [
        timeText(each.atMs),
        each.kind,
        each.from,
        each.to,
        printable(each.actor, 30),
      ]);
      context.out(`\nHistory\n${table(['When (UTC)', 'What', 'From', 'To', 'Who'], rows)}\n`);
    }
    return exitCodes.fine;
  },
};

export const eventShow: Command = {
  name: 'event show',
  summary: 'Shows one event: what it said, its stack, and what was set aside while reading it.',
  usage: 'EVENT_ID [--project NAME]',
  options: { ...projectOption },
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const project = await chosenProject(deps, words);
    const eventId = parseEventId(words.positionals[0] ?? '');
    const event = eventId === null ? null : await deps.store.findEvent(project.id, eventId);
    if (event === null) throw new CommandFailure(`There is no such event in "${project.name}".`);
    if (words.flag('json')) {
      const answer = {
        ...JSON.parse(event.payload),
        issue_id: event.issueId,
        grouping: event.grouping,
        errors: event.errors,
      };
      context.out(`${JSON.stringify(answer, null, 2)}\n`);
      return exitCodes.fine;
    }
    context.out(`${eventText(event)}\n`);
    return exitCodes.fine;
  },
};

function limitOf(text: string | undefined): number {
  const limit = Number(text ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > listedMax) {
    throw new UsageError(`--limit is a whole number from 1 to ${listedMax}.`);
  }
  return limit;
}

function stateText(issue: Issue): string {
  return issue.state.substatus ?? issue.state.status;
}

function issueJson(issue: Issue): Record<string, unknown> {
  return {
    issue_id: issue.id,
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    platform: issue.platform,
    state: issue.state,
    events: issue.eventsCount,
    users: issue.usersCount,
    first_seen: new Date(issue.firstSeenMs).toISOString(),
    last_seen: new Date(issue.lastSeenMs).toISOString(),
    first_release: issue.firstRelease,
    last_release: issue.lastRelease,
  };
}

function issueText(issue: Issue): string {
  const { grouping } = issue;
  return [
    `Issue ${issue.id}  ${printable(issue.title)}`,
    `  where       ${printable(issue.culprit) || '–'}`,
    `  level       ${issue.level}, platform ${printable(issue.platform)}`,
    `  state       ${stateText(issue)}`,
    `  events      ${issue.eventsCount}, users ${issue.usersCount}`,
    `  seen        ${timeText(issue.firstSeenMs)} to ${timeText(issue.lastSeenMs)} UTC`,
    `  releases    ${printable(issue.firstRelease ?? '–')} to ${printable(issue.lastRelease ?? '–')}`,
    `  grouped by  ${grouping.source} (${grouping.algorithm}): ${grouping.parts.map((part) => printable(part)).join(' | ')}`,
    ...grouping.notes.map((note) => `              ${printable(note)}`),
  ].join('\n');
}

interface ShownFrame {
  readonly filename?: string;
  readonly function?: string;
  readonly lineno?: number;
  readonly colno?: number;
}

interface ShownPayload {
  readonly exception?: {
    readonly values: ReadonlyArray<{
      type?: string;
      value?: string;
      stacktrace?: { frames?: readonly ShownFrame[] };
    }>;
  };
}

function eventText(event: StoredEvent): string {
  const payload = JSON.parse(event.payload) as ShownPayload;
  const lines = [
    `Event ${event.eventId} of issue ${event.issueId}`,
    `  ${printable(event.title)}`,
    `  received    ${timeText(event.receivedAtMs)} UTC, occurred ${timeText(event.timestampMs)} UTC`,
    `  level       ${event.level}, platform ${printable(event.platform)}`,
    `  release     ${printable(event.release ?? '–')}, environment ${printable(event.environment ?? '–')}`,
    `  client      ${printable(`${event.sdkName ?? '–'} ${event.sdkVersion ?? ''}`)}`,
    `  filtered    ${event.scrubbedCount} values`,
  ];
  for (const exception of [...(payload.exception?.values ?? [])].reverse()) {
    lines.push('', printable(`${exception.type ?? 'Error'}: ${exception.value ?? ''}`));
    for (const frame of [...(exception.stacktrace?.frames ?? [])].reverse().slice(0, 50)) {
      const place = [frame.filename ?? '?', frame.lineno, frame.colno]
        .filter((each) => each !== undefined)
        .join(':');
      lines.push(`    at ${printable(frame.function ?? '(anonymous)', 80)}  ${printable(place, 120)}`);
    }
  }
  for (const error of event.errors)
    lines.push('', `  set aside: ${printable(error.name)} (${printable(error.type)})`);
  return lines.join('\n');
}
