// Deploys of the demo as pages ask for them, and what became of each.
import type {
  Deploy,
  DeployFilter,
  DeployLook,
  DeployLookFilter,
  DeployStore,
} from '../../../core/store/releases.ts';
import { type DeliveryWorld, shown } from '../../world/delivery/world.ts';
import { ofProjects, pageOf, searching, sliceOf, sortedBy } from './lists.ts';

type DeployReads = Pick<DeployStore, 'findDeploy' | 'listDeploys' | 'sliceDeploys' | 'countDeploys'>;

/** The reads of deploys. */
export function deployReads(world: DeliveryWorld): DeployReads {
  return {
    async findDeploy(projectId, deployId) {
      return world.deploys.find(({ id, projectId: own }) => id === deployId && own === projectId) ?? null;
    },
    listDeploys: async (projectId, filter) => pageOf(listed(world, projectId, filter), filter),
    async sliceDeploys(projectIds, filter, slice) {
      const looks = fitting(world, projectIds, filter);
      return sliceOf(looks, ({ deploy }) => ({ atMs: deploy.createdAtMs, id: deploy.id }), slice);
    },
    async countDeploys(projectIds, search) {
      const looks = fitting(world, projectIds, { environment: null, outcome: null, search, sinceMs: null });
      const counts = new Map<string, { environment: string; deploys: number; failed: number }>();
      for (const { deploy } of looks) {
        const { environment } = deploy;
        const count = counts.get(environment) ?? { environment, deploys: 0, failed: 0 };
        count.deploys += 1;
        if (isFailed(deploy)) count.failed += 1;
        counts.set(environment, count);
      }
      return [...counts.values()].sort(
        (one, other) => other.deploys - one.deploys || (one.environment < other.environment ? -1 : 1),
      );
    },
  };
}

function isFailed({ status }: Deploy): boolean {
  return status === 'failure' || status === 'error';
}

/** Of all: those of one release are shown beside it however old they are. */
function listed(world: DeliveryWorld, projectId: number, filter: DeployFilter): Deploy[] {
  const fits = searching(filter.search);
  const rows = ofProjects(world.deploys, [projectId])
    .filter(({ releaseId }) => filter.releaseId === undefined || releaseId === filter.releaseId)
    .filter(({ version }) => filter.version === undefined || version === filter.version)
    .filter(({ environment }) => filter.environment === undefined || environment === filter.environment)
    .filter(({ version, environment, name }) => fits(version, environment, name));
  const values = {
    date_created: ({ createdAtMs }: Deploy) => createdAtMs,
    date_finished: ({ dateFinishedMs }: Deploy) => dateFinishedMs ?? 0,
    environment: ({ environment }: Deploy) => environment,
  };
  return sortedBy(rows, values[filter.orderBy], filter.descending);
}

function fitting(
  world: DeliveryWorld,
  projectIds: readonly number[],
  { environment, outcome, search, sinceMs }: DeployLookFilter,
): DeployLook[] {
  const fits = searching(search);
  return ofProjects(world.deploys.slice(0, shown.deploys), projectIds)
    .filter((deploy) => environment === null || deploy.environment === environment)
    .filter((deploy) => sinceMs === null || deploy.createdAtMs >= sinceMs)
    .filter(({ version, environment: place, name }) => fits(version, place, name))
    .map((deploy) => lookAt(world.deploys, deploy))
    .filter(({ deploy, isBack }) => outcome === null || (outcome === 'back' ? isBack : isFailed(deploy)));
}

/** A deploy was taken back by the next one to its place, where that brought back what was there before it. */
function lookAt(all: readonly Deploy[], deploy: Deploy): DeployLook {
  const line = all.filter(
    ({ projectId, environment, status }) =>
      projectId === deploy.projectId && environment === deploy.environment && status === 'success',
  );
  const at = line.findIndex(({ id }) => id === deploy.id);
  const next = at > 0 ? line[at - 1] : undefined;
  const isTakenBack = next !== undefined && next.releaseId !== deploy.releaseId && isBack(line, at - 1);
  return {
    deploy,
    isBack: isBack(line, at),
    takenBackBy: isTakenBack ? { id: next.id, atMs: next.createdAtMs } : null,
  };
}

/** Of deploys that went well, newest first: it took the place of a later release, and was there before. */
function isBack(line: readonly Deploy[], at: number): boolean {
  const [own, ...before] = line.slice(Math.max(0, at));
  const last = before[0];
  if (at < 0 || own === undefined || last === undefined || last.releaseId <= own.releaseId) return false;
  return before.some(({ releaseId }) => releaseId === own.releaseId);
}
