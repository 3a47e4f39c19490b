import { isIP, isIPv4, isIPv6 } from 'node:net';
import { characterClasses, joinPattern, textBefore } from '../table/patterns.ts';
import type { AddressRule, TextSearch } from '../table/rules.ts';

const cardSign = '[card]';
const digitsMin = 13;
const digitsMax = 19;
/** Linear: at most seven groups are read from the start of each group. */
export function scrubCards(text: string, search: TextSearch): string {
  let clean = '';
  let position = 0;
  for (let at = 0; at < text.length; ) {
    if (!isDigit(text, at)) {
      at += 1;
      continue;
    }
    const end = cardEnd(text, text[at - 1] === '%' ? at + 2 : at);
    if (end > 0 && isInDigest(text, at, end)) {
      at = end;
      continue;
    }
    if (end > 0) {
      search.hits += 1;
      clean += text.slice(position, at) + cardSign;
      position = end;
    }
    at = end > 0 ? end : groupEnd(text, at);
  }
  return clean + text.slice(position);
}

const issuers = joinPattern(
  '',
  String.raw`^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}`,
  String.raw`|6(?:011|4\d\d|5\d\d|2\d\d)\d{12})$`,
);

/** For JSON numbers. These are mostly ids and times, so a known issuer is required as well. */
export function isCardNumber(number: number): boolean {
  if (!Number.isSafeInteger(number) || number < 1e12) return false;
  const digits = String(number);
  return issuers.test(digits) && isCard(digits);
}

function cardEnd(text: string, start: number): number {
  const first = groupEnd(text, start);
  const length = first - start;
  if (length >= digitsMin) {
    return length <= digitsMax && !isFraction(text, start, first) && isCard(text.slice(start, first))
      ? first
      : 0;
  }
  // Groups of 3 to 6 digits with the same separator; the last may be shorter.
  const separator = separatorAt(text, first);
  if (length < 3 || length > 6 || separator === '') return 0;
  let digits = text.slice(start, first);
  let found = 0;
  for (let at = first; text.startsWith(separator, at) && isDigit(text, at + separator.length); ) {
    const group = at + separator.length;
    const end = groupEnd(text, group);
    if (end - group > 7 || digits.length + end - group > digitsMax) break;
    digits += text.slice(group, end);
    if (digits.length >= digitsMin && isCard(digits)) found = end;
    if (end - group < 3) break;
    at = end;
  }
  return found;
}

const digestCharsMin = 20;
const digestCharsMax = 128;

function isInDigest(text: string, from: number, to: number): boolean {
  let start = from;
  while (from - start < digestCharsMax && hexDigits[text.charCodeAt(start - 1)] === 1) start -= 1;
  let end = to;
  while (end - to < digestCharsMax && hexDigits[text.charCodeAt(end)] === 1) end += 1;
  return end - start >= digestCharsMin && /[a-f]/i.test(text.slice(start, from) + text.slice(to, end));
}

const hexDigits = characterClasses(/[0-9a-f]/i);

function groupEnd(text: string, start: number): number {
  let end = start;
  while (isDigit(text, end)) end += 1;
  return end;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function separatorAt(text: string, at: number): string {
  const char = text[at] ?? '';
  if (char === '%') return /^%2[0BD]$/i.test(text.slice(at, at + 3)) ? text.slice(at, at + 3) : '';
  if (char === ' ' && text[at + 1] === ' ') return '  ';
  return char !== '' && ' -.+\u00a0'.includes(char) ? char : '';
}

function isFraction(text: string, start: number, end: number): boolean {
  const separator = separatorAt(text, end);
  const continues = separator !== '' && isDigit(text, end + separator.length);
  return text[start - 1] === '.' && isDigit(text, start - 2) && !continues;
}

/** Luhn. Cards never start with 0, and with 1 only at 15 digits. Excludes times and dates. */
function isCard(digits: string): boolean {
  if (digits.length < digitsMin || digits.length > digitsMax || digits.startsWith('0')) return false;
  if (digits.startsWith('1') && digits.length !== 15) return false;
  if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d/.test(digits)) {
    return false;
  }
  let sum = 0;
  for (let at = digits.length - 1, double = false; at >= 0; at -= 1, double = !double) {
    const digit = digits.charCodeAt(at) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

const droppedAddress = '[ip]';

const ipv4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/g;
const ipv6 = /(?<![\w:.])[0-9a-f:]{0,40}:[0-9a-f:.]{1,45}(?![\w:])/gi;

/** Network of an IP address: 24 bits of IPv4, 48 of IPv6; null for other text. */
export function truncateIpAddress(address: string): string | null {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  const text = mapped ?? address;
  if (isIPv4(text)) return `${text.slice(0, text.lastIndexOf('.'))}.0`;
  if (!isIPv6(text)) return null;
  const head = text.split('%')[0]?.split('::')[0]?.split(':') ?? [];
  const full = text.includes('::') ? head.filter((group) => group !== '') : head;
  const groups = [...full, '0', '0', '0'].slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::`;
}

/** Replaces IP addresses by "[ip]" or their network. 127.0.0.1 and ::1 are kept. */
export function scrubAddresses(text: string, search: TextSearch): string {
  const scrubbed = (address: string): string => {
    search.hits += 1;
    return (search.addresses === 'cut' ? truncateIpAddress(address) : null) ?? droppedAddress;
  };
  let clean = text;
  if (/\d\.\d{1,3}\.\d/.test(clean)) {
    clean = clean.replace(ipv4, (found: string, at: number, input: string) => {
      return !isIPv4(found) || isOwnAddress(found) || looksLikeVersion(input, at) ? found : scrubbed(found);
    });
  }
  if (!/:[0-9a-f]{0,4}:/i.test(clean)) return clean;
  return clean.replace(ipv6, (found: string) => {
    const address = found.replace(/[.:]$/, (end) => (found.endsWith('::') ? end : ''));
    if (!/\d/.test(address) || !isIPv6(address) || isOwnAddress(address)) return found;
    return scrubbed(address) + found.slice(address.length);
  });
}

export function scrubAddressField(value: string, rule: AddressRule): string | null {
  if (rule === 'drop') return null;
  const networks = value
    .split(/[\s,;"[\]]+/)
    .map((part) => part.replace(/^for=/i, ''))
    .map((part) => truncateIpAddress(isIP(part) === 0 ? part.replace(/:\d{1,5}$/, '') : part))
    .filter((network) => network !== null);
  return networks.length === 0 ? null : networks.join(', ');
}

function isOwnAddress(address: string): boolean {
  return /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/.test(address) || address === '::1' || address === '::';
}

const beforeVersion = joinPattern(
  'i',
  String.raw`(?:[A-Za-z0-9]\/|@|\bversions?["']?\s?[:= ]?\s?["']?|\bv`,
  String.raw`|\b(?:section|chapter|clause|part|figure|table)[ -])$`,
);

/** `Chrome/120.0.0.0`, `Version=4.0.0.0`, `v1.2.3.4`, `package@1.2.3.4`. */
function looksLikeVersion(text: string, at: number): boolean {
  return beforeVersion.test(textBefore(text, at, 16));
}
