import type { DomainVerificationRequest } from '../../../schemas/domain-verifications.ts';
import { type AuditBy, actAudited } from '../audit/audit.ts';
import { toldOfProof } from '../audit/told.ts';
import type { Deps } from '../deps.ts';
import { badRequest, invalidId, invalidParam, missingParams } from '../errors.ts';
import { randomBase62 } from '../ids.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { DomainLook, DomainProof, ProofMethod } from '../store/domains.ts';
import type { Project } from '../store/projects.ts';
import { takeCheck } from './budget.ts';
import { dnsPlaceOf, methodsOf } from './challenges.ts';
import { type CheckResult, performChecks } from './checks.ts';
import { admitProvableName, proofCovers } from './names.ts';
import { afterCheck, asOf, type CheckOutcome, isChecked, isStanding, renewed, revoked } from './states.ts';

const proofsMax = 100;
const idCharacters = 22;
const tokenBytes = 32;

/** Creates a verification, or returns the existing one. Throws 400 for an invalid name or method. */
export async function createProof(
  deps: Deps,
  project: Project,
  request: DomainVerificationRequest,
  by: AuditBy | null,
): Promise<{ proof: DomainProof; created: boolean }> {
  const name = provableName(request);
  const scope = request.scope ?? 'host';
  const method = request.method ?? 'any';
  if (scope === 'subdomains' && method !== 'any' && method !== 'dns_txt') {
    throw invalidParam({ method: 'method must be dns_txt when scope is subdomains.' });
  }
  if (scope === 'subdomains' && name.belowPrivateSuffix) {
    throw invalidParam({ scope: 'scope must be host for a domain below a shared suffix.' });
  }
  const nowMs = deps.now();
  const blank: DomainProof = {
    id: `dv_${randomBase62(idCharacters, deps.randomBytes)}`,
    projectId: project.id,
    domain: name.ascii,
    scope,
    method,
    label: request.label == null ? null : scrubProjectText(request.label, project),
    token: '',
    tokenIssuedAtMs: nowMs,
    status: 'pending',
    createdAtMs: nowMs,
    expiresAtMs: null,
    verifiedAtMs: null,
    verifiedBy: null,
    lastCheckedAtMs: null,
    nextCheckAtMs: null,
    failures: 0,
    failingSinceMs: null,
    lastError: null,
  };
  return actAudited(deps, by, async ({ store }) => {
    const proof = renewed(blank, newToken(deps), nowMs, chance(deps));
    const result = await store.createProof(proof, { proofsMax });
    if (result === null) {
      throw badRequest(
        'notifier_too_many_domain_verifications',
        `A project may have at most ${proofsMax} domain verifications.`,
      );
    }
    return { result, told: result.created ? toldOfProof(result.proof, 'proof.created') : null };
  });
}

function provableName(request: DomainVerificationRequest) {
  const given = request.domain ?? request.hostname;
  if (given === undefined || given === null) throw missingParams(['domain']);
  const verdict = admitProvableName(given);
  if (!verdict.ok) throw invalidParam({ [request.domain == null ? 'hostname' : 'domain']: verdict.why });
  return verdict.name;
}

export async function getProof(deps: Deps, project: Project, id: string): Promise<DomainProof> {
  const proof = await deps.store.findProof(project.id, id);
  if (proof === null) throw invalidId('domain_verification');
  return asOf(proof, deps.now());
}

/**
 * Checks now, with all methods or only `method`. A lapsed or expired verification gets a new token instead.
 * Throws 404 for an unknown id, 400 if it is revoked or does not allow the method, 429 when out of checks.
 */
