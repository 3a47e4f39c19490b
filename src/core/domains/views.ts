import type { DomainVerificationView } from '../../../schemas/domain-verifications.ts';
import type { DomainView } from '../../../schemas/domains.ts';
import { formatDate, formatTime } from '../parsing/timestamps.ts';
import type { Domain, DomainVerification } from '../store/domains.ts';
import { allowedMethods, buildChallenges, dnsChallengeSettings } from './challenges.ts';
import { parseVerifiableName } from './names.ts';
import { countsAsVerified, pendingLifetimeMs } from './verification-states.ts';
import { findVerificationCovering } from './verifications.ts';

export function viewDomain(domain: Domain, proofs: readonly DomainVerification[]): DomainView {
  // A wildcard domain is verified if any name below it is.
  const proof = findVerificationCovering(proofs, domain.host.replace(/^\*/, 'any'));
  return {
    domain_id: domain.id,
    domain: domain.host,
    bug_reports: domain.bugReports,
    errors: domain.errors,
    sampling: domain.sampling,
    allowed_origins: [...domain.allowedOrigins],
    verified: proof !== null,
    verification_id: proof?.id ?? domain.verificationId,
    created_at: formatTime(domain.createdAtMs),
  };
}

type DnsConfig = Parameters<typeof dnsChallengeSettings>[0];

export function viewVerification(proof: DomainVerification, config: DnsConfig): DomainVerificationView {
  const name = parseVerifiableName(proof.domain);
  const expiry = formatDate(proof.tokenIssuedAtMs + pendingLifetimeMs);
  return {
    id: proof.id,
    domain: proof.domain,
    domain_unicode: name.ok ? name.name.unicode : proof.domain,
    apex: name.ok ? name.name.apex : proof.domain,
    scope: proof.scope,
    method: proof.method,
    label: proof.label,
    status: proof.status,
    verified: countsAsVerified(proof),
    token: proof.token,
    challenges: buildChallenges(
      proof.domain,
      proof.token,
      expiry,
      allowedMethods(proof),
      dnsChallengeSettings(config),
    ),
    created_at: formatTime(proof.createdAtMs),
    expires_at: formatTime(proof.expiresAtMs),
    verified_at: formatTime(proof.verifiedAtMs),
    verified_by: proof.verifiedBy,
    last_checked_at: formatTime(proof.lastCheckedAtMs),
    next_check_at: formatTime(proof.nextCheckAtMs),
    failures: proof.failures,
    last_error: proof.lastError,
  };
}
