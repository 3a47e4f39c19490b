// State changes of a domain verification:
// pending → verified → failing → lapsed; pending → expired; any → revoked; failing → verified.
// Lapsed and expired ones become pending again with a new token.

import type { EpochMs } from '../reading/moments.ts';
import { dayMs, hourMs } from '../reading/spans.ts';
import type { CheckFailure, DomainProof, ProofMethod } from '../store/domains.ts';

export type CheckOutcome = { readonly verifiedBy: ProofMethod } | { readonly failure: CheckFailure };

export const pendingMs = 7 * dayMs;
const recheckVerifiedMs = dayMs;
const recheckFailingMs = 6 * hourMs;
const recheckPendingMs = hourMs;
const lapseAfterFailures = 3;
const lapseAfterMs = 3 * dayMs;
/** Spreads the re-checks of verifications that were created together. */
const jitterShare = 0.1;

export function renewed(proof: DomainProof, token: string, nowMs: EpochMs, chance: number): DomainProof {
  return {
    ...proof,
    token,
    tokenIssuedAtMs: nowMs,
    status: 'pending',
    expiresAtMs: nowMs + pendingMs,
    verifiedAtMs: null,
    verifiedBy: null,
    nextCheckAtMs: nowMs + jittered(recheckPendingMs, chance),
    failures: 0,
    failingSinceMs: null,
    lastError: null,
  };
}

export function asOf(proof: DomainProof, nowMs: EpochMs): DomainProof {
  if (proof.status !== 'pending' || proof.expiresAtMs === null || proof.expiresAtMs > nowMs) return proof;
  return { ...proof, status: 'expired', expiresAtMs: null, nextCheckAtMs: null };
}

/** `chance` is 0 to 1 and spreads the next re-check. Lapsed, expired and revoked ones do not change. */
export function afterCheck(
  proof: DomainProof,
  outcome: CheckOutcome,
  nowMs: EpochMs,
  chance: number,
): DomainProof {
  if (!isChecked(proof)) return proof;
  const checked = { ...proof, lastCheckedAtMs: nowMs };
  if ('verifiedBy' in outcome) {
    return {
      ...checked,
      status: 'verified',
      expiresAtMs: null,
      verifiedAtMs: proof.verifiedAtMs ?? nowMs,
      verifiedBy: outcome.verifiedBy,
      nextCheckAtMs: nowMs + jittered(recheckVerifiedMs, chance),
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
    return { ...failed, nextCheckAtMs: nowMs + jittered(recheckPendingMs, chance) };
  }
  if (failed.failures >= lapseAfterFailures && nowMs - failed.failingSinceMs >= lapseAfterMs) {
    return { ...failed, status: 'lapsed', nextCheckAtMs: null };
  }
  return { ...failed, status: 'failing', nextCheckAtMs: nowMs + jittered(recheckFailingMs, chance) };
}

export function lapsesAtMs({ status, failingSinceMs }: DomainProof): EpochMs | null {
  return status === 'failing' && failingSinceMs !== null ? failingSinceMs + lapseAfterMs : null;
}

export function revoked(proof: DomainProof): DomainProof {
  return { ...proof, status: 'revoked', expiresAtMs: null, nextCheckAtMs: null };
}

export function isChecked(proof: DomainProof): boolean {
  return proof.status === 'pending' || proof.status === 'verified' || proof.status === 'failing';
}

/** A failing verification still counts as verified, until it lapses. */
export function isStanding(proof: DomainProof): boolean {
  return proof.status === 'verified' || proof.status === 'failing';
}

function jittered(intervalMs: number, chance: number): number {
  return Math.round(intervalMs * (1 - jitterShare + 2 * jitterShare * chance));
}
