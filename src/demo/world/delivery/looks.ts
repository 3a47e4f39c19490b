// The looks at a proof, as far back as they are kept: they follow from how the proof stands, so that its page
// and its history say the same.
import { dayMs, hourMs } from '../../../core/reading/spans.ts';
import type { DomainLook, DomainProof } from '../../../core/store/domains.ts';

const looksMax = 50;
const failingEveryMs = 6 * hourMs;
/** What fails is put right in time for the last look of two days. */
const failsForMs = 2 * dayMs;

/** The looks at a proof, newest first. */
export function looksOf(proof: DomainProof): DomainLook[] {
  const { lastCheckedAtMs, status } = proof;
  if (lastCheckedAtMs === null) return [];
  const looks: DomainLook[] = [];
  const firstAtMs = proof.verifiedAtMs ?? proof.tokenIssuedAtMs + hourMs;
  const stepMs = status === 'failing' ? failingEveryMs : status === 'verified' ? dayMs : hourMs;
  for (let atMs = lastCheckedAtMs; atMs > firstAtMs && looks.length < looksMax - 1; atMs -= stepMs) {
    looks.push(status === 'failing' ? failingLook(proof, atMs) : lookAt(proof, atMs));
  }
  const first = Math.min(firstAtMs, lastCheckedAtMs);
  if (looks.length < looksMax - 1) looks.push({ ...lookAt(proof, first, true), atMs: first });
  return looks;
}

/** One that brought what the proof says. */
function lookAt(proof: DomainProof, atMs: number, isFirst = false): DomainLook {
  const isGood = proof.status === 'verified' || (isFirst && proof.verifiedAtMs !== null);
  const outcome = isGood ? 'ok' : (proof.lastError ?? 'no_record');
  const status = isGood ? 'verified' : proof.status === 'failing' ? 'failing' : 'pending';
  return { atMs, asked: isFirst, outcome, status, found: foundBy(proof, outcome) };
}

/** Before it failed it was put right, which somebody saw to. */
function failingLook(proof: DomainProof, atMs: number): DomainLook {
  const sinceMs = (atMs - (proof.failingSinceMs ?? atMs)) % failsForMs;
  const isRight = sinceMs === -failingEveryMs;
  const look = lookAt(proof, atMs);
  if (!isRight) return look;
  return { atMs, asked: true, outcome: 'ok', status: 'verified', found: foundBy(proof, 'ok') };
}

function foundBy({ method, verifiedBy }: DomainProof, code: DomainLook['outcome']): DomainLook['found'] {
  const types = method === 'any' && verifiedBy === null ? methods : [verifiedBy ?? method];
  return types.flatMap((type) => (type === 'any' ? [] : [{ type, code }]));
}

const methods = ['dns_txt', 'http_file', 'html_meta'] as const;
