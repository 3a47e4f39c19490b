// WordPress's `sanitize_url`, for format uri and the Origin header.
import { removeNestedEscapes, toAsciiLowerCase } from '../php/strings.ts';

const protocols: ReadonlySet<string> = new Set(
  (
    'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp ' +
    'webcal urn'
  ).split(' '),
);

/** `""` for schemes that WordPress does not allow. Adds `http://` where there is no scheme and no slash; removes
 * invalid characters, `%0d` and `%0a`. */
export function sanitizeUrl(text: string): string {
  if (text === '') return '';
  const allowed = allowedOnly(text.replace(/^[ \t\n\r\0\v]+/, '').replaceAll(' ', '%20'));
  if (allowed === '') return '';
  const isMail = toAsciiLowerCase(allowed.slice(0, 7)) === 'mailto:';
  let url = (isMail ? allowed : removeNestedEscapes(allowed, /^%0[dDaA]$/)).replaceAll(';//', '://');
  if (!url.includes(':') && !/^[/#?]/.test(url) && !/^[a-z0-9-]+\.php/i.test(url)) url = `http://${url}`;
  if (/[[\]]/.test(url)) url = escapeBrackets(url);
  if (url.startsWith('/')) return url;
  const checked = checkScheme(url);
  return toAsciiLowerCase(checked) === toAsciiLowerCase(url) ? checked : '';
}

function allowedOnly(text: string): string {
  return text.replace(/[^A-Za-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\uffff]/g, '');
}

/** Escapes brackets except in scheme, user, host and port. */
function escapeBrackets(url: string): string {
  const front = frontOf(url);
  const rest = front === '' ? url : url.replaceAll(front, '');
  const clean = rest.replaceAll('[', '%5B').replaceAll(']', '%5D');
  return rest === '' ? url : url.replaceAll(rest, clean);
}

/** `scheme://user:pass@host:port` as PHP's parse_url finds it. */
function frontOf(url: string): string {
  const relative = url.startsWith('/') ? '//' : '';
  const [, scheme, slashes] = /^([A-Za-z0-9+.-]+):(\/\/)?/.exec(url) ?? [];
  if (scheme === undefined && !url.startsWith('//')) return relative;
  // WordPress adds slashes to a scheme without host.
  if (scheme !== undefined && slashes === undefined) return `${scheme}://`;
  const start = scheme === undefined ? 2 : scheme.length + 3;
  const authority = /^[^/?#]*/.exec(url.slice(start))?.[0] ?? '';
  const host = hostOf(authority.slice(authority.lastIndexOf('@') + 1));
  if (host === null) return relative;
  const credentials = authority.slice(0, authority.lastIndexOf('@') + 1);
  return (scheme === undefined ? '//' : `${scheme}://`) + credentials + host;
}

/** Null where PHP finds no host, or a port that is no number up to 65,535. */
function hostOf(text: string): string | null {
  const end = text.startsWith('[') && text.endsWith(']') ? -1 : text.lastIndexOf(':');
  const host = end < 0 ? text : text.slice(0, end);
  if (host === '') return null;
  const digits = end < 0 ? '' : text.slice(end + 1);
  if (digits === '') return host;
  // PHP parses the leading number and ignores the rest.
  const port = Number(/^(?:\+?[0-9]+|-0+(?![0-9]))/.exec(digits)?.[0] ?? Number.NaN);
  return Buffer.byteLength(digits) > 5 || !(port <= 65_535) ? null : `${host}:${port || 0}`;
}

/** wp_kses_bad_protocol: lower-cases the scheme, or removes it if it is not allowed. */
function checkScheme(url: string): string {
  if (url.startsWith('https://') || url.startsWith('http://')) return url;
  let content = url;
  for (let pass = 0; pass < 6; pass += 1) {
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
  if (count > 2) return '';
  const inner = checkSchemeOnce(rest, count + 1);
  return inner === '' || inner === '0' ? inner : scheme + inner;
}

function allowedScheme(text: string): string {
  const decoded = text
    .replace(/&#([0-9]+);/g, (_entity, digits: string) => byteOf(Number(digits)))
    .replace(/&#[Xx]([0-9A-Fa-f]+);/g, (_entity, digits: string) => byteOf(Number.parseInt(digits, 16)));
  const scheme = toAsciiLowerCase(decoded.replace(/[ \t\n\v\f\r\0]/g, ''));
  return protocols.has(scheme) ? `${scheme}:` : '';
}

const byteOf = (point: number) => String.fromCharCode(point % 256);
