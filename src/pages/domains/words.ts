// Words and marks for domains and their proofs: one spelling on the list and on the page of one.
import type { VNode } from 'preact';
import type { DomainState, ProofView } from '../../core/workspace/domains/list.ts';
import type { Shape } from '../parts/icons.ts';
import { mark } from '../parts/mark.ts';
import { distance, shortMoment } from '../words/times.ts';

const states: Readonly<Record<DomainState, readonly [Shape, string]>> = {
  verified: ['up', 'Verified'],
  pending: ['pending', 'Pending'],
  failing: ['degraded', 'Failing'],
  lapsed: ['failed', 'Lapsed'],
  expired: ['failed', 'Expired'],
  revoked: ['skipped', 'Revoked'],
  unproved: ['skipped', 'Not verified'],
};

/** The state of a domain as a mark. */
export function domainMark(state: DomainState): VNode {
  const [shape, word] = states[state];
  return mark(shape, word);
}

/** Shape and word of a state, for a column that shows the shape alone. */
export function stateShape(state: DomainState): readonly [Shape, string] {
  return states[state];
}

/** The ways of proving by their names. */
export const wayNames = {
  dns_txt: 'DNS',
  http_file: 'file',
  html_meta: 'meta tag',
  any: 'any method',
} as const;

/** In how long something will be done: `in 5 h`; `now` where its time is over. */
export function inTime(at: string | null, nowMs: number): string {
  if (at === null) return '–';
  const ms = Date.parse(at) - nowMs;
  return ms <= 0 ? 'now' : `in ${distance(ms)}`;
}

/** What is to be known of a proof in a line below its host. */
export function proofLine(proof: ProofView, nowMs: number): string {
  const on = (at: string | null): string => (at === null ? '' : ` ${shortMoment(Date.parse(at), nowMs)}`);
  const scope = proof.scope === 'subdomains' ? 'including subdomains' : 'this host only';
  switch (proof.status) {
    case 'verified':
      return scope;
    case 'pending':
      return proof.failures === 0
        ? `not checked yet, expires${on(proof.expires_at)}`
        : `not found yet, expires${on(proof.expires_at)}`;
    case 'failing':
      return `${proof.last_error ?? 'not found'}, ${proof.failures} failed in a row`;
    case 'lapsed':
      return `not found for three days, last checked${on(proof.last_checked_at)}`;
    case 'expired':
      return 'not found within 7 days';
    case 'revoked':
      return 'revoked';
  }
}
