import { toPhpString } from '../php/casts.ts';
import { phpTrim, removeNestedEscapes, toAsciiLowerCase } from '../php/strings.ts';
import { stripTags } from '../php/strip-tags.ts';
import { isPhpArray, PhpObject, type PhpValue } from '../php/values.ts';
import { SchemaError } from './error.ts';
import { sanitizeUrl } from './sanitize-url.ts';

/** WordPress's esc_html: known entities are kept. */
export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return text
    .replace(/&(?:#([xX]?)([0-9a-fA-F]+);|([A-Za-z]{2,8}[0-9]{0,2});)?/g, entity)
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
}

function entity(match: string, x?: string, digits?: string, name?: string): string {
  if (name !== undefined) return entityNames.has(name) ? match : `&amp;${match.slice(1)}`;
  if (digits === undefined) return `&amp;${match.slice(1)}`;
  const unpadded = digits.replace(/^0+/, '');
  const isHex = x !== '';
  const isInRange = isHex ? unpadded.length <= 6 : /^[0-9]{1,7}$/.test(unpadded);
  if (!isInRange || !isCharacter(Number.parseInt(unpadded, isHex ? 16 : 10))) return `&amp;${match.slice(1)}`;
  return isHex ? `&#x${unpadded};` : `&#${unpadded.padStart(3, '0')};`;
}

function isCharacter(point: number): boolean {
  if (point === 0x9 || point === 0xa || point === 0xd) return true;
  if (point >= 0x20 && point <= 0xd7ff) return true;
  return (point >= 0xe000 && point <= 0xfffd) || (point >= 0x10000 && point <= 0x10ffff);
}

const entityNames: ReadonlySet<string> = new Set(
  (
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup1 sup2 sup3 acute ' +
    'micro para middot cedil ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
    'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
    'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
    'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
    'thorn yuml quot amp lt gt OElig oelig Scaron scaron Yuml circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash ' +
    'mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger Dagger permil lsaquo rsaquo euro fnof Alpha Beta Gamma Delta ' +
    'Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha beta ' +
    'gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi ' +
    'omega thetasym upsih piv bull hellip prime Prime oline frasl weierp image real trade alefsym larr uarr rarr darr ' +
    'harr crarr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum minus lowast radic prop ' +
    'infin ang and or cap cup int sim cong asymp ne equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil ' +
    'rceil lfloor rfloor lang rang loz spades clubs hearts diams there4'
  ).split(' '),
);

const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2})(?::(\d{2}))?)?\n?$/;

/** Null also for formats that WordPress does not check (uri, hostname …). */
export function formatError(value: PhpValue, format: PhpValue, param: string): SchemaError | null {
  const text = isScalarLike(value) ? toPhpString(value) : null;
  if (format === 'hex-color') {
    return text !== null && isHexColor(text)
      ? null
      : new SchemaError('rest_invalid_hex_color', 'Invalid hex color.');
  }
  if (format === 'date-time') {
    return text !== null && parseDate(text) !== null
      ? null
      : new SchemaError('rest_invalid_date', 'Invalid date.');
  }
  if (format === 'email') {
    return text !== null && isEmail(text)
      ? null
      : new SchemaError('rest_invalid_email', 'Invalid email address.');
  }
  if (format === 'ip') {
    if (text !== null && isIpAddress(text)) return null;
    return new SchemaError('rest_invalid_ip', `${param} is not a valid IP address.`);
  }
  if (format === 'uuid') {
    // Unlike for the other formats, a number does not count as text.
    if (typeof value === 'string' && isUuid(value)) return null;
    return new SchemaError('rest_invalid_uuid', `${param} is not a valid UUID.`);
  }
  return null;
}

/** Undefined where the format does not sanitize. */
export function sanitizeByFormat(value: PhpValue, format: PhpValue): string | undefined {
  const text = isScalarLike(value) ? toPhpString(value) : '';
  if (format === 'hex-color') return sanitizeHexColor(text) ?? '';
  if (format === 'uri') return sanitizeUrl(text);
  if (format === 'textarea-field') return sanitizeTextareaField(value);
  const isTextLike = ['date-time', 'email', 'ip', 'uuid', 'text-field'].includes(toPhpString(format));
  return isTextLike ? sanitizeTextField(value) : undefined;
}

/** `\n?`: PHP's `$` matches before a final newline. */
function isHexColor(text: string): boolean {
  return /^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/.test(text);
}

export function sanitizeHexColor(text: string): string | null {
  return text === '' || isHexColor(text) ? text : null;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\n?$/.test(text);
}

/** WordPress's `is_email`. */
export function isEmail(text: string): boolean {
  if (Buffer.byteLength(text) < 6) return false;
  const at = text.indexOf('@');
  if (at < 1) return false;
  if (!/^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+\n?$/.test(text.slice(0, at))) return false;
  const labels = text.slice(at + 1).split('.');
  return labels.length >= 2 && labels.every(isDomainLabel);
}

function isDomainLabel(label: string): boolean {
  return /^[a-z0-9-]+$/i.test(label) && !label.startsWith('-') && !label.endsWith('-');
}

