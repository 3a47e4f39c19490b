// What umbrella reports ask of errors, answered from the demo's world.

import type { Activity } from '../../../core/store/issues.ts';
import type { OutcomeHour } from '../../../core/store/outcomes.ts';
import type { ReportStore } from '../../../core/store/reports/figures.ts';
import { sumOf } from '../../world/delivery/health.ts';
import type { DeliveryWorld } from '../../world/delivery/world.ts';
import type { WorldIssue } from '../../world/errors/issues.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';
import { outcomesOf } from './live.ts';

/** The store of reports over a world of errors, and one of what was delivered. */
export function reportReads(world: ErrorsWorld, delivery: DeliveryWorld): ReportStore {
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
            feedback: world.reports.filter(
              ({ feedback: each }) =>
                each.projectId === projectId && each.state !== 'spam' && within(each.createdAtMs),
            ).length,
            ...sessionsOf(delivery.health(projectId).filter(({ hourMs }) => within(hourMs))),
            ...arrivedOf(outcomesOf(world, projectId, fromMs, toMs)),
            ...deliveredOf(delivery, (each) => each.projectId === projectId && within(each.createdAtMs)),
          };
        })
        .filter(({ projectId: _id, ...figures }) => Object.values(figures).some((figure) => figure > 0));
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

function sessionsOf(hours: Parameters<typeof sumOf>[0]) {
  const { sessions, crashed } = sumOf(hours);
  return { sessions, crashedSessions: crashed };
}

/** What clients dropped never arrived. */
function arrivedOf(rows: readonly OutcomeHour[]) {
  const sumOfRows = (of: (row: OutcomeHour) => boolean): number =>
    rows.filter(of).reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    sent: sumOfRows(({ outcome }) => outcome !== 'client_discard'),
    kept: sumOfRows(({ outcome }) => outcome === 'accepted'),
  };
}

function deliveredOf(
  world: DeliveryWorld,
  isMeant: (each: { readonly projectId: number; readonly createdAtMs: number }) => boolean,
) {
  const deploys = world.deploys.filter(isMeant);
  const runs = world.runs.filter(isMeant);
  const total = (of: (run: (typeof runs)[number]) => number): number =>
    runs.reduce((sum, run) => sum + of(run), 0);
  return {
    releases: world.releases.filter(isMeant).length,
    deploys: deploys.length,
    failedDeploys: deploys.filter(({ status }) => status === 'failure' || status === 'error').length,
    testRuns: runs.length,
    failedRuns: runs.filter(({ status }) => status === 'failed' || status === 'error').length,
    tests: total(({ tests, skipped }) => tests - skipped),
    passedTests: total(({ passed }) => passed),
  };
}
