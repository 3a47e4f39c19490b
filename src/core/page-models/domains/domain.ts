import { describeCheckFailure } from '../../domains/checks.ts';
import { expireIfDue } from '../../domains/verification-states.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { VerificationCheck } from '../../store/domains.ts';
import type { Project } from '../../store/projects.ts';
import { pageNotFound, type RequestContext } from '../request-context.ts';
import { findVerificationOfHost, viewDomainRow, viewVerificationWithError } from './list.ts';

const subject = 'A domain with this number';

export type CheckView = ReturnType<typeof viewDomainCheck>;

export type DomainModel = Awaited<ReturnType<typeof domainModel>>;

/** A number names a listed domain, other text a verification. Throws 404 if neither exists. */
export async function findDomainOfPath(context: RequestContext) {
  const word = context.path['domain_id'] ?? '';
  const id = Number(word);
  const isNumber = /^\d+$/.test(word) && Number.isSafeInteger(id);
  const { store } = context.deps;
  const all = await Promise.all(
    context.projects.map(async (project) => ({
      project,
      domain: isNumber ? await store.findDomain(project.id, id) : null,
      proof: isNumber ? null : await store.findDomainVerification(project.id, word),
    })),
  );
  const found = all.find(({ domain, proof }) => domain !== null || proof !== null);
  if (found === undefined) throw pageNotFound(subject);
  const { project } = found;
  const proofs = (await store.listDomainVerifications(project.id)).map((proof) =>
    expireIfDue(proof, context.nowMs),
  );
  if (found.domain !== null) {
    return {
      project,
      domain: found.domain,
      proof: findVerificationOfHost(proofs, found.domain.host),
      proofs,
    };
  }
  const proof = proofs.find(({ id }) => id === found.proof?.id) ?? null;
  // If the host is listed too, its settings are shown with the verification.
  const domains = await store.listDomains(project.id);
  const domain = domains.find(({ host }) => proof !== null && findVerificationOfHost(proofs, host) === proof);
  return { project, domain: domain ?? null, proof, proofs };
}

export async function getListedDomainOfPath(context: RequestContext) {
  const { project, domain } = await findDomainOfPath(context);
  if (domain === null) throw pageNotFound(subject);
  return { project, domain };
}

export async function getVerificationOfPath(context: RequestContext) {
  const { project, proof } = await findDomainOfPath(context);
  if (proof === null) throw pageNotFound('A verification of this domain');
  return { project, proof };
}

export async function domainModel(context: RequestContext) {
  const { project, domain, proof, proofs } = await findDomainOfPath(context);
  const row = viewDomainRow(project, domain, proof, proofs, context.deps.config);
  const covering = proofs.find(({ id }) => id === row.domain?.verification_id);
  const isCovered = covering !== undefined && covering.id !== proof?.id && row.domain?.verified === true;
  return {
    ...row,
    /** Newest first, 50 at most. */
    looks:
      proof === null ? [] : (await context.deps.store.listVerificationChecks(proof)).map(viewDomainCheck),
    covered_by: isCovered ? viewVerificationWithError(covering, context.deps.config) : null,
    other_projects: await othersOf(context, project, row.host),
  };
}

function viewDomainCheck({ atMs, isManual, outcome, status, found }: VerificationCheck) {
  const means = outcome === 'ok' ? 'The domain is verified.' : describeCheckFailure(outcome);
  return { at: formatTime(atMs), is_manual: isManual, outcome, means, status, found };
}

async function othersOf(context: RequestContext, ownProject: Project, host: string) {
  const others = context.projects.filter(({ id }) => id !== ownProject.id);
  const all = await Promise.all(
    others.map(async (project) => {
      const domains = await context.deps.store.listDomains(project.id);
      const match = domains.find((each) => each.host === host);
      return match === undefined ? [] : [{ project_id: project.id, name: project.name, domain_id: match.id }];
    }),
  );
  return all.flat();
}
