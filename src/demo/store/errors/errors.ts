// Everything that pages ask of errors and people, answered from the demo's world; and what a search finds of
// them.
import type { FoundThing, LiveStore, SearchStore } from '../../../core/store/workspace.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';
import { type Finders, holding, newestThings } from '../finding.ts';
import { type EventReads, eventReads } from './events.ts';
import { type FeedbackReads, feedbackReads } from './feedback.ts';
import { issueKeyReads } from './issue-keys.ts';
import { type IssueListReads, issueListReads } from './issue-lists.ts';
import { type IssuePageReads, type IssueReads, issuePageReads, issueReads } from './issue-pages.ts';
import { liveReads, type OverviewReads, overviewReads } from './live.ts';
import { type MemberReads, memberReads, type ProjectReads, projectReads } from './projects.ts';
import { type SeenReads, seenReads } from './seen.ts';

/** The reading methods of the store that errors and people answer. */
export type ErrorsReads = IssueListReads &
  IssuePageReads &
  IssueReads &
  EventReads &
  LiveStore &
  OverviewReads &
  FeedbackReads &
  SeenReads &
  ProjectReads &
  MemberReads &
  Pick<SearchStore, 'findEventsNamed'>;

/** These methods over a world. */
export function errorsReads(world: ErrorsWorld): ErrorsReads {
  return {
    ...issueListReads(world),
    ...issuePageReads(world),
    ...issueKeyReads(world),
    ...issueReads(world),
    ...eventReads(world),
    ...liveReads(world),
    ...overviewReads(world),
    ...feedbackReads(world),
    ...seenReads(world),
    ...projectReads(world),
    ...memberReads(world),
    ...eventFinder(world),
  };
}

/** Issues and reports by their words, and issues by their numbers. */
export function errorsFinders(world: ErrorsWorld): Finders {
  return {
    byKind: {
      issues: (projectIds, text, limit) => {
        const all = issueThings(world, projectIds);
        return newestThings(
          all.filter(({ title, place }) => holding([title, place], text)),
          limit,
        );
      },
      feedback: (projectIds, text, limit) => newestThings(reportThings(world, projectIds, text), limit),
    },
    named: (projectIds, name, limit) =>
      name.by !== 'number'
        ? []
        : issueThings(world, projectIds)
            .filter(({ id }) => id === name.value)
            .slice(0, limit),
  };
}

function reportThings(world: ErrorsWorld, projectIds: readonly number[], text: string): FoundThing[] {
  return world.reports
    .map(({ feedback }) => feedback)
    .filter(
      ({ projectId, spam, message, name, email, url }) =>
        !spam && projectIds.includes(projectId) && holding([message, name, email, url], text),
    )
    .map(({ id, projectId, message, url, createdAtMs }) => ({
      kind: 'feedback',
      id,
      projectId,
      title: message,
      place: url ?? '',
      state: '',
      atMs: createdAtMs,
    }));
}

function issueThings(world: ErrorsWorld, projectIds: readonly number[]): FoundThing[] {
  return projectIds
    .flatMap((id) => world.issuesOf(id))
    .map(({ issue }) => ({
      kind: 'issues',
      id: issue.id,
      projectId: issue.projectId,
      title: issue.title,
      place: issue.culprit,
      state: issue.level,
      atMs: issue.lastSeenMs,
    }));
}

function eventFinder(world: ErrorsWorld): Pick<SearchStore, 'findEventsNamed'> {
  return {
    async findEventsNamed(projectIds, eventId) {
      const place = world.storedById(eventId);
      if (place === null || !projectIds.includes(place.projectId)) return [];
      const { projectId, issueId, atMs: receivedAtMs, own } = place;
      return [{ projectId, issueId, eventId, title: own.bare.title, receivedAtMs }];
    },
  };
}
