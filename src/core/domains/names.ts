// Names of domains: which names can be proved, which hosts a project may list, which names a proof covers. Pure.
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';

/** What a proof is about: the one host, or that host and all names below it (D-22). */
export type ProofScope = 'host' | 'subdomains';

export interface ProvableName {
  /** Lower-case ASCII, A-labels, no root dot. */
  readonly ascii: string;
  readonly unicode: string;
  /** The registrable domain: one label below the public suffix. */
  readonly apex: string;
  /** True below a suffix of the list's private part, such as `github.io`, where only the host itself can be proved. */
  readonly belowPrivateSuffix: boolean;
}

export type NameVerdict =
  | { readonly ok: true; readonly name: ProvableName }
  | { readonly ok: false; readonly why: string };

const nameCharactersMax = 253;
const labelCharactersMax = 63;

/** Top-level names that mean "inside", "nowhere" or "not DNS" (RFC 6761, 6762, 7686, 8375, 9476; ICANN's .internal). */
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
  if (isIP(ascii) !== 0 || /^(\d+|0x[0-9a-f]*)$/.test(top)) return refused('An address is not a domain.');
  if (!labels.every(isHostLabel)) return refused('The domain is not a valid host name.');
  if (reservedTopLabels.has(top)) return refused('The domain is reserved and cannot be proved.');
  const suffix = parse(ascii, { allowPrivateDomains: true });
  if (suffix.isIcann !== true && suffix.isPrivate !== true)
    return refused('The domain ends in no known public suffix.');
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
 * Whether a proof of `domain` with `scope` covers `host`. A proof of names below never reaches past another public
 * suffix: one of `example.com` says nothing about a customer's name below a suffix that lies under it.
 */
export function proofCovers(domain: string, scope: ProofScope, host: string): boolean {
  if (host === domain) return true;
  if (scope !== 'subdomains' || !host.endsWith(`.${domain}`)) return false;
  const apexOf = (name: string) => parse(name, { allowPrivateDomains: true }).domain;
  return apexOf(host) !== null && apexOf(host) === apexOf(domain);
}

/**
 * A host for a project's list of domains, in its stored form, or null: a name of any kind (`localhost`,
 * `shop.test`, `my_pc`), an IPv4 or bracketed IPv6 address, or `*.` and a name. No port, no scheme. The rules
 * for names that can be proved do not apply (D-23).
 */
export function parseDomainHost(text: string): string | null {
  const wildcard = text.startsWith('*.');
  const rest = wildcard ? text.slice(2) : text;
  if (rest.startsWith('[') && rest.endsWith(']')) {
    const isAddress = isIPv6(rest.slice(1, -1)) && !rest.includes('%');
    return isAddress && !wildcard ? new URL(`http://${rest}/`).hostname : null;
  }
  const spelled = asciiName(rest);
  if (!spelled.ok) return null;
  if (isIPv4(spelled.ascii)) return wildcard ? null : spelled.ascii;
  if (!spelled.ascii.split('.').every(isListedLabel)) return null;
  // What the URL parser reads as a number is an address in disguise, and no browser ever names it so.
  if (!URL.canParse(`http://${spelled.ascii}/`)) return null;
  if (new URL(`http://${spelled.ascii}/`).hostname !== spelled.ascii) return null;
  return wildcard ? `*.${spelled.ascii}` : spelled.ascii;
}

/** Whether a listed host (exact, or `*.` and a name) speaks of `host`; a wildcard does not speak of the name itself. */
export function listedHostMatches(listed: string, host: string): boolean {
  if (!listed.startsWith('*.')) return listed === host;
  return host.length > listed.length - 1 && host.endsWith(listed.slice(1));
}

type Spelled = { readonly ok: true; readonly ascii: string } | { readonly ok: false; readonly why: string };

/** The one ASCII spelling of a name, or a refusal of what a lenient parser would drop or reinterpret. */
function asciiName(text: string): Spelled {
  const wrong = (why: string): Spelled => ({ ok: false, why });
  if (text.length > nameCharactersMax + 1) return wrong('The domain is longer than 253 characters.');
  // ASCII other than letters, digits, hyphen, dot and underscore is never part of a name: ports, paths, credentials,
  // escapes and control characters end here, before any URL parser sees them.
  if (/[^A-Za-z0-9._\-\u0080-\u{10ffff}]/u.test(text))
    return wrong('The domain holds a character no name has.');
  // Invisible characters vanish in IDNA: two spellings of one name.
  if (/\p{Default_Ignorable_Code_Point}/u.test(text))
    return wrong('The domain holds an invisible character.');
  const dotted = text.replaceAll(/[\u3002\uff0e\uff61]/g, '.');
  const rooted = dotted.endsWith('.') ? dotted.slice(0, -1) : dotted;
  const ascii = domainToASCII(rooted.normalize('NFC')).toLowerCase();
  if (ascii === '' || ascii.length > nameCharactersMax) return wrong('The domain is not a valid host name.');
  // The parser makes an address of a number: the text was no name to begin with.
  if (isIP(ascii) !== 0 && ascii !== rooted) return wrong('An address is not a domain.');
  return ascii.split('.').every(isRoundTripping)
    ? { ok: true, ascii }
    : wrong('The domain is not valid IDNA.');
}

/** LDH, 1 to 63 characters, no hyphen at an end; `--` in third and fourth place only in an A-label. */
function isHostLabel(label: string): boolean {
  if (label.length > labelCharactersMax || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)) return false;
  return label.slice(2, 4) !== '--' || label.startsWith('xn--');
}

function isListedLabel(label: string): boolean {
  return label.length <= labelCharactersMax && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label);
}

/** An A-label must be what its own Unicode form would be written as; other labels always are. */
function isRoundTripping(label: string): boolean {
  if (!label.startsWith('xn--')) return true;
  const unicode = domainToUnicode(label);
  return unicode !== label && domainToASCII(unicode) === label;
}
