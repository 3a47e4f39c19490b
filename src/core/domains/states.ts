// The life of a domain proof: which state follows from which event. Pure; the time and the chance come from
// the caller.
//   pending → verified → failing → lapsed      pending → expired      any → revoked
//   failing → verified when a re-check succeeds; lapsed and expired become pending again with a new token

import type { EpochMs } from '../reading/moments.ts';
import { dayMs, hourMs } from '../reading/spans.ts';
import type { CheckFailure, DomainProof, ProofMethod } from '../store/domains.ts';

/** What a check found: the method that proved, or else the word of the failure. */
export type CheckOutcome = { readonly verifiedBy: ProofMethod } | { readonly failure: CheckFailure };

export const pendingMs = 7 * dayMs;
const recheckVerifiedMs = dayMs;
const recheckFailingMs = 6 * hourMs;
const recheckPendingMs = hourMs;
const lapseAfterFailures = 3;
const lapseAfterMs = 3 * dayMs;
/** Re-checks are spread by a tenth either way, so that proofs made together do not stay together. */
const jitterShare = 0.1;

/** The proof once more pending, with a new token: what becomes of one that lapsed, expired or was revoked. */
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

/** A pending proof whose week is over is expired; every other proof is what it was. */
export function asOf(proof: DomainProof, nowMs: EpochMs): DomainProof {
  if (proof.status !== 'pending' || proof.expiresAtMs === null || proof.expiresAtMs > nowMs) return proof;
  return { ...proof, status: 'expired', expiresAtMs: null, nextCheckAtMs: null };
}

/**
 * The proof after a check at `nowMs`. `chance` is 0 to 1 and spreads the next re-check. States that are not
 * checked (lapsed, expired, revoked) stay. docs/domains.md, "The life of a proof".
 */
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

/** From when on a failing proof lapses at the next check that fails; null for one that does not fail. */
export function lapsesAtMs({ status, failingSinceMs }: DomainProof): EpochMs | null {
  return status === 'failing' && failingSinceMs !== null ? failingSinceMs + lapseAfterMs : null;
}

/** Withdrawn for good by its project; only a new POST for the domain makes it pending again. */
export function revoked(proof: DomainProof): DomainProof {
  return { ...proof, status: 'revoked', expiresAtMs: null, nextCheckAtMs: null };
}

/**
 * Whether a check of this proof can find anything: the others have no token that anyone was told to publish.
 */
export function isChecked(proof: DomainProof): boolean {
  return proof.status === 'pending' || proof.status === 'verified' || proof.status === 'failing';
}

/** Whether the proof stands: also while re-checks fail, until it lapses. */
export function isStanding(proof: DomainProof): boolean {
  return proof.status === 'verified' || proof.status === 'failing';
}

function jittered(intervalMs: number, chance: number): number {
  return Math.round(intervalMs * (1 - jitterShare + 2 * jitterShare * chance));
}