/** IPv4 octets may have leading zeros; IPv6 may be shortened or end in IPv4. */
export function isIpAddress(text: string): boolean {
  return ipv4.test(text) || isIpv6(text);
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\n?$/;

function isIpv6(text: string): boolean {
  const full = fillZeros(text);
  if (full === null) return false;
  const hasIpv4 = full.includes('.');
  const cut = hasIpv4 ? full.lastIndexOf(':') : full.length;
  const groups = full.slice(0, Math.max(cut, 0)).split(':');
  if (groups.length !== (hasIpv4 ? 6 : 8)) return false;
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return !hasIpv4 || isPlainIpv4(full.slice(cut + 1));
}

function fillZeros(text: string): string | null {
  const parts = text.split('::');
  const [left = '', right = ''] = parts;
  if (parts.length !== 2) return text;
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const missing = 8 - groups(left).length - groups(right).length - (right.includes('.') ? 1 : 0);
  if (missing < 0) return null;
  return [...groups(left), ...Array<string>(missing).fill('0'), ...groups(right)].join(':');
}

function isPlainIpv4(text: string): boolean {
  const octets = text.split('.');
  return (
    octets.length === 4 &&
    octets.every((octet) => /^(?:0|[1-9][0-9]{0,2})$/.test(octet) && Number(octet) <= 255)
  );
}

function isScalarLike(value: PhpValue): boolean {
  return !isPhpArray(value) && !(value instanceof PhpObject);
}

/** Unix seconds of an RFC 3339 date, or null; UTC without a zone. As in PHP, days and months that do not exist roll
 * over, hour 24 and second 60 pass (measured on PHP 8.2). `forceUtc` ignores the zone. */
export function parseDate(text: string, forceUtc = false): number | null {
  const match = dateTime.exec(forceUtc ? text.replace(/[+-]\d+:?\d+\n?$/, '+00:00') : text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, sign, zoneHour, zoneMinute] = match.map(Number);
  const inRange = isAtMost(month, 12) && isAtMost(day, 31) && isAtMost(hour, 24) && isAtMost(minute, 59);
  if (!inRange || !isAtMost(second, 60)) return null;
  const hasZoneMinute = match[9] !== undefined;
  if (hasZoneMinute && !(isAtMost(zoneHour, 24) && isAtMost(zoneMinute, 59))) return null;
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day ?? 0);
  date.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0);
  if (Number.isNaN(sign) && match[7] === undefined) return date.getTime() / 1_000;
  const offset = (zoneHour ?? 0) * 3_600 + (hasZoneMinute ? (zoneMinute ?? 0) * 60 : 0);
  return date.getTime() / 1_000 + (match[7] === '-' ? offset : -offset);
}

function isAtMost(field: number | undefined, max: number): boolean {
  return field !== undefined && field <= max;
}

/** WordPress's sanitize_text_field; arrays become `""`. */
export function sanitizeTextField(value: PhpValue): string {
  return sanitize(textOf(value), false);
}

/** The same, keeping newlines and runs of blanks. */
export function sanitizeTextareaField(value: PhpValue): string {
  return sanitize(textOf(value), true);
}

function textOf(value: PhpValue): string {
  return isPhpArray(value) || value instanceof PhpObject ? '' : toPhpString(value);
}

function sanitize(text: string, keepNewlines: boolean): string {
  // WordPress drops text with invalid UTF-8 as a whole.
  let clean = text.isWellFormed() ? text : '';
  if (clean.includes('<')) {
    clean = stripAllTags(escapeLoneLessThan(clean));
    // Removing the newline later must not leave a tag.
    clean = clean.replaceAll('<\n', '&lt;\n');
  }
  if (!keepNewlines) clean = clean.replace(/[\r\n\t ]+/g, ' ');
  return dropPercentEscapes(phpTrim(clean));
}

/** Escapes each `<` without a `>` before the next `<` or the end. */
function escapeLoneLessThan(text: string): string {
  const [head = '', ...pieces] = text.split('<');
  return (
    head + pieces.map((piece) => (piece.includes('>') ? `<${piece}` : `&lt;${escapeHtml(piece)}`)).join('')
  );
}

/** `wp_strip_all_tags`: drops scripts and styles with their content, then all tags. */
function stripAllTags(text: string): string {
  return phpTrim(stripTags(dropElements(text)));
}

function dropElements(text: string): string {
  const lower = toAsciiLowerCase(text);
  const opening = /<(script|style)/g;
  const unclosed = new Set<string>();
  let result = '';
  let start = 0;
  for (let match = opening.exec(lower); match !== null; match = opening.exec(lower)) {
    const name = match[1] ?? '';
    const end = lower.indexOf('>', opening.lastIndex);
    if (end < 0) break;
    // No closing tag ahead means none for later ones either (keeps this linear).
    const close = unclosed.has(name) ? -1 : lower.indexOf(`</${name}>`, end + 1);
    if (close < 0) {
      unclosed.add(name);
      continue;
    }
    result += text.slice(start, match.index);
    start = close + name.length + 3;
    opening.lastIndex = start;
  }
  return result + text.slice(start);
}

/** Also removes escapes that arise from removals. */
function dropPercentEscapes(text: string): string {
  const clean = removeNestedEscapes(text, /^%[a-fA-F0-9]{2}$/);
  return clean === text ? text : phpTrim(clean.replace(/ +/g, ' '));
}
