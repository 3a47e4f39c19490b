// Names of hosts as they are listed and written: their one spelling in ASCII, wildcards. Pure.
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { foldText } from './fold-text.ts';

const nameCharactersMax = 253;

export const labelCharactersMax = 63;

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
  // The URL parser reads `0x7f.1` as an IP address; browsers never send a host in that form.
  if (!URL.canParse(`http://${spelled.ascii}/`)) return null;
  if (new URL(`http://${spelled.ascii}/`).hostname !== spelled.ascii) return null;
  return wildcard ? `*.${spelled.ascii}` : spelled.ascii;
}

/**
 * Whether a listed host (exact, or `*.` and a name) covers `host`. `*.shop.test` does not cover `shop.test`.
 */
export function listedHostMatches(listed: string, host: string): boolean {
  if (!listed.startsWith('*.')) return listed === host;
  return host.length > listed.length - 1 && host.endsWith(listed.slice(1));
}

/**
 * Whether a listed host holds a text, in ASCII or as people write it, whatever the case of either (D-118).
 */
export function listedHostHolds(listed: string, text: string): boolean {
  const sought = foldText(text.trim());
  return listed.includes(sought) || foldText(domainToUnicode(listed)).includes(sought);
}

type Spelled = { readonly ok: true; readonly ascii: string } | { readonly ok: false; readonly why: string };

/** The one ASCII spelling of a name, or a refusal of what a lenient parser would drop or reinterpret. */
export function asciiName(text: string): Spelled {
  const wrong = (why: string): Spelled => ({ ok: false, why });
  if (text.length > nameCharactersMax + 1) return wrong('The domain is longer than 253 characters.');
  // ASCII other than letters, digits, hyphen, dot and underscore is never part of a name: ports, paths,
  // credentials, escapes and control characters end here, before any URL parser sees them.
  if (/[^A-Za-z0-9._\-\u0080-\u{10ffff}]/u.test(text)) {
    return wrong('The domain contains an invalid character.');
  }
  // IDNA drops invisible characters, so with them one name would have two spellings.
  if (/\p{Default_Ignorable_Code_Point}/u.test(text)) {
    return wrong('The domain contains an invisible character.');
  }
  const dotted = text.replaceAll(/[\u3002\uff0e\uff61]/g, '.');
  const rooted = dotted.endsWith('.') ? dotted.slice(0, -1) : dotted;
  const ascii = domainToASCII(rooted.normalize('NFC')).toLowerCase();
  if (ascii === '' || ascii.length > nameCharactersMax) return wrong('The domain is not a valid hostname.');
  // The text was a number, which the parser turned into an address.
  if (isIP(ascii) !== 0 && ascii !== rooted) return wrong('An IP address is not a domain.');
  return ascii.split('.').every(isRoundTripping)
    ? { ok: true, ascii }
    : wrong('The domain is not valid IDNA.');
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

interface Reachable {
  /** Whether an address of the host may be connected to: a public one, or one that the operator named. */
  mayReach(host: string, address: string): boolean;
}

/** What is said of them. Of names that lead there, the first check or message says it. */
const privateWords = 'resolves to a private address that is not in NOTIFIER_FETCH_ALLOW.';

/**
 * The sentence that refuses a host which is a private address, or `localhost`, and is not allowed; null for
 * any other. `field` is the parameter, `host` without the brackets of an IPv6 address.
 */
export function privateHostFault(reach: Reachable, field: string, host: string): string | null {
  const name = host.replace(/\.$/, '').toLowerCase();
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  const addresses = isIP(name) !== 0 ? [name] : isLocal ? ['127.0.0.1', '::1'] : [];
  const isRefused = addresses.length > 0 && !addresses.some((address) => reach.mayReach(name, address));
  return isRefused ? `${field} ${privateWords}` : null;
}

/** The same of an address of the web. */
export function privateUrlFault(reach: Reachable, field: string, url: string): string | null {
  const { hostname } = new URL(url);
  return privateHostFault(reach, field, hostname.replace(/^\[|\]$/g, ''));
}
