// IP addresses in text and in fields of their own: dropped, or cut to /24 and /48 (D-21).
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { patternOf } from './kinds/patterns.ts';

/** `drop`: no address is kept. `cut`: the network is kept, the host is not. */
export type AddressRule = 'drop' | 'cut';

const droppedAddress = '[ip]';

const ipv4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/g;
const ipv6 = /(?<![\w:.])[0-9a-f:]{0,40}:[0-9a-f:.]{1,45}(?![\w:])/gi;

/** The network of an address: the first 24 bits of IPv4, 48 of IPv6; null for what is no address. */
export function networkOf(address: string): string | null {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  const text = mapped ?? address;
  if (isIPv4(text)) return `${text.slice(0, text.lastIndexOf('.'))}.0`;
  if (!isIPv6(text)) return null;
  const head = text.split('%')[0]?.split('::')[0]?.split(':') ?? [];
  const full = text.includes('::') ? head.filter((group) => group !== '') : head;
  const groups = [...full, '0', '0', '0'].slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::`;
}

/**
 * Text without the IP addresses of people: each becomes "[ip]", or its network. 127.0.0.1 and ::1 tell
 * nothing of anybody and stay.
 */
export function scrubAddresses(text: string, rule: AddressRule, hit: () => void): string {
  let clean = text;
  if (/\d\.\d{1,3}\.\d/.test(clean)) {
    clean = clean.replace(ipv4, (found: string, at: number, whole: string) => {
      if (!isIPv4(found) || isOwnAddress(found) || looksLikeVersion(whole, at)) return found;
      hit();
      return rule === 'drop' ? droppedAddress : (networkOf(found) ?? droppedAddress);
    });
  }
  if (!/:[0-9a-f]{0,4}:/i.test(clean)) return clean;
  return clean.replace(ipv6, (found: string) => {
    const address = found.replace(/[.:]$/, (end) => (found.endsWith('::') ? end : ''));
    if (!/\d/.test(address) || !isIPv6(address) || isOwnAddress(address)) return found;
    hit();
    return (
      (rule === 'drop' ? droppedAddress : (networkOf(address) ?? droppedAddress)) +
      found.slice(address.length)
    );
  });
}

/** What a field that holds addresses keeps: nothing, or the networks of those it names. */
export function addressFieldOf(value: string, rule: AddressRule): string | null {
  if (rule === 'drop') return null;
  const networks = value
    .split(/[\s,;"[\]]+/)
    .map((part) => part.replace(/^for=/i, ''))
    .map((part) => networkOf(isIP(part) === 0 ? part.replace(/:\d{1,5}$/, '') : part))
    .filter((network) => network !== null);
  return networks.length === 0 ? null : networks.join(', ');
}

function isOwnAddress(address: string): boolean {
  return /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/.test(address) || address === '::1' || address === '::';
}

const beforeVersion = patternOf(
  'i',
  String.raw`(?:[A-Za-z0-9]\/|@|\bversions?["']?\s?[:= ]?\s?["']?|\bv`,
  String.raw`|\b(?:section|chapter|clause|part|figure|table)[ -])$`,
);

/** `Chrome/120.0.0.0`, `Version=4.0.0.0`, `v1.2.3.4`, `package@1.2.3.4`. */
function looksLikeVersion(text: string, at: number): boolean {
  return beforeVersion.test(text.slice(Math.max(0, at - 16), at));
}
