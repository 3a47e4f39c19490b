import type { Grouping, IssueStatus, IssueSubstatus } from '../../src/core/store/events.ts';
import type {
  Activity,
  IgnoreCondition,
  Issue,
  IssueState,
  Resolution,
} from '../../src/core/store/issues.ts';
import type { Query } from '../db.ts';
import {
  type Column,
  defaulted,
  flag,
  integer,
  json,
  named,
  nullable,
  oneOf,
  type RowOf,
  tableOf,
  text,
} from '../table.ts';

const groupingOfIssue: Column<Grouping> = {
  type: 'text',
  encode: ({ algorithm, source, parts, notes, hash, frames }) =>
    JSON.stringify({ algorithm, source, parts, notes, hash, frames }),
  decode: (stored) => JSON.parse(stored as string) as Grouping,
};

export const issues = tableOf('issues', {
  id: defaulted(integer),
  projectId: integer,
  mergedInto: defaulted(nullable(integer)),
  isOverflow: flag,
  title: text,
  culprit: text,
  level: oneOf<Issue['level']>(),
  platform: text,
  grouping: groupingOfIssue,
  status: oneOf<IssueStatus>(),
  substatus: nullable(oneOf<IssueSubstatus>()),
  resolvedIn: defaulted(nullable(text)),
  resolvedRelease: defaulted(nullable(text)),
  ignoredUntil: defaulted(nullable(text)),
  ignoredUntilMs: defaulted(nullable(integer)),
  ignoredAmount: defaulted(nullable(integer)),
  ignoredWindowMs: defaulted(nullable(integer)),
  ignoredEventsBefore: defaulted(nullable(integer)),
  ignoredUsersBefore: defaulted(nullable(integer)),
  stateChangedAtMs: integer,
  regressionsCount: integer,
  eventsCount: integer,
  usersCount: integer,
  firstSeenMs: integer,
  lastSeenMs: integer,
  ownEventsCount: integer,
  ownUsersCount: integer,
  ownFirstSeenMs: integer,
  ownLastSeenMs: integer,
  firstRelease: nullable(text),
  lastRelease: nullable(text),
  searchText: nullable(text),
  assignedTo: defaulted(nullable(integer)),
  assignedTeam: defaulted(nullable(integer)),
  evictedEvents: defaulted(integer),
  overflowOf: text,
});

export const states = issues.only(
  'status',
  'substatus',
  'resolvedIn',
  'resolvedRelease',
  'ignoredUntil',
  'ignoredUntilMs',
  'ignoredAmount',
  'ignoredWindowMs',
  'ignoredEventsBefore',
  'ignoredUsersBefore',
  'stateChangedAtMs',
);
export type StateRow = RowOf<typeof states>;

export const listedIssues = issues.without(
  'ownEventsCount',
  'ownUsersCount',
  'ownFirstSeenMs',
  'ownLastSeenMs',
  'searchText',
  'evictedEvents',
  'overflowOf',
);

export const activities = tableOf('issue_activity', {
  id: defaulted(integer),
  projectId: integer,
  issueId: integer,
  kind: oneOf<Activity['kind']>(),
  actor: text,
  atMs: integer,
  from: named('from_state', text),
  to: named('to_state', text),
  eventId: nullable(text),
  release: nullable(text),
  detail: json<Readonly<Record<string, unknown>>>(),
}).without('projectId');

export const comments = tableOf('issue_comments', {
  id: defaulted(integer),
  projectId: integer,
  issueId: integer,
  memberId: nullable(integer),
  author: text,
  atMs: integer,
  body: text,
}).without('projectId');

export function ofIssue(projectId: number, issueId: number) {
  return { where: 'project_id = $1 AND id = $2', values: [projectId, issueId] };
}

export function issueOf(row: RowOf<typeof listedIssues>): Issue {
  const { status, substatus, resolvedIn, resolvedRelease, ignoredUntil, ignoredUntilMs, ...more } = row;
  const { ignoredAmount, ignoredWindowMs, ignoredEventsBefore, ignoredUsersBefore, ...rest } = more;
  const { stateChangedAtMs, ...issue } = rest;
  return { ...issue, state: stateOf(row) };
}

export function stateOf(row: StateRow): IssueState {
  return {
    status: row.status,
    substatus: row.substatus,
    resolution: resolutionOf(row),
    ignore: ignoreOf(row),
    changedAtMs: row.stateChangedAtMs,
  };
}

export async function writeState(
  tx: Query,
  projectId: number,
  issueId: number,
  state: IssueState,
): Promise<void> {
  await issues.update(tx, rowOfState(state), {
    where: 'project_id = $1 AND id = $2',
    values: [projectId, issueId, Number(state.substatus === 'regressed')],
    extraAssignment: 'regressions_count = regressions_count + $3',
  });
}

/** As activities show it: `unresolved/new`, `resolved`, `ignored`. */
export function stateWord(state: IssueState): string {
  return state.substatus === null ? state.status : `${state.status}/${state.substatus}`;
}

function resolutionOf({ resolvedIn, resolvedRelease }: StateRow): Resolution | null {
  if (resolvedIn === null) return null;
  if (resolvedIn === 'next_release') return { in: 'next_release', after: resolvedRelease };
  return resolvedIn === 'release' && resolvedRelease !== null
    ? { in: 'release', release: resolvedRelease }
    : { in: 'now' };
}

function ignoreOf(row: StateRow): IgnoreCondition | null {
  if (row.ignoredUntil === null) return null;
  if (row.ignoredUntil === 'date') return { until: 'date', atMs: row.ignoredUntilMs ?? 0 };
  if (row.ignoredUntil === 'users') {
    return { until: 'users', users: row.ignoredAmount ?? 0, usersBefore: row.ignoredUsersBefore ?? 0 };
  }
  if (row.ignoredUntil !== 'count') return { until: 'forever' };
  return {
    until: 'count',
    count: row.ignoredAmount ?? 0,
    windowMs: row.ignoredWindowMs,
    eventsBefore: row.ignoredEventsBefore ?? 0,
  };
}

function rowOfState({ status, substatus, resolution, ignore, changedAtMs }: IssueState): StateRow {
  const count = ignore?.until === 'count' ? ignore : null;
  const users = ignore?.until === 'users' ? ignore : null;
  return {
    status,
    substatus,
    resolvedIn: resolution?.in ?? null,
    resolvedRelease: resolution === null ? null : releaseOf(resolution),
    ignoredUntil: ignore?.until ?? null,
    ignoredUntilMs: ignore?.until === 'date' ? ignore.atMs : null,
    ignoredAmount: count?.count ?? users?.users ?? null,
    ignoredWindowMs: count?.windowMs ?? null,
    ignoredEventsBefore: count?.eventsBefore ?? null,
    ignoredUsersBefore: users?.usersBefore ?? null,
    stateChangedAtMs: changedAtMs,
  };
}

function releaseOf(resolution: Resolution): string | null {
  if (resolution.in === 'now') return null;
  return resolution.in === 'next_release' ? resolution.after : resolution.release;
}
