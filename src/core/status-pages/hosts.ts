// Hosts of their own that status pages have: which may be listed, and which one a request asks. Pure.
import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { parseUrl } from '../config/values.ts';
import { invalidParam } from '../errors.ts';
import { parseDomainHost } from '../reading/host-names.ts';

/**
 * Hosts in their one spelling, each once. Refuses what is no name of a host, and those that Notifier itself
 * is found at: a host of a status page shows that page and nothing else. `askedAt` is one of them.
 */
export function hostsOf(
  given: readonly string[],
  { baseUrl, pagesUrl }: Pick<Config, 'baseUrl' | 'pagesUrl'>,
  askedAt?: string,
): string[] {
  const own = new Set(
    [baseUrl, pagesUrl?.origin].map((origin) =>
      origin == null ? null : (parseUrl(origin)?.hostname ?? null),
    ),
  );
  if (askedAt !== undefined) own.add(hostName(askedAt));
  const hosts = given.map((each) => spelled(each.trim(), own)).filter((host) => host !== null);
  return [...new Set(hosts)];
}

function spelled(host: string, own: ReadonlySet<string | null>): string | null {
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
      hosts: `hosts must hold names of hosts, such as status.shop.example: "${host}" is none.`,
    });
  }
  if (own.has(name)) {
    throw invalidParam({ hosts: `hosts: Notifier itself is at ${name}, and would be found there no more.` });
  }
  return name;
}

/** The host of a `Host` header as it would be listed, without its port. */
export function hostName(header: string): string {
  return header.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}
