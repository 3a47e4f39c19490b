import type { DomainVerificationRequest } from '../../../schemas/domain-verifications.ts';
import { type AuditSource, audited, runAudited } from '../audit/audit.ts';
import { verificationAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import {
  addJitter,
  createBadRequestError,
  createInvalidParamError,
  createMissingParamsError,
  createNotFoundError,
  createRateLimitError,
  createTooManyError,
} from '../errors.ts';
import { addressShareOfQuota, isQuotaScarce } from '../fair-share.ts';
import { randomBase62 } from '../ids.ts';
import { minuteMs } from '../parsing/durations.ts';
import type { DomainCheckClient } from '../ports/domain-check-client.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { DomainVerification, VerificationCheck, VerificationMethod } from '../store/domains.ts';
import type { Project } from '../store/projects.ts';
import { allowedMethods, dnsChallengeSettings } from './challenges.ts';
import { type CheckResult, runDomainChecks } from './checks.ts';
import { parseVerifiableName, verificationCovers } from './names.ts';
import {
  applyCheckOutcome,
  type CheckOutcome,
  countsAsVerified,
  expireIfDue,
  isCheckable,
  markRevoked,
  renewVerification,
} from './verification-states.ts';

const proofsMax = 100;
const idCharacters = 22;
const tokenBytes = 32;

/** Creates a verification, or returns the existing one. Throws 400 for an invalid name or method. */
export async function createVerification(
  deps: Deps,
  project: Project,
  request: DomainVerificationRequest,
  by: AuditSource | null,
): Promise<{ proof: DomainVerification; created: boolean }> {
  const name = requireVerifiableName(request);
  const scope = request.scope ?? 'host';
  const method = request.method ?? 'any';
  if (scope === 'subdomains' && method !== 'any' && method !== 'dns_txt') {
    throw createInvalidParamError({ method: 'method must be dns_txt when scope is subdomains.' });
  }
  if (scope === 'subdomains' && name.belowPrivateSuffix) {
    throw createInvalidParamError({ scope: 'scope must be host for a domain below a shared suffix.' });
  }
  const nowMs = deps.now();
  const blank: DomainVerification = {
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
  return runAudited(deps, by, async ({ store }) => {
    const proof = renewVerification(blank, newToken(deps), nowMs, randomShare(deps));
    const result = await store.insertDomainVerification(proof, { proofsMax });
    if (result === null) {
      throw createTooManyError('notifier_too_many_domain_verifications', `${proofsMax} domain verifications`);
    }
    return {
      result,
      auditEvent: result.created ? verificationAuditEvent(result.proof, 'domain_verification.created') : null,
    };
  });
}

function requireVerifiableName(request: DomainVerificationRequest) {
  const domainText = request.domain ?? request.hostname;
  if (domainText === undefined || domainText === null) throw createMissingParamsError(['domain']);
  const verdict = parseVerifiableName(domainText);
  if (!verdict.ok)
    throw createInvalidParamError({ [request.domain == null ? 'hostname' : 'domain']: verdict.reason });
  return verdict.name;
}

export async function getVerification(deps: Deps, project: Project, id: string): Promise<DomainVerification> {
  const proof = await deps.store.findDomainVerification(project.id, id);
  if (proof === null) throw createNotFoundError('domain_verification');
  return expireIfDue(proof, deps.now());
}

interface CheckedVerification {
  readonly proof: DomainVerification;
  readonly checks: readonly CheckResult[];
}

/** Checks now, with all methods or only `method`. A lapsed or expired verification gets a new token instead. Throws
 * 404 for an unknown id, 400 if it is revoked or does not allow the method, 429 when out of checks. */
export async function checkVerification(
  deps: Deps,
  project: Project,
  { id, method = 'any' }: { readonly id: string; readonly method?: 'any' | VerificationMethod | undefined },
  by: AuditSource | null,
): Promise<CheckedVerification> {
  const proof = await getVerification(deps, project, id);
  if (proof.status === 'revoked') {
    throw createBadRequestError(
      'notifier_domain_verification_revoked',
      'The domain verification has been revoked.',
    );
  }
  const methods = allowedMethods(proof).filter((each) => method === 'any' || each === method);
  if (methods.length === 0)
    throw createInvalidParamError({ method: 'method is not a method of this verification.' });
  const check = isCheckable(proof) ? await runCheck(deps, proof, methods, true) : null;
  return runAudited(deps, by, async (txDeps) => {
    const result = check === null ? await renew(txDeps, proof) : await saveCheck(txDeps, proof, check);
    return {
      result,
      auditEvent: verificationAuditEvent(result.proof, 'domain_verification.checked', checkedText(result)),
    };
  });
}

async function renew(deps: Deps, proof: DomainVerification): Promise<CheckedVerification> {
  const stored = await findStoredVerification(deps, proof);
  const renewed = renewVerification(proof, newToken(deps), deps.now(), randomShare(deps));
  await deps.store.saveDomainVerification(renewed, stored);
  return { proof: await findStoredVerification(deps, renewed), checks: [] };
}

function checkedText({ checks }: CheckedVerification): string {
  if (checks.length === 0) return 'a new token was created';
  return checks.map(({ type, code }) => `${type.replace('_', ' ')} ${code}`).join(', ');
}

export async function recheckVerification(
  deps: Deps,
  proof: DomainVerification,
): Promise<DomainVerification> {
  const current = expireIfDue(proof, deps.now());
  if (!isCheckable(current)) {
    await deps.store.saveDomainVerification(current, proof);
    return current;
  }
  const check = await runCheck(deps, current, allowedMethods(current), false);
  return (await saveCheck(deps, current, check)).proof;
}

async function runCheck(
  deps: Deps,
  proof: DomainVerification,
  methods: readonly VerificationMethod[],
  isManual: boolean,
) {
  takeDomainCheck(deps, proof.domain, proof.projectId);
  const siblingLabel = `_notifier-${randomBase62(16, deps.randomBytes).toLowerCase()}`;
  const dnsSettings = dnsChallengeSettings(deps.config);
  const allMethods = allowedMethods(proof);
  const task = { domain: proof.domain, token: proof.token, methods, allMethods, dnsSettings, siblingLabel };
  const checks = await runDomainChecks(task, deps.domainCheckClient);
  const outcome = toCheckOutcome(proof, checks);
  // A failure of one method of several does not count against a domain that another method verified.
  const isPartial =
    'failure' in outcome && methods.length < allowedMethods(proof).length && countsAsVerified(proof);
  const nowMs = deps.now();
  const after = isPartial ? proof : applyCheckOutcome(proof, outcome, nowMs, randomShare(deps));
  const checkRecord: VerificationCheck = {
    atMs: nowMs,
    isManual,
    outcome: 'failure' in outcome ? outcome.failure : 'ok',
    status: after.status,
    found: checks.map(({ type, code }) => ({ type, code })),
  };
  return { checks, after: isPartial ? null : after, checkRecord };
}

async function saveCheck(
  deps: Deps,
  proof: DomainVerification,
  { checks, after, checkRecord }: Awaited<ReturnType<typeof runCheck>>,
): Promise<CheckedVerification> {
  if (after === null) await deps.store.addVerificationCheck(proof, checkRecord);
  else await deps.store.saveDomainVerification(after, proof, checkRecord);
  deps.log.info(
    { projectId: proof.projectId, verificationId: proof.id, status: checkRecord.status },
    'domain checked',
  );
  // It may have been changed meanwhile (revoked): return what is stored.
  return { proof: await findStoredVerification(deps, after ?? proof), checks };
}

function toCheckOutcome(proof: DomainVerification, checks: readonly CheckResult[]): CheckOutcome {
  const proved = checks.find((check) => check.ok);
  if (proved !== undefined) return { verifiedBy: proved.type };
  const decisive = checks.find((check) => check.type === proof.verifiedBy) ?? checks[0];
  return { failure: decisive === undefined || decisive.code === 'ok' ? 'no_record' : decisive.code };
}

export function revokeVerification(
  deps: Deps,
  project: Project,
  id: string,
  by: AuditSource | null,
): Promise<DomainVerification> {
  return runAudited(deps, by, async (txDeps) => {
    const result = await getVerification(txDeps, project, id);
    await txDeps.store.saveDomainVerification(
      markRevoked(result),
      await findStoredVerification(txDeps, result),
    );
    return { result, auditEvent: verificationAuditEvent(result, 'domain_verification.deleted') };
  });
}

/** The verification is pending again, until the new token is found. Throws 404. */
export const replaceVerificationToken = audited(async (txDeps: Deps, project: Project, id: string) => {
  const previous = await revokeVerification(txDeps, project, id, null);
  const { domain, scope, method, label } = previous;
  const { proof } = await createVerification(txDeps, project, { domain, scope, method, label }, null);
  return {
    result: proof,
    auditEvent: verificationAuditEvent(proof, 'domain_verification.created', 'with a new token'),
  };
});

async function findStoredVerification(deps: Deps, proof: DomainVerification) {
  return (await deps.store.findDomainVerification(proof.projectId, proof.id)) ?? proof;
}

export function findVerificationCovering(
  proofs: readonly DomainVerification[],
  host: string,
): DomainVerification | null {
  return (
    proofs.find((proof) => countsAsVerified(proof) && verificationCovers(proof.domain, proof.scope, host)) ??
    null
  );
}

function newToken(deps: Pick<Deps, 'randomBytes'>): string {
  return deps.randomBytes(tokenBytes).toString('base64url');
}

function randomShare(deps: Pick<Deps, 'randomBytes'>): number {
  return deps.randomBytes(2).readUInt16BE(0) / 65_535;
}

const windowMs = minuteMs;
const checksPerHostMax = 30;
const checksPerServerMax = 60;
/** The most that one project may use once the server has used three quarters of its checks. */
const checksPerProjectShare = addressShareOfQuota(checksPerServerMax);

interface CheckWindow {
  startedAtMs: number;
  total: number;
  readonly byHost: Map<string, number>;
  readonly byProject: Map<number, number>;
}

const windows = new WeakMap<DomainCheckClient, CheckWindow>();

/** Protects third parties: throws 429 when host, server or project has used its checks for this minute. */
export function takeDomainCheck(
  deps: Pick<Deps, 'now' | 'domainCheckClient' | 'config' | 'random'>,
  host: string,
  projectId: number,
): void {
  if (!deps.config.rateLimits.enabled) return;
  const nowMs = deps.now();
  let window = windows.get(deps.domainCheckClient);
  if (window === undefined || nowMs - window.startedAtMs >= windowMs || nowMs < window.startedAtMs) {
    window = { startedAtMs: nowMs, total: 0, byHost: new Map(), byProject: new Map() };
    windows.set(deps.domainCheckClient, window);
  }
  const ofHost = window.byHost.get(host) ?? 0;
  const ofProject = window.byProject.get(projectId) ?? 0;
  const isShareUsed = ofProject >= checksPerProjectShare && isQuotaScarce(window.total, checksPerServerMax);
  if (ofHost >= checksPerHostMax || window.total >= checksPerServerMax || isShareUsed) {
    throw createRateLimitError(addJitter((window.startedAtMs + windowMs - nowMs) / 1000, deps.random));
  }
  window.total += 1;
  window.byHost.set(host, ofHost + 1);
  window.byProject.set(projectId, ofProject + 1);
}
