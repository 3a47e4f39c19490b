// The store's reads of Delivery and Records, answered from the demo's world.
import type { FilterNames } from '../../../core/store/issue-pages.ts';
import type { Store } from '../../../core/store/store.ts';
import type { PlaceCounts } from '../../../core/store/workspace.ts';
import type { DeliveryWorld } from '../../world/delivery/world.ts';
import { artifactReads } from './artifacts.ts';
import { auditReads } from './audit.ts';
import { deployReads } from './deploys.ts';
import { domainReads } from './domains.ts';
import { ofProjects } from './lists.ts';
import { type IssueFigures, listedReleases, newestReleases, releaseReads } from './releases.ts';
import { newestTestRuns, testRunReads } from './test-runs.ts';

type DeliveryReads = ReturnType<typeof releaseReads> &
  ReturnType<typeof deployReads> &
  ReturnType<typeof testRunReads> &
  ReturnType<typeof artifactReads> &
  ReturnType<typeof domainReads> &
  ReturnType<typeof auditReads> &
  Pick<Store, 'newestReleases' | 'newestTestRuns' | 'listFilterNames'>;

/** All that pages ask of these parts. What is said of issues comes from `figures`. */
export function deliveryReads(world: DeliveryWorld, figures: IssueFigures): DeliveryReads {
  return {
    ...releaseReads(world, figures),
    ...deployReads(world),
    ...testRunReads(world),
    ...artifactReads(world),
    ...domainReads(world),
    ...auditReads(world),
    newestReleases: async (projectIds, limit) => newestReleases(world, figures, projectIds, limit),
    newestTestRuns: async (projectIds, limit) => newestTestRuns(world, projectIds, limit),
    listFilterNames: async (projectIds) => filterNames(world, projectIds),
  };
}

/** What stands beside the places of Delivery. */
export function deliveryCounts(
  world: DeliveryWorld,
  projectIds: readonly number[],
): Pick<PlaceCounts, 'failedProofs'> {
  return {
    failedProofs: ofProjects(world.proofs, projectIds).filter(
      ({ status }) => status === 'failing' || status === 'lapsed',
    ).length,
  };
}

const releasesNamed = 50;

/** Environments of deploys by name, and the newest releases. */
function filterNames(world: DeliveryWorld, projectIds: readonly number[]): FilterNames {
  const environments = ofProjects(world.deploys, projectIds).map(({ environment }) => environment);
  const releases = ofProjects(listedReleases(world), projectIds).slice(0, releasesNamed);
  return {
    environments: [...new Set(environments)].sort(),
    releases: releases.map(({ projectId, version, createdAtMs }) => ({ projectId, version, createdAtMs })),
  };
}
