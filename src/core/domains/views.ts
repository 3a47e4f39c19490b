import type { DomainVerificationView } from '../../../schemas/domain-verifications.ts';
import type { DomainView } from '../../../schemas/domains.ts';
import { momentText } from '../reading/moments.ts';
import type { Domain, DomainProof } from '../store/domains.ts';
import { challengesOf, dnsPlaceOf, methodsOf } from './challenges.ts';
import { admitProvableName } from './names.ts';
import { isStanding, pendingMs } from './states.ts';
import { standingProofFor } from './verifications.ts';

export function viewDomain(domain: Domain, proofs: readonly DomainProof[]): DomainView {
  // A wildcard domain is verified if any name below it is.
  const proof = standingProofFor(proofs, domain.host.replace(/^\*/, 'any'));
  return {
    domain_id: domain.id,
    domain: domain.host,
    bug_reports: domain.bugReports,
    errors: domain.errors,
    sampling: domain.sampling,
    allowed_origins: [...domain.allowedOrigins],
    verified: proof !== null,
    verification_id: proof?.id ?? domain.verificationId,
    created_at: momentText(domain.createdAtMs),
  };
}

type PlaceSettings = Parameters<typeof dnsPlaceOf>[0];

export function viewProof(proof: DomainProof, config: PlaceSettings): DomainVerificationView {
  const name = admitProvableName(proof.domain);
  const expiry = momentText(proof.tokenIssuedAtMs + pendingMs).slice(0, 10);
  return {
    id: proof.id,
    domain: proof.domain,
    domain_unicode: name.ok ? name.name.unicode : proof.domain,
    apex: name.ok ? name.name.apex : proof.domain,
    scope: proof.scope,
    method: proof.method,
    label: proof.label,
    status: proof.status,
    verified: isStanding(proof),
    token: proof.token,
    challenges: challengesOf(proof.domain, proof.token, expiry, methodsOf(proof), dnsPlaceOf(config)),
    created_at: momentText(proof.createdAtMs),
    expires_at: momentText(proof.expiresAtMs),
    verified_at: momentText(proof.verifiedAtMs),
    verified_by: proof.verifiedBy,
    last_checked_at: momentText(proof.lastCheckedAtMs),
    next_check_at: momentText(proof.nextCheckAtMs),
    failures: proof.failures,
    last_error: proof.lastError,
  };
}
