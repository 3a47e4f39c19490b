// Hosts of their own that status pages have: which may be listed, and which one a request asks. Pure.
import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { parseUrl } from '../config/values.ts';
import { proofCovers } from '../domains/names.ts';
import { isStanding } from '../domains/states.ts';
import { invalidParam, RestError } from '../errors.ts';
import { parseDomainHost } from '../reading/host-names.ts';
import type { DomainProof } from '../store/domains.ts';

/**
 * Hosts in their one spelling, each once. Refuses what is no name of a host, and those that Notifier itself
 * is found at: a host of a status page shows that page and nothing else. `askedAt` is one of them.
 */
export function hostsOf(given: readonly string[], config: OwnAddresses, askedAt?: string): string[] {
  const own = new Set(ownHosts(config));
  if (askedAt !== undefined) own.add(hostName(askedAt));
  const hosts = given.map((each) => spelled(each.trim(), own)).filter((host) => host !== null);
  return [...new Set(hosts)];
}

type OwnAddresses = Pick<Config, 'baseUrl' | 'pagesUrl' | 'host'>;

/** Hosts at which the API or the workspace is by the configuration: no status page ever takes their place. */
export function ownHosts({ baseUrl, pagesUrl, host }: OwnAddresses): string[] {
  const origins = [baseUrl, pagesUrl?.origin].map((origin) => (origin == null ? null : parseUrl(origin)));
  return [...origins.flatMap((url) => url?.hostname ?? []), host.toLowerCase()];
}

/**
 * Refuses with 403 hosts that no standing proof of the project covers: whose they are decides what everybody
 * sees there, and no project may take the host of another.
 */
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
  // Names without a dot, and addresses, are those of machines.
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

/** The host of a `Host` header as it would be listed, without its port. */
export function hostName(header: string): string {
  return header.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}
