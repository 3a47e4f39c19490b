import type { DomainState, VerificationView } from '../../core/page-models/domains/list.ts';
import { type IconName, statusMark } from '../components/icons.ts';
import type { VNode } from '../el.ts';
import { formatAge, formatShortTime } from '../formatters.ts';

export const domainStates: Readonly<Record<DomainState, readonly [IconName, string]>> = {
  verified: ['up', 'Verified'],
  pending: ['pending', 'Pending'],
  failing: ['degraded', 'Failing'],
  lapsed: ['failed', 'Lapsed'],
  expired: ['failed', 'Expired'],
  revoked: ['skipped', 'Revoked'],
  unproved: ['skipped', 'Not verified'],
};

export function domainMark(state: DomainState): VNode {
  return statusMark(...domainStates[state]);
}

export const methodNames = {
  dns_txt: 'DNS',
  http_file: 'file',
  html_meta: 'meta tag',
  any: 'any method',
} as const;

/** `in 5 h`; `now` if the time has passed. */
export function dueInText(at: string | null, nowMs: number): string {
  if (at === null) return '–';
  const ms = Date.parse(at) - nowMs;
  return ms <= 0 ? 'now' : `in ${formatAge(ms)}`;
}

export function verificationSummary(proof: VerificationView, nowMs: number): string {
  const on = (at: string | null): string => (at === null ? '' : ` ${formatShortTime(Date.parse(at), nowMs)}`);
  const scope = proof.scope === 'subdomains' ? 'including subdomains' : 'this host only';
  const looked = proof.failures === 0 ? 'not checked yet' : 'not found yet';
  const texts: Readonly<Record<VerificationView['status'], string>> = {
    verified: scope,
    pending: `${looked}, expires${on(proof.expires_at)}`,
    failing: `${proof.last_error ?? 'not found'}, ${proof.failures} failed in a row`,
    lapsed: `not found for three days, last checked${on(proof.last_checked_at)}`,
    expired: 'not found within 7 days',
    revoked: 'revoked',
  };
  return texts[proof.status];
}