export async function checkProof(
  deps: Deps,
  project: Project,
  id: string,
  method: 'any' | ProofMethod = 'any',
): Promise<{ proof: DomainProof; checks: CheckResult[] }> {
  const proof = await getProof(deps, project, id);
  if (proof.status === 'revoked') {
    throw badRequest('notifier_domain_verification_revoked', 'The domain verification has been revoked.');
  }
  const methods = methodsOf(proof).filter((each) => method === 'any' || each === method);
  if (methods.length === 0) throw invalidParam({ method: 'method is not a method of this verification.' });
  if (isChecked(proof)) return await checkWith(deps, proof, methods, true);
  const stored = await storedState(deps, proof);
  await deps.store.saveProof(renewed(proof, newToken(deps), deps.now(), chance(deps)), stored);
  return { proof: await getProof(deps, project, id), checks: [] };
}

export async function recheckProof(deps: Deps, proof: DomainProof): Promise<DomainProof> {
  const current = asOf(proof, deps.now());
  if (!isChecked(current)) {
    await deps.store.saveProof(current, proof);
    return current;
  }
  return (await checkWith(deps, current, methodsOf(current), false)).proof;
}

async function checkWith(
  deps: Deps,
  proof: DomainProof,
  methods: readonly ProofMethod[],
  asked: boolean,
): Promise<{ proof: DomainProof; checks: CheckResult[] }> {
  takeCheck(deps, proof.domain, proof.projectId);
  const siblingLabel = `_notifier-${randomBase62(16, deps.randomBytes).toLowerCase()}`;
  const place = dnsPlaceOf(deps.config);
  const allMethods = methodsOf(proof);
  const task = { domain: proof.domain, token: proof.token, methods, allMethods, place, siblingLabel };
  const checks = await performChecks(task, deps.prober);
  const outcome = outcomeOf(proof, checks);
  // A failure of one method of several does not count against a domain that another method verified.
  const isPartial = 'failure' in outcome && methods.length < methodsOf(proof).length && isStanding(proof);
  const nowMs = deps.now();
  const after = isPartial ? proof : afterCheck(proof, outcome, nowMs, chance(deps));
  const look: DomainLook = {
    atMs: nowMs,
    asked,
    outcome: 'failure' in outcome ? outcome.failure : 'ok',
    status: after.status,
    found: checks.map(({ type, code }) => ({ type, code })),
  };
  if (isPartial) await deps.store.keepLook(proof, look);
  else await deps.store.saveProof(after, proof, look);
  deps.log.info(
    { projectId: proof.projectId, verificationId: proof.id, status: after.status },
    'domain checked',
  );
  // It may have been changed meanwhile (revoked): return what is stored.
  return { proof: (await deps.store.findProof(proof.projectId, proof.id)) ?? after, checks };
}

function outcomeOf(proof: DomainProof, checks: readonly CheckResult[]): CheckOutcome {
  const proved = checks.find((check) => check.ok);
  if (proved !== undefined) return { verifiedBy: proved.type };
  const telling = checks.find((check) => check.type === proof.verifiedBy) ?? checks[0];
  return { failure: telling === undefined || telling.code === 'ok' ? 'no_record' : telling.code };
}

export function revokeProof(
  deps: Deps,
  project: Project,
  id: string,
  by: AuditBy | null,
): Promise<DomainProof> {
  return actAudited(deps, by, async (parts) => {
    const result = await getProof(parts, project, id);
    await parts.store.saveProof(revoked(result), await storedState(parts, result));
    return { result, told: toldOfProof(result, 'proof.deleted') };
  });
}

async function storedState(deps: Deps, proof: DomainProof) {
  return (await deps.store.findProof(proof.projectId, proof.id)) ?? proof;
}

export function standingProofFor(proofs: readonly DomainProof[], host: string): DomainProof | null {
  return proofs.find((proof) => isStanding(proof) && proofCovers(proof.domain, proof.scope, host)) ?? null;
}

function newToken(deps: Pick<Deps, 'randomBytes'>): string {
  return deps.randomBytes(tokenBytes).toString('base64url');
}

function chance(deps: Pick<Deps, 'randomBytes'>): number {
  return deps.randomBytes(2).readUInt16BE(0) / 65_535;
}
