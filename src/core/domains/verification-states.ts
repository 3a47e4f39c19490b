// pending → expired or verified ⇄ failing → lapsed; any → revoked; lapsed, expired → pending with a new token

import { dayMs, hourMs } from '../parsing/durations.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { CheckFailure, DomainVerification, VerificationMethod } from '../store/domains.ts';

export type CheckOutcome = { readonly verifiedBy: VerificationMethod } | { readonly failure: CheckFailure };

export const pendingLifetimeMs = 7 * dayMs;
const recheckVerifiedMs = dayMs;
const recheckFailingMs = 6 * hourMs;
const recheckPendingMs = hourMs;
const lapseAfterFailures = 3;
const lapseAfterMs = 3 * dayMs;
/** Spreads the re-checks of verifications that were created together. */
const jitterShare = 0.1;

export function renewVerification(
  proof: DomainVerification,
  token: string,
  nowMs: EpochMs,
  randomShare: number,
): DomainVerification {
  return {
    ...proof,
    token,
    tokenIssuedAtMs: nowMs,
    status: 'pending',
    expiresAtMs: nowMs + pendingLifetimeMs,
    verifiedAtMs: null,
    verifiedBy: null,
    nextCheckAtMs: nowMs + addJitter(recheckPendingMs, randomShare),
    failures: 0,
    failingSinceMs: null,
    lastError: null,
  };
}

export function expireIfDue(proof: DomainVerification, nowMs: EpochMs): DomainVerification {
  if (proof.status !== 'pending' || proof.expiresAtMs === null || proof.expiresAtMs > nowMs) return proof;
  return { ...proof, status: 'expired', expiresAtMs: null, nextCheckAtMs: null };
}

/** `randomShare` is 0 to 1 and spreads the next re-check. Lapsed, expired and revoked ones do not change. */
export function applyCheckOutcome(
  proof: DomainVerification,
  outcome: CheckOutcome,
  nowMs: EpochMs,
  randomShare: number,
): DomainVerification {
  if (!isCheckable(proof)) return proof;
  const checked = { ...proof, lastCheckedAtMs: nowMs };
  if ('verifiedBy' in outcome) {
    return {
      ...checked,
      status: 'verified',
      expiresAtMs: null,
      verifiedAtMs: proof.verifiedAtMs ?? nowMs,
      verifiedBy: outcome.verifiedBy,
      nextCheckAtMs: nowMs + addJitter(recheckVerifiedMs, randomShare),
      failures: 0,
      failingSinceMs: null,
      lastError: null,
    };
  }
  const failed = {
    ...checked,
    failures: proof.failures + 1,
    failingSinceMs: proof.failingSinceMs ?? nowMs,
    lastError: outcome.failure,
  };
  if (proof.status === 'pending') {
    return { ...failed, nextCheckAtMs: nowMs + addJitter(recheckPendingMs, randomShare) };
  }
  if (failed.failures >= lapseAfterFailures && nowMs - failed.failingSinceMs >= lapseAfterMs) {
    return { ...failed, status: 'lapsed', nextCheckAtMs: null };
  }
  return { ...failed, status: 'failing', nextCheckAtMs: nowMs + addJitter(recheckFailingMs, randomShare) };
}

export function lapsesAtMs({ status, failingSinceMs }: DomainVerification): EpochMs | null {
  return status === 'failing' && failingSinceMs !== null ? failingSinceMs + lapseAfterMs : null;
}

export function markRevoked(proof: DomainVerification): DomainVerification {
  return { ...proof, status: 'revoked', expiresAtMs: null, nextCheckAtMs: null };
}

export function isCheckable(proof: DomainVerification): boolean {
  return proof.status === 'pending' || proof.status === 'verified' || proof.status === 'failing';
}

/** A failing verification still counts as verified, until it lapses. */
export function countsAsVerified(proof: DomainVerification): boolean {
  return proof.status === 'verified' || proof.status === 'failing';
}

function addJitter(intervalMs: number, randomShare: number): number {
  return Math.round(intervalMs * (1 - jitterShare + 2 * jitterShare * randomShare));
}
