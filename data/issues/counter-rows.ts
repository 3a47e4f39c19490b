import type { Level } from '../../schemas/event.ts';
import { integer, tableOf, text } from '../table.ts';

/** Events that are neither fatal, warning, info nor debug are errors. */
export const hours = tableOf('issue_hours', {
  projectId: integer,
  issueId: integer,
  hourMs: integer,
  events: integer,
  fatal: integer,
  warning: integer,
  info: integer,
  debug: integer,
});
export const addedToHour = hours.mergeOn({ key: ['projectId', 'issueId', 'hourMs'], otherwise: 'sum' });

/** `sign` is -1 for events that leave the issue. */
export function eventCounts(events: ReadonlyArray<{ readonly level: Level }>, sign: 1 | -1 = 1) {
  const of = (level: Level): number => sign * events.filter((event) => event.level === level).length;
  const levels = { fatal: of('fatal'), warning: of('warning'), info: of('info'), debug: of('debug') };
  return { events: sign * events.length, ...levels };
}

export const issueReleases = tableOf('issue_releases', {
  projectId: integer,
  release: text,
  environment: text,
  issueId: integer,
  events: integer,
  firstSeenMs: integer,
  lastSeenMs: integer,
});
export const addedToIssueRelease = issueReleases.mergeOn({
  key: ['projectId', 'release', 'environment', 'issueId'],
  otherwise: 'sum',
  rules: { firstSeenMs: 'least', lastSeenMs: 'greatest' },
});

export const users = tableOf('issue_users', { projectId: integer, issueId: integer, userHash: text });
