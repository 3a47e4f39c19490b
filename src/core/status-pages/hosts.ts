// Custom domains of status pages.
import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { parseUrl } from '../config/values.ts';
import { proofCovers } from '../domains/names.ts';
import { isStanding } from '../domains/states.ts';
import { invalidParam, RestError } from '../errors.ts';
import { parseDomainHost } from '../reading/host-names.ts';
import type { DomainProof } from '../store/domains.ts';

/** Normalizes hosts. Throws 400 for invalid ones and for hosts that Notifier itself uses. */
export function hostsOf(given: readonly string[], config: OwnAddresses, askedAt?: string): string[] {
  const own = new Set(ownHosts(config));
  if (askedAt !== undefined) own.add(hostName(askedAt));
  const hosts = given.map((each) => spelled(each.trim(), own)).filter((host) => host !== null);
  return [...new Set(hosts)];
}

type OwnAddresses = Pick<Config, 'baseUrl' | 'pagesUrl' | 'host'>;

export function ownHosts({ baseUrl, pagesUrl, host }: OwnAddresses): string[] {
  const origins = [baseUrl, pagesUrl?.origin].map((origin) => (origin == null ? null : parseUrl(origin)));
  return [...origins.flatMap((url) => url?.hostname ?? []), host.toLowerCase()];
}

/** Throws 403 for hosts without a verified domain: no project can take another's host. */
export function requireVerified(hosts: readonly string[], proofs: readonly DomainProof[]): void {
  const standing = proofs.filter(isStanding);
  const missing = hosts.find(
    (host) => !standing.some((proof) => proofCovers(proof.domain, proof.scope, host)),
  );
  if (missing === undefined) return;
  const words = `hosts: ${missing} requires a verified domain of this project, or an admin of the workspace.`;
  throw new RestError('rest_forbidden', words, 403, { reason: 'unverified_domain' });
}

function spelled(host: string, own: ReadonlySet<string>): string | null {
  if (host === '') return null;
  const name = parseDomainHost(host);
  // IP addresses and names without a dot are not public.
  if (
    name === null ||
    !name.includes('.') ||
    name.startsWith('*.') ||
    isIP(name) !== 0 ||
    name.startsWith('[')
  ) {
    throw invalidParam({
      hosts: `hosts must be hostnames, for example status.shop.example: "${host}" is invalid.`,
    });
  }
  if (own.has(name)) {
    throw invalidParam({ hosts: `hosts: ${name} is used by Notifier itself.` });
  }
  return name;
}

export function hostName(header: string): string {
  return header.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}
