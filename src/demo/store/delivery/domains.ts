// Domains and their proofs of the demo as pages ask for them.
import type { DomainLookStore, DomainStore, DomainVerificationStore } from '../../../core/store/domains.ts';
import { looksOf } from '../../world/delivery/looks.ts';
import type { DeliveryWorld } from '../../world/delivery/world.ts';
import { ofProjects } from './lists.ts';

type DomainReads = Pick<DomainStore, 'listDomains' | 'findDomain'> &
  Pick<DomainVerificationStore, 'listProofs' | 'listUnsettledProofs' | 'findProof'> &
  Pick<DomainLookStore, 'listLooks'>;

/** The reads of domains and proofs. */
export function domainReads(world: DeliveryWorld): DomainReads {
  return {
    listDomains: async (projectId) => ofProjects(world.domains, [projectId]),
    async findDomain(projectId, domainId) {
      return world.domains.find(({ id, projectId: own }) => id === domainId && own === projectId) ?? null;
    },
    async listProofs(projectId) {
      return ofProjects(world.proofs, [projectId]).sort(
        (one, other) => one.createdAtMs - other.createdAtMs || (one.id < other.id ? -1 : 1),
      );
    },
    listUnsettledProofs: async (projectIds, limit) =>
      ofProjects(world.proofs, projectIds)
        .filter(({ status }) => status === 'pending' || status === 'failing')
        .slice(0, limit),
    async findProof(projectId, id) {
      return world.proofs.find((proof) => proof.id === id && proof.projectId === projectId) ?? null;
    },
    async listLooks({ id, projectId }) {
      const proof = world.proofs.find((each) => each.id === id && each.projectId === projectId);
      return proof === undefined ? [] : looksOf(proof);
    },
  };
}
