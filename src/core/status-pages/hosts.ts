import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { verificationCovers } from '../domains/names.ts';
import { countsAsVerified } from '../domains/verification-states.ts';
import { createInvalidParamError, RestError } from '../errors.ts';
import { parseListedHost } from '../parsing/host-names.ts';
import type { DomainVerification } from '../store/domains.ts';

/** Normalizes hosts. Throws 400 for invalid ones and for hosts that Notifier itself uses. */
export function readHosts(hostTexts: readonly string[], config: OwnAddresses, askedAt?: string): string[] {
  const ownHosts = new Set(listOwnHosts(config));
  if (askedAt !== undefined) ownHosts.add(parseHostHeader(askedAt));
  const hosts = hostTexts.map((each) => normalizeHost(each.trim(), ownHosts)).filter((host) => host !== null);
  return [...new Set(hosts)];
}

type OwnAddresses = Pick<Config, 'baseUrl' | 'pagesUrl' | 'host'>;

export function listOwnHosts({ baseUrl, pagesUrl, host }: OwnAddresses): string[] {
  const hosts = [baseUrl, pagesUrl?.origin].flatMap((origin) => URL.parse(origin ?? '')?.hostname ?? []);
  return [...hosts, host.toLowerCase()];
}

/** Throws 403 for hosts without a verified domain: no project can take another's host. */
export function requireVerifiedHosts(hosts: readonly string[], proofs: readonly DomainVerification[]): void {
  const verified = proofs.filter(countsAsVerified);
  const missing = hosts.find(
    (host) => !verified.some((proof) => verificationCovers(proof.domain, proof.scope, host)),
  );
  if (missing === undefined) return;
  const words = `hosts: ${missing} requires a verified domain of this project, or an admin of the workspace.`;
  throw new RestError('rest_forbidden', words, 403, { reason: 'unverified_domain' });
}

function normalizeHost(host: string, ownHosts: ReadonlySet<string>): string | null {
  if (host === '') return null;
  const name = parseListedHost(host);
  // IP addresses and names without a dot are not public.
  if (
    name === null ||
    !name.includes('.') ||
    name.startsWith('*.') ||
    isIP(name) !== 0 ||
    name.startsWith('[')
  ) {
    throw createInvalidParamError({
      hosts: `hosts must be hostnames, for example status.shop.example: "${host}" is invalid.`,
    });
  }
  if (ownHosts.has(name)) {
    throw createInvalidParamError({ hosts: `hosts: ${name} is used by Notifier itself.` });
  }
  return name;
}

export function parseHostHeader(header: string): string {
  return header.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}
