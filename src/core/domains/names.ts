// Names of domains: which names can be proved, which hosts a project may list, which names a proof covers.
// Pure.

import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { asciiName, labelCharactersMax } from '../reading/host-names.ts';
import type { ProofScope } from '../store/domains.ts';

interface ProvableName {
  /** Lower-case ASCII, A-labels, no root dot. */
  readonly ascii: string;
  readonly unicode: string;
  /** The registrable domain: one label below the public suffix. */
  readonly apex: string;
  /**
   * True below a suffix of the list's private part, such as `github.io`, where only the host itself can be
   * proved.
   */
  readonly belowPrivateSuffix: boolean;
}

export type NameVerdict =
  | { readonly ok: true; readonly name: ProvableName }
  | { readonly ok: false; readonly why: string };

/**
 * Top-level names that mean "inside", "nowhere" or "not DNS" (RFC 6761, 6762, 7686, 8375, 9476; ICANN's
 * .internal).
 */
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

const refused = (why: string): NameVerdict => ({ ok: false, why });

/**
 * Admits a name whose ownership can be proved: a registrable domain or a name below one, in any case, in
 * Unicode or ASCII, with or without the root dot. Refuses addresses, reserved names, public suffixes and
 * every spelling that a URL parser would silently change (docs/domains.md, "What a proof is").
 */
export function admitProvableName(input: unknown): NameVerdict {
  if (typeof input !== 'string') return refused('The domain must be a string.');
  const spelled = asciiName(input);
  if (!spelled.ok) return spelled;
  const ascii = spelled.ascii;
  const labels = ascii.split('.');
  const top = labels.at(-1) ?? '';
  if (isIP(ascii) !== 0 || /^(\d+|0x[0-9a-f]*)$/.test(top)) return refused('An IP address is not a domain.');
  if (!labels.every(isHostLabel)) return refused('The domain is not a valid hostname.');
  if (reservedTopLabels.has(top)) return refused('The domain is reserved and cannot be verified.');
  const suffix = parse(ascii, { allowPrivateDomains: true });
  if (suffix.isIcann !== true && suffix.isPrivate !== true) {
    return refused('The domain does not end with a known public suffix.');
  }
  if (suffix.domain === null) return refused('The domain is a public suffix, which has no single owner.');
  const name = {
    ascii,
    unicode: domainToUnicode(ascii),
    apex: suffix.domain,
    belowPrivateSuffix: suffix.isPrivate === true,
  };
  return { ok: true, name };
}

/**
 * Whether a proof of `domain` with `scope` covers `host`. A proof of names below never reaches past another
 * public suffix: one of `example.com` says nothing about a customer's name below a suffix that lies under it.
 */
export function proofCovers(domain: string, scope: ProofScope, host: string): boolean {
  if (host === domain) return true;
  if (scope !== 'subdomains' || !host.endsWith(`.${domain}`)) return false;
  const apexOf = (name: string) => parse(name, { allowPrivateDomains: true }).domain;
  return apexOf(host) !== null && apexOf(host) === apexOf(domain);
}

/** LDH, 1 to 63 characters, no hyphen at an end; `--` in third and fourth place only in an A-label. */
function isHostLabel(label: string): boolean {
  if (label.length > labelCharactersMax || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)) return false;
  return label.slice(2, 4) !== '--' || label.startsWith('xn--');
}
