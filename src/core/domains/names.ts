import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { labelCharactersMax, toAsciiHostName } from '../parsing/host-names.ts';
import type { VerificationScope } from '../store/domains.ts';

interface VerifiableName {
  /** Lower-case ASCII (punycode), without the root dot. */
  readonly ascii: string;
  readonly unicode: string;
  /** The registrable domain: one label below the public suffix. */
  readonly apex: string;
  /** True below a private suffix such as `github.io`; then only the host itself can be verified. */
  readonly belowPrivateSuffix: boolean;
}

export type DomainNameResult =
  | { readonly ok: true; readonly name: VerifiableName }
  | { readonly ok: false; readonly reason: string };

/** Reserved top-level domains (RFC 6761, 6762, 7686, 8375, 9476; ICANN's .internal). */
const reservedTopLabels: ReadonlySet<string> = new Set([
  'alt',
  'arpa',
  'example',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
]);

/** At the first use: the list takes 7 MiB. */
const loadSuffixes = (): typeof import('tldts') => createRequire(import.meta.url)('tldts');

const refuseName = (reason: string): DomainNameResult => ({ ok: false, reason });

/** Accepts a registrable domain or a name below one, in Unicode or ASCII. Refuses IP addresses, reserved names,
 * public suffixes and spellings that a URL parser would silently change. */
export function parseVerifiableName(input: unknown): DomainNameResult {
  if (typeof input !== 'string') return refuseName('The domain must be a string.');
  const spelled = toAsciiHostName(input);
  if (!spelled.ok) return spelled;
  const ascii = spelled.ascii;
  const labels = ascii.split('.');
  const top = labels.at(-1) ?? '';
  if (isIP(ascii) !== 0 || /^(\d+|0x[0-9a-f]*)$/.test(top))
    return refuseName('An IP address is not a domain.');
  if (!labels.every(isHostLabel)) return refuseName('The domain is not a valid hostname.');
  if (reservedTopLabels.has(top)) return refuseName('The domain is reserved and cannot be verified.');
  const suffix = loadSuffixes().parse(ascii, { allowPrivateDomains: true });
  if (suffix.isIcann !== true && suffix.isPrivate !== true) {
    return refuseName('The domain does not end with a known public suffix.');
  }
  if (suffix.domain === null) return refuseName('The domain is a public suffix, which has no single owner.');
  const name = {
    ascii,
    unicode: domainToUnicode(ascii),
    apex: suffix.domain,
    belowPrivateSuffix: suffix.isPrivate === true,
  };
  return { ok: true, name };
}

/** Stops at public suffixes below the domain, because names under those belong to others. */
export function verificationCovers(domain: string, scope: VerificationScope, host: string): boolean {
  if (host === domain) return true;
  if (scope !== 'subdomains' || !host.endsWith(`.${domain}`)) return false;
  const apexOf = (name: string) => loadSuffixes().parse(name, { allowPrivateDomains: true }).domain;
  return apexOf(host) !== null && apexOf(host) === apexOf(domain);
}

/** LDH label. `--` in third and fourth place is only allowed in an A-label (`xn--`). */
function isHostLabel(label: string): boolean {
  if (label.length > labelCharactersMax || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)) return false;
  return label.slice(2, 4) !== '--' || label.startsWith('xn--');
}
