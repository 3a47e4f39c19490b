// What the page of one domain says: its switches where it is listed, its proof where there is one, and who
// else relies on the host.
import { sentenceFor } from '../../domains/checks.ts';
import { asOf } from '../../domains/states.ts';
import { momentText } from '../../reading/moments.ts';
import type { Domain, DomainLook, DomainProof } from '../../store/domains.ts';
import type { Project } from '../../store/projects.ts';
import { notHere, type Visit } from '../visit.ts';
import { type DomainRowView, type ProofView, proofOfHost, viewProofOf, viewRow } from './list.ts';

const what = 'A domain with this number';

/** One look at the proof, with what it means. */
export interface LookView {
  readonly at: string;
  /** Somebody asked for it; else it was made when its time had come. */
  readonly asked: boolean;
  /** `ok`, or the failure that counts, and what that means. */
  readonly outcome: DomainLook['outcome'];
  readonly means: string;
  /** How the proof stood after it. */
  readonly status: DomainLook['status'];
  readonly found: DomainLook['found'];
}

export interface DomainModel extends DomainRowView {
  /** The newest looks at the proof, newest first: at most 50. */
  readonly looks: readonly LookView[];
  /** The proof of a name above, where that is what stands for this host. */
  readonly covered_by: ProofView | null;
  /** Other projects that list the same host. */
  readonly other_projects: ReadonlyArray<{
    readonly project_id: number;
    readonly name: string;
    readonly domain_id: number;
  }>;
}

/** A domain or a proof as it was found, with the project it is of. */
export interface FoundDomain {
  readonly project: Project;
  readonly domain: Domain | null;
  readonly proof: DomainProof | null;
  readonly proofs: readonly DomainProof[];
}

/** What the path names: a number is a listed domain, anything else a proof. 404 where there is neither. */
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
  // The proof of a listed host is shown with that host's switches.
  const domains = await store.listDomains(project.id);
  const domain = domains.find(({ host }) => proof !== null && proofOfHost(proofs, host) === proof);
  return { project, domain: domain ?? null, proof, proofs };
}

/** The listed domain that the path names; 404 for a proof of a host that is not listed. */
export async function listedDomainOfPath(visit: Visit): Promise<{ project: Project; domain: Domain }> {
  const { project, domain } = await domainOfPath(visit);
  if (domain === null) throw notHere(what);
  return { project, domain };
}

/** The proof that belongs to what the path names; 404 where there is none. */
export async function proofOfPath(visit: Visit): Promise<{ project: Project; proof: DomainProof }> {
  const { project, proof } = await domainOfPath(visit);
  if (proof === null) throw notHere('A verification of this domain');
  return { project, proof };
}

/** One domain. */
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
