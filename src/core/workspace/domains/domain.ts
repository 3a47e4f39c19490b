import { sentenceFor } from '../../domains/checks.ts';
import { asOf } from '../../domains/states.ts';
import { momentText } from '../../reading/moments.ts';
import type { Domain, DomainLook, DomainProof } from '../../store/domains.ts';
import type { Project } from '../../store/projects.ts';
import { notHere, type Visit } from '../visit.ts';
import { type DomainRowView, type ProofView, proofOfHost, viewProofOf, viewRow } from './list.ts';

const what = 'A domain with this number';

export interface LookView {
  readonly at: string;
  /** Started by a person, not by the scheduler. */
  readonly asked: boolean;
  /** `ok` or the reason of the failure; `means` explains it. */
  readonly outcome: DomainLook['outcome'];
  readonly means: string;
  readonly status: DomainLook['status'];
  readonly found: DomainLook['found'];
}

export interface DomainModel extends DomainRowView {
  /** Newest first, 50 at most. */
  readonly looks: readonly LookView[];
  /** The verification of a parent domain that covers this host. */
  readonly covered_by: ProofView | null;
  readonly other_projects: ReadonlyArray<{
    readonly project_id: number;
    readonly name: string;
    readonly domain_id: number;
  }>;
}

export interface FoundDomain {
  readonly project: Project;
  readonly domain: Domain | null;
  readonly proof: DomainProof | null;
  readonly proofs: readonly DomainProof[];
}

/** A number names a listed domain, other text a verification. Throws 404 if neither exists. */
export async function domainOfPath(visit: Visit): Promise<FoundDomain> {
  const word = visit.path['domain_id'] ?? '';
  const id = Number(word);
  const isNumber = /^\d+$/.test(word) && Number.isSafeInteger(id);
  const { store } = visit.deps;
  const all = await Promise.all(
    visit.projects.map(async (project) => ({
      project,
      domain: isNumber ? await store.findDomain(project.id, id) : null,
      proof: isNumber ? null : await store.findProof(project.id, word),
    })),
  );
  const found = all.find(({ domain, proof }) => domain !== null || proof !== null);
  if (found === undefined) throw notHere(what);
  const { project } = found;
  const proofs = (await store.listProofs(project.id)).map((proof) => asOf(proof, visit.nowMs));
  if (found.domain !== null) {
    return { project, domain: found.domain, proof: proofOfHost(proofs, found.domain.host), proofs };
  }
  const proof = proofs.find(({ id }) => id === found.proof?.id) ?? null;
  // If the host is listed too, its settings are shown with the verification.
  const domains = await store.listDomains(project.id);
  const domain = domains.find(({ host }) => proof !== null && proofOfHost(proofs, host) === proof);
  return { project, domain: domain ?? null, proof, proofs };
}

export async function listedDomainOfPath(visit: Visit): Promise<{ project: Project; domain: Domain }> {
  const { project, domain } = await domainOfPath(visit);
  if (domain === null) throw notHere(what);
  return { project, domain };
}

export async function proofOfPath(visit: Visit): Promise<{ project: Project; proof: DomainProof }> {
  const { project, proof } = await domainOfPath(visit);
  if (proof === null) throw notHere('A verification of this domain');
  return { project, proof };
}

export async function domainModel(visit: Visit): Promise<DomainModel> {
  const { project, domain, proof, proofs } = await domainOfPath(visit);
  const row = viewRow(project, domain, proof, proofs, visit.deps.config);
  const covering = proofs.find(({ id }) => id === row.domain?.verification_id);
  const isCovered = covering !== undefined && covering.id !== proof?.id && row.domain?.verified === true;
  return {
    ...row,
    looks: proof === null ? [] : (await visit.deps.store.listLooks(proof)).map(viewLook),
    covered_by: isCovered ? viewProofOf(covering, visit.deps.config) : null,
    other_projects: await othersOf(visit, project, row.host),
  };
}

function viewLook({ atMs, asked, outcome, status, found }: DomainLook): LookView {
  const means = outcome === 'ok' ? 'The domain is verified.' : sentenceFor(outcome);
  return { at: momentText(atMs), asked, outcome, means, status, found };
}

async function othersOf(visit: Visit, own: Project, host: string): Promise<DomainModel['other_projects']> {
  const others = visit.projects.filter(({ id }) => id !== own.id);
  const all = await Promise.all(
    others.map(async (project) => {
      const domains = await visit.deps.store.listDomains(project.id);
      const same = domains.find((each) => each.host === host);
      return same === undefined ? [] : [{ project_id: project.id, name: project.name, domain_id: same.id }];
    }),
  );
  return all.flat();
}
