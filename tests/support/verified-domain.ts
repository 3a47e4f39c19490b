import { applyCheckOutcome, renewVerification } from '../../src/core/domains/verification-states.ts';
import type { DomainVerification } from '../../src/core/store/domains.ts';
import type { TestApp } from './app.ts';

/** Marks a domain as verified without network access. */
export async function verifyDomain(
  { deps, project }: Pick<TestApp, 'deps' | 'project'>,
  domain: string,
  scope: DomainVerification['scope'] = 'subdomains',
): Promise<void> {
  const nowMs = deps.now();
  const blank: DomainVerification = {
    id: `dv_${String(project.id).padStart(4, '0')}${Buffer.from(domain).toString('hex').slice(-18).padStart(18, '0')}`,
    projectId: project.id,
    domain,
    scope,
    method: 'any',
    label: null,
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
  const pending = renewVerification(blank, 'token', nowMs, 0.5);
  await deps.store.insertDomainVerification(pending, { proofsMax: 100 });
  await deps.store.saveDomainVerification(
    applyCheckOutcome(pending, { verifiedBy: 'dns_txt' }, nowMs, 0.5),
    pending,
  );
}
