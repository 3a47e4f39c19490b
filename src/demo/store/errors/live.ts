// The live tail and the overview of the demo: what passed by last, and how it stands with what is open.
import { hourOf } from '../../../core/reading/spans.ts';
import type { Issue } from '../../../core/store/issues.ts';
import type { OutcomeHour } from '../../../core/store/outcomes.ts';
import type { LiveEvent, LiveStore, OverviewStore, SeenIssue } from '../../../core/store/workspace.ts';
import { outcomeHours } from '../../world/errors/outcomes.ts';
import type { StoredPlace } from '../../world/errors/stored.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';

/** What the live tail reads. */
export function liveReads(world: ErrorsWorld): LiveStore {
  return {
    rowsInOrder: true,
    eventWriters: async () => [],
    newestEventRow: async () => world.stored.at(-1)?.row ?? 0,
    async listEventsFrom(row, limit) {
      return world.stored
        .filter((place) => place.row >= row)
        .slice(0, limit)
        .map(liveEvent);
    },
    async listEventsBetween(afterRow, upToRow, { projectId, level }, limit) {
      return world.stored
        .filter(
          (place) =>
            place.row > afterRow &&
            place.row <= upToRow &&
            (projectId === null || place.projectId === projectId) &&
            (level === null || place.own.bare.level === level),
        )
        .reverse()
        .slice(0, limit)
        .map(liveEvent);
    },
    async sumOutcomes(projectIds, fromMs, toMs) {
      return projectIds.flatMap((projectId) => {
        const rows = outcomesOf(world, projectId, hourOf(fromMs), toMs);
        const events = rows.filter(({ category }) => category === 'error');
        const sums = Map.groupBy(events, ({ outcome, reason }) => `${outcome} ${reason}`);
        return [...sums]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .flatMap(([, same]) => {
            const [first] = same;
            if (first === undefined) return [];
            const quantity = same.reduce((sum, row) => sum + row.quantity, 0);
            return [{ projectId, outcome: first.outcome, reason: first.reason, quantity }];
          });
      });
    },
  };
}

/** What became of what was sent to a project. */
export function outcomesOf(
  world: ErrorsWorld,
  projectId: number,
  fromMs: number,
  toMs: number,
): OutcomeHour[] {
  const issues = world.issuesOf(projectId).flatMap(({ group }) => group);
  const { seed, nowMs, reports } = world;
  return outcomeHours(seed, projectId, { issues, reports, nowMs }, fromMs, toMs);
}

function liveEvent({ row, projectId, issueId, eventId, atMs, own }: StoredPlace): LiveEvent {
  const { level, title, culprit } = own.bare;
  return { row, projectId, issueId, eventId, receivedAtMs: atMs, level, title, culprit };
}

/** What this file answers. */
export type OverviewReads = Pick<
  OverviewStore,
  'countOpenIssues' | 'listSeenIssues' | 'sliceIssueEvents' | 'newestReports'
>;

/** What the overview reads of issues and reports. */
export function overviewReads(world: ErrorsWorld): OverviewReads {
  const headsOf = (projectIds: readonly number[]) =>
    projectIds.flatMap((id) => world.issuesOf(id).map(({ issue }) => issue));
  return {
    async countOpenIssues(projectIds, sinceMs) {
      const all = headsOf(projectIds);
      const open = all.filter(({ state }) => state.status === 'unresolved');
      return {
        open: open.length,
        new: open.filter(({ firstSeenMs }) => firstSeenMs >= sinceMs).length,
        regressed: open.filter(({ state }) => state.substatus === 'regressed').length,
        all: all.length,
      };
    },
    async listSeenIssues(projectIds, sinceMs, limit) {
      return headsOf(projectIds)
        .filter(({ state, lastSeenMs }) => state.status === 'unresolved' && lastSeenMs >= sinceMs)
        .map(seenOf)
        .sort(
          (one, other) =>
            rankOf(one, sinceMs) - rankOf(other, sinceMs) ||
            other.lastSeenMs - one.lastSeenMs ||
            other.id - one.id,
        )
        .slice(0, limit);
    },
    async sliceIssueEvents(issueIds, { fromMs, toMs, sliceMs }) {
      return issueIds.flatMap((issueId) =>
        Array.from({ length: Math.ceil((toMs - fromMs) / sliceMs) }, (_, slice) => {
          const startMs = fromMs + slice * sliceMs;
          const endMs = Math.min(toMs, startMs + sliceMs);
          return { issueId, slice, events: world.eventsOf(issueId, startMs, endMs) };
        }).filter(({ events }) => events > 0),
      );
    },
    async newestReports(projectIds, limit) {
      return world.reports
        .filter(({ feedback }) => !feedback.spam && projectIds.includes(feedback.projectId))
        .slice(0, limit)
        .map(({ feedback: { id, projectId, message, domain, createdAtMs } }) => ({
          id,
          projectId,
          message,
          domain: domain ?? '',
          createdAtMs,
        }));
    },
  };
}

function seenOf(issue: Issue): SeenIssue {
  const { id, projectId, title, culprit, level, state, firstSeenMs, lastSeenMs, usersCount: users } = issue;
  const { substatus } = state;
  return { id, projectId, title, culprit, level, substatus, firstSeenMs, lastSeenMs, users };
}

function rankOf({ substatus, level, firstSeenMs }: SeenIssue, sinceMs: number): number {
  if (substatus === 'regressed') return 0;
  if (level === 'fatal') return 1;
  return firstSeenMs >= sinceMs ? 2 : 3;
}
