// What umbrella reports ask of errors, answered from the demo's world.

import type { Activity } from '../../core/store/issues.ts';
import type { ReportStore } from '../../core/store/uptime/reports.ts';
import type { WorldIssue } from '../world/errors/issues.ts';
import type { ErrorsWorld } from '../world/errors/world.ts';

/** The store of reports over a world. */
export function reportReads(world: ErrorsWorld): ReportStore {
  return {
    async projectMoves(projectIds, range) {
      const { fromMs, toMs } = range;
      const within = (atMs: number): boolean => atMs >= fromMs && atMs < toMs;
      const acted = ({ acts }: WorldIssue, kind: Activity['kind']): boolean =>
        acts.some((act) => act.kind === kind && within(act.atMs));
      return projectIds
        .map((projectId) => {
          const issues = world.issuesOf(projectId);
          return {
            projectId,
            events: issues.reduce((sum, { issue }) => sum + world.eventsOf(issue.id, fromMs, toMs), 0),
            newIssues: issues.filter(({ issue }) => within(issue.firstSeenMs)).length,
            resolvedIssues: issues.filter((issue) => acted(issue, 'resolved')).length,
            regressedIssues: issues.filter((issue) => acted(issue, 'regressed')).length,
          };
        })
        .filter(({ events, newIssues, resolvedIssues }) => events + newIssues + resolvedIssues > 0);
    },
    async busiestIssues(projectIds, { fromMs, toMs }, limit) {
      return projectIds
        .flatMap((projectId) => world.issuesOf(projectId))
        .map(({ issue: { id, projectId, title, culprit, level } }) => ({
          id,
          projectId,
          title,
          culprit,
          level,
          events: world.eventsOf(id, fromMs, toMs),
        }))
        .filter(({ events }) => events > 0)
        .sort((one, other) => other.events - one.events || one.id - other.id)
        .slice(0, limit);
    },
  };
}
