// WordPress's cleaning of addresses (`sanitize_url`, used for format uri and for the Origin header).
import { lowerAscii, removeDeep } from '../php/text.ts';

const protocols: ReadonlySet<string> = new Set(
  (
    'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp ' +
    'webcal urn'
  ).split(' '),
);

/**
 * The cleaned address, `""` where its scheme is not one of WordPress's: blanks become `%20`, characters
 * outside its list and `%0d`, `%0a` go, `http://` is put before what has no scheme and no slash.
 */
export function sanitizeUrl(text: string): string {
  if (text === '') return '';
  const allowed = allowedOnly(text.replace(/^[ \t\n\r\0\v]+/, '').replaceAll(' ', '%20'));
  if (allowed === '') return '';
  const isMail = lowerAscii(allowed.slice(0, 7)) === 'mailto:';
  let url = (isMail ? allowed : removeDeep(allowed, /^%0[dDaA]$/)).replaceAll(';//', '://');
  if (!url.includes(':') && !/^[/#?]/.test(url) && !/^[a-z0-9-]+\.php/i.test(url)) url = `http://${url}`;
  if (/[[\]]/.test(url)) url = escapeBrackets(url);
  if (url.startsWith('/')) return url;
  const checked = checkScheme(url);
  return lowerAscii(checked) === lowerAscii(url) ? checked : '';
}

/** Only the characters WordPress lets stand; those outside ASCII all do. */
function allowedOnly(text: string): string {
  return text.replace(/[^A-Za-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\uffff]/g, '');
}

/** Brackets are escaped everywhere but in the front: scheme, user, host and port. */
function escapeBrackets(url: string): string {
  const front = frontOf(url);
  const rest = front === '' ? url : url.replaceAll(front, '');
  const clean = rest.replaceAll('[', '%5B').replaceAll(']', '%5D');
  return rest === '' ? url : url.replaceAll(rest, clean);
}

/**
 * `scheme://user:pass@host:port` as PHP's parse_url takes the address apart; what it cannot read has no
 * front.
 */
function frontOf(url: string): string {
  const relative = url.startsWith('/') ? '//' : '';
  const [, scheme, slashes] = /^([A-Za-z0-9+.-]+):(\/\/)?/.exec(url) ?? [];
  if (scheme === undefined && !url.startsWith('//')) return relative;
  // A scheme without slashes has no host; WordPress writes slashes after it all the same.
  if (scheme !== undefined && slashes === undefined) return `${scheme}://`;
  const start = scheme === undefined ? 2 : scheme.length + 3;
  const authority = /^[^/?#]*/.exec(url.slice(start))?.[0] ?? '';
  const host = hostOf(authority.slice(authority.lastIndexOf('@') + 1));
  if (host === null) return relative;
  const credentials = authority.slice(0, authority.lastIndexOf('@') + 1);
  return (scheme === undefined ? '//' : `${scheme}://`) + credentials + host;
}

/**
 * Host and port, or null where PHP finds none: nothing before the port, or a port that is no number up to
 * 65,535.
 */
function hostOf(text: string): string | null {
  const end = text.startsWith('[') && text.endsWith(']') ? -1 : text.lastIndexOf(':');
  const host = end < 0 ? text : text.slice(0, end);
  if (host === '') return null;
  const digits = end < 0 ? '' : text.slice(end + 1);
  if (digits === '') return host;
  // PHP reads the number at the start and does not mind what follows it.
  const port = Number(/^(?:\+?[0-9]+|-0+(?![0-9]))/.exec(digits)?.[0] ?? Number.NaN);
  return Buffer.byteLength(digits) > 5 || !(port <= 65_535) ? null : `${host}:${port || 0}`;
}

/**
 * The address with its scheme in lower case, or without it where it is not allowed; repeated until nothing
 * changes.
 */
function checkScheme(url: string): string {
  if (url.startsWith('https://') || url.startsWith('http://')) return url;
  let content = url;
  for (let round = 0; round < 6; round += 1) {
    const before = content;
    content = checkSchemeOnce(content, 1);
    if (content === before) return content;
  }
  return '';
}

function checkSchemeOnce(url: string, count: number): string {
  const closed = url.replace(/(&#0*58(?![;0-9])|&#x0*3a(?![;a-f0-9]))/gi, '$1;');
  const colon = /:|&#0*58;|&#x0*3a;|&colon;/i.exec(closed);
  if (colon === null) return closed;
  const before = closed.slice(0, colon.index);
  if (before.includes('/?')) return closed;
  const rest = closed.slice(colon.index + colon[0].length);
  const scheme = allowedScheme(before);
  if (scheme !== 'feed:') return scheme + rest;
  // What follows feed: is an address with a scheme of its own.
  if (count > 2) return '';
  const inner = checkSchemeOnce(rest, count + 1);
  return inner === '' || inner === '0' ? inner : scheme + inner;
}

function allowedScheme(text: string): string {
  const decoded = text
    .replace(/&#([0-9]+);/g, (_entity, digits: string) => byteOf(Number(digits)))
    .replace(/&#[Xx]([0-9A-Fa-f]+);/g, (_entity, digits: string) => byteOf(Number.parseInt(digits, 16)));
  const scheme = lowerAscii(decoded.replace(/[ \t\n\v\f\r\0]/g, ''));
  return protocols.has(scheme) ? `${scheme}:` : '';
}

const byteOf = (point: number) => String.fromCharCode(point % 256);
