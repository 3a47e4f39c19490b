// Projects, keys, what was sent to them, and who may come in, as the store answers it for the demo.

import { foldText } from '../../../core/reading/fold-text.ts';
import { dayMs, hourMs, hourOf } from '../../../core/reading/spans.ts';
import type { ProjectStatistics, SdkStatisticsStore } from '../../../core/store/counts/sdk-statistics.ts';
import type { MemberStore } from '../../../core/store/members.ts';
import type { OutcomeStore } from '../../../core/store/outcomes.ts';
import type { KeyStore, ProjectKey, ProjectStore, SettingStore } from '../../../core/store/projects.ts';
import { keptSetting } from '../../../core/store/storage/setting-names.ts';
import type { PlaceCounts, WorkspaceStore } from '../../../core/store/workspace.ts';
import { demoProjects } from '../../world/company.ts';
import { worldKeys, worldMembers, worldProjects } from '../../world/errors/people.ts';
import { kits } from '../../world/errors/told/surroundings.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';
import { outcomesOf } from './live.ts';

/** What this file answers. */
export type ProjectReads = Pick<ProjectStore, 'listProjects' | 'findProject' | 'findProjectByName'> &
  Pick<KeyStore, 'listKeys' | 'listEndingKeys'> &
  Pick<SettingStore, 'findSetting'> &
  Pick<OutcomeStore, 'listOutcomes'> &
  Pick<SdkStatisticsStore, 'projectStatistics'> &
  Pick<WorkspaceStore, 'arrivals' | 'countStoredEvents' | 'recentPlatforms'>;

/** Hours that one look answers. */
const outcomeHoursMax = 24 * 100;

/** The reads of projects. */
export function projectReads(world: ErrorsWorld): ProjectReads {
  const keysOf = (projectId: number): ProjectKey[] => {
    const project = demoProjects.find(({ id }) => id === projectId);
    return project === undefined ? [] : worldKeys(world.seed, project, lastEventAtMs(world, projectId));
  };
  return {
    listProjects: async () => [...worldProjects],
    findProject: async (id) => worldProjects.find((project) => project.id === id) ?? null,
    findProjectByName: async (name) => worldProjects.find((project) => project.name === name) ?? null,
    listKeys: async (projectId) => keysOf(projectId),
    listEndingKeys: async (projectIds, fromMs, toMs, limit) =>
      projectIds
        .flatMap(keysOf)
        .flatMap(({ id, projectId, prefix, lastFour, expiresAtMs: endsAtMs, revokedAtMs }) =>
          endsAtMs === null || revokedAtMs !== null || endsAtMs <= fromMs || endsAtMs >= toMs
            ? []
            : [{ id, projectId, prefix, lastFour, endsAtMs }],
        )
        .toSorted((one, other) => one.endsAtMs - other.endsAtMs)
        .slice(0, limit),
    // Nothing of the demo goes.
    findSetting: async (name) => (name === keptSetting ? 'demo' : null),
    async listOutcomes(projectId, fromMs, toMs) {
      return outcomesOf(world, projectId, Math.max(fromMs, toMs - outcomeHoursMax * hourMs), toMs);
    },
    projectStatistics: async (projectId) => statisticsOf(world, projectId),
    async arrivals(projectIds) {
      return { hasEvents: projectIds.some((id) => world.issuesOf(id).length > 0) };
    },
    countStoredEvents: async (projectId) =>
      world.stored.filter((place) => place.projectId === projectId).length,
    recentPlatforms: async (projectId) =>
      [...new Set(world.issuesOf(projectId).map(({ issue }) => issue.platform))].sort(),
  };
}

function lastEventAtMs(world: ErrorsWorld, projectId: number): number | null {
  const seen = world.issuesOf(projectId).map(({ issue }) => issue.lastSeenMs);
  return seen.length === 0 ? null : Math.max(...seen);
}

function statisticsOf(world: ErrorsWorld, projectId: number): ProjectStatistics {
  const issues = world.issuesOf(projectId).map(({ issue }) => issue);
  const lastMs = lastEventAtMs(world, projectId);
  const firstMs = lastMs === null ? null : Math.min(...issues.map(({ firstSeenMs }) => firstSeenMs));
  const total = issues.reduce((sum, { eventsCount }) => sum + eventsCount, 0);
  const day = outcomesOf(world, projectId, hourOf(world.nowMs) - dayMs + hourMs, world.nowMs + 1);
  const kept = day.filter(({ outcome, category }) => outcome === 'accepted' && category === 'error');
  return {
    eventsTotal: total,
    verifications: total === 0 ? 0 : 3,
    firstEventAtMs: firstMs,
    lastEventAtMs: lastMs,
    sdks: firstMs === null || lastMs === null ? [] : sdksOf(projectId, total, firstMs, lastMs),
    events24h: kept.reduce((sum, { quantity }) => sum + quantity, 0),
    issuesOpen: issues.filter(({ state }) => state.status === 'unresolved').length,
    lastEventId: world.stored.findLast((place) => place.projectId === projectId)?.eventId ?? null,
  };
}

/** Each kit has its share of the events, and the first of them the rest; seen last comes first. */
function sdksOf(projectId: number, total: number, firstSeenMs: number, lastMs: number) {
  const slug = demoProjects.find(({ id }) => id === projectId)?.slug ?? 'shop-web';
  let rest = total;
  const rows = kits[slug].map(([name, version, share], nth) => {
    const events = nth === 0 ? 0 : Math.floor((total * share) / 100);
    rest -= events;
    const lastSeenMs = Math.max(firstSeenMs, lastMs - nth * nth * 11 * hourMs);
    return { name, version, events, firstSeenMs, lastSeenMs };
  });
  return rows.map((row, nth) => (nth === 0 ? { ...row, events: rest } : row));
}

/** What this file answers. */
export type MemberReads = Pick<
  MemberStore,
  'listMembers' | 'findMember' | 'findMemberByName' | 'listSessions' | 'sessionsThatHold'
>;

/** The reads of members. Nobody has signed in to look at a demo. */
export function memberReads({ nowMs }: ErrorsWorld): MemberReads {
  const members = worldMembers(nowMs);
  return {
    listMembers: async () => [...members],
    findMember: async (memberId) => members.find(({ id }) => id === memberId) ?? null,
    findMemberByName: async (nameKey) => members.find(({ name }) => foldText(name) === nameKey) ?? null,
    listSessions: async () => [],
    // Who only looks has no session that could end.
    sessionsThatHold: async (sessionIds) => [...sessionIds],
  };
}

/** Counts of the places that errors and people have; those of runs and proofs are others'. */
export function errorPlaceCounts(
  world: ErrorsWorld,
  projectIds: readonly number[],
  sinceMs: number,
): Pick<PlaceCounts, 'openIssues' | 'newReports' | 'members'> {
  const open = projectIds
    .flatMap((id) => world.issuesOf(id))
    .filter(({ issue }) => issue.state.status === 'unresolved');
  const reports = world.reports.filter(
    ({ feedback }) =>
      !feedback.spam && feedback.createdAtMs >= sinceMs && projectIds.includes(feedback.projectId),
  );
  return {
    openIssues: open.length,
    newReports: reports.length,
    members: worldMembers(world.nowMs).length,
  };
}
