import { isIP, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { foldCase } from './fold-text.ts';

const nameCharactersMax = 253;

export const labelCharactersMax = 63;

/** A listed host in normal form, or null: any name (`my_pc`), IPv4, bracketed IPv6, or `*.name`; no port. */
export function parseListedHost(text: string): string | null {
  const wildcard = text.startsWith('*.');
  const rest = wildcard ? text.slice(2) : text;
  if (rest.startsWith('[') && rest.endsWith(']')) {
    const isAddress = isIPv6(rest.slice(1, -1)) && !rest.includes('%');
    return isAddress && !wildcard ? new URL(`http://${rest}/`).hostname : null;
  }
  const spelled = toAsciiHostName(rest);
  if (!spelled.ok) return null;
  if (isIPv4(spelled.ascii)) return wildcard ? null : spelled.ascii;
  if (!spelled.ascii.split('.').every(isListedLabel)) return null;
  // The URL parser reads `0x7f.1` as an IP address; browsers never send such a host.
  if (!URL.canParse(`http://${spelled.ascii}/`)) return null;
  if (new URL(`http://${spelled.ascii}/`).hostname !== spelled.ascii) return null;
  return wildcard ? `*.${spelled.ascii}` : spelled.ascii;
}

/** `*.shop.test` does not match `shop.test`. */
export function matchesListedHost(listed: string, host: string): boolean {
  if (!listed.startsWith('*.')) return listed === host;
  return host.length > listed.length - 1 && host.endsWith(listed.slice(1));
}

/** Search in the ASCII and the Unicode form, case-insensitive. */
export function listedHostContains(listed: string, text: string): boolean {
  const query = foldCase(text.trim());
  return listed.includes(query) || foldCase(domainToUnicode(listed)).includes(query);
}

type HostNameResult =
  | { readonly ok: true; readonly ascii: string }
  | { readonly ok: false; readonly reason: string };

/** Converts a name to ASCII; refuses what a lenient parser would drop or reinterpret. */
export function toAsciiHostName(text: string): HostNameResult {
  const refuse = (reason: string): HostNameResult => ({ ok: false, reason });
  if (text.length > nameCharactersMax + 1) return refuse('The domain is longer than 253 characters.');
  // Ports, paths, credentials, escapes and control characters must not reach the URL parser.
  if (/[^A-Za-z0-9._\-\u0080-\u{10ffff}]/u.test(text)) {
    return refuse('The domain contains an invalid character.');
  }
  // IDNA drops invisible characters, so one name would have two spellings.
  if (/\p{Default_Ignorable_Code_Point}/u.test(text)) {
    return refuse('The domain contains an invisible character.');
  }
  const dotted = text.replaceAll(/[\u3002\uff0e\uff61]/g, '.');
  const rooted = dotted.endsWith('.') ? dotted.slice(0, -1) : dotted;
  const ascii = domainToASCII(rooted.normalize('NFC')).toLowerCase();
  if (ascii === '' || ascii.length > nameCharactersMax) return refuse('The domain is not a valid hostname.');
  // The text was a number that the parser turned into an address.
  if (isIP(ascii) !== 0 && ascii !== rooted) return refuse('An IP address is not a domain.');
  return ascii.split('.').every(isRoundTripping)
    ? { ok: true, ascii }
    : refuse('The domain is not valid IDNA.');
}

function isListedLabel(label: string): boolean {
  return label.length <= labelCharactersMax && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label);
}

/** An `xn--` label must equal the encoding of its own Unicode form. */
function isRoundTripping(label: string): boolean {
  if (!label.startsWith('xn--')) return true;
  const unicode = domainToUnicode(label);
  return unicode !== label && domainToASCII(unicode) === label;
}

interface PrivateAddressCheck {
  mayReach(host: string, address: string): boolean;
}

/** Names that resolve to a private address are refused at the first connection. */
const privateWords = 'resolves to a private address that is not in NOTIFIER_FETCH_ALLOW.';

/** Error for a private address or `localhost` that is not allowed; null otherwise. `host` has no brackets. */
export function findPrivateHostError(reach: PrivateAddressCheck, field: string, host: string): string | null {
  const name = host.replace(/\.$/, '').toLowerCase();
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  const addresses = isIP(name) !== 0 ? [name] : isLocal ? ['127.0.0.1', '::1'] : [];
  const isRefused = addresses.length > 0 && !addresses.some((address) => reach.mayReach(name, address));
  return isRefused ? `${field} ${privateWords}` : null;
}

export function findPrivateUrlError(reach: PrivateAddressCheck, field: string, url: string): string | null {
  const { hostname } = new URL(url);
  return findPrivateHostError(reach, field, hostname.replace(/^\[|\]$/g, ''));
}
