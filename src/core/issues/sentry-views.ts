import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { SentryEvent, SentryIssue } from '../../../schemas/sentry-api.ts';
import { listTags } from '../events/search-text.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Issue } from '../store/issues.ts';
import type { LiveEvent } from '../store/page-queries.ts';
import type { Project } from '../store/projects.ts';

/** Our issues have one number, which is also the short id. */
export function viewSentryIssue({ id, name }: Project, issue: Issue, pagesUrl: string): SentryIssue {
  return {
    id: String(issue.id),
    shortId: String(issue.id),
    title: issue.title,
    culprit: issue.culprit,
    permalink: `${pagesUrl}/issues/${issue.id}`,
    level: issue.level,
    status: issue.state.status,
    substatus: issue.state.substatus,
    platform: issue.platform,
    project: { id: String(id), slug: name, name },
    count: String(issue.eventsCount),
    userCount: issue.usersCount,
    firstSeen: formatTime(issue.firstSeenMs),
    lastSeen: formatTime(issue.lastSeenMs),
  };
}

/** Without a payload (it is damaged) the event has neither user nor tags. */
export function viewSentryEvent(event: LiveEvent, payload: string | undefined): SentryEvent {
  const read = payload === undefined ? null : (JSON.parse(payload) as NormalizedEvent);
  const tags = read === null ? [] : listTags(read);
  return {
    id: event.eventId,
    eventID: event.eventId,
    groupID: String(event.issueId),
    projectID: String(event.projectId),
    title: event.title,
    culprit: event.culprit,
    dateCreated: formatTime(event.receivedAtMs),
    user: viewUser(read?.user),
    tags: tags.map(([key, value]) => ({ key, value })),
  };
}

function viewUser(user: NormalizedEvent['user']): SentryEvent['user'] {
  if (user === undefined || user === null) return null;
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? `${value}` : null;
  const { id, username, email, ip_address } = user;
  return { id: text(id), username: text(username), email: text(email), ip_address: text(ip_address) };
}
