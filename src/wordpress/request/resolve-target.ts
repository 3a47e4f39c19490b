// From a URL to a REST route, by WordPress's rewrite rules (docs/wordpress.md, "Addresses").
import { isFalsy } from '../php/casts.ts';
import { parseQueryString } from '../php/query-string.ts';
import { decodePhpString, encodePhpString } from '../php/strings.ts';
import { entriesOf, type PhpValue } from '../php/values.ts';

export type ParsedTarget = {
  /** Without leading and trailing slashes, percent-encoding kept. Null outside the WordPress folder. */
  readonly path: string | null;
  readonly query: Map<string, PhpValue>;
};

export type ResolvedTarget =
  | { readonly kind: 'route'; readonly route: string }
  | { readonly kind: 'page'; readonly status: 200 | 404 }
  | { readonly kind: 'outside' }
  | { readonly kind: 'badType' }
  | { readonly kind: 'mismatch' };

/** Parses the request target. `wpPath` is the folder of the site, e.g. `/blog`, or empty. */
export function parseTarget(target: string, wpPath: string): ParsedTarget {
  const queryStart = target.indexOf('?');
  const path = pathBelow(queryStart < 0 ? target : target.slice(0, queryStart), wpPath);
  // A web server never passes on what follows `#`.
  const text = queryStart < 0 ? '' : (target.slice(queryStart + 1).split('#', 1)[0] ?? '');
  const query = text === '' ? [] : entriesOf(parseQueryString(Buffer.from(text, 'latin1')));
  return { path, query: new Map(query) };
}

/** `form`: as PHP parses it. If query and form differ in a `siteVariables`: `mismatch`, as in WordPress. */
export function resolveTarget(
  address: ParsedTarget,
  form: ReadonlyMap<string, PhpValue> | null,
): ResolvedTarget {
  if (address.path === null) return { kind: 'outside' };
  for (const name of form === null ? [] : siteVariables) {
    const first = address.query.get(name);
    const second = form?.get(name);
    if (first !== undefined && second !== undefined && !sameInput(first, second)) return { kind: 'mismatch' };
  }
  const ruled = routeOfPath(address.path);
  const requested = form?.get('rest_route') ?? address.query.get('rest_route') ?? null;
  const route = typeof requested === 'string' ? addSlashes(requested) : (requested ?? ruled);
  if (route === null || isFalsy(route)) {
    return { kind: 'page', status: ruled !== null || isFrontPage(address.path) ? 200 : 404 };
  }
  if (typeof route !== 'string') return { kind: 'badType' };
  const trimmed = withoutTrailingSlashes(route);
  return { kind: 'route', route: trimmed === '' || trimmed === '0' ? '/' : trimmed };
}

const siteVariables = (
  'm p posts w cat withcomments withoutcomments s search exact sentence calendar page paged more tb pb author order ' +
  'orderby year monthnum day hour minute second name category_name tag feed author_name pagename page_id error ' +
  'attachment attachment_id subpost subpost_id preview robots favicon taxonomy term cpage post_type embed ' +
  'post_format rest_route sitemap sitemap-subtype sitemap-stylesheet'
).split(' ');

const rules = [
  /^wp-json\/?\n?$/,
  /^wp-json\/([^\n]*)/,
  /^index.php\/wp-json\/?\n?$/,
  /^index.php\/wp-json\/([^\n]*)/,
];

function routeOfPath(sent: string): string | null {
  if (sent === '') return null;
  const path = addSlashes(sent);
  const decoded = path.includes('%') || path.includes('+') ? urldecode(path) : path;
  for (const rule of rules) {
    const found = rule.exec(path) ?? (decoded === path ? null : rule.exec(decoded));
    if (found !== null) return `/${found[1] ?? ''}`;
  }
  return null;
}

function pathBelow(path: string, wpPath: string): string | null {
  const local = path.startsWith('/') ? path : path.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const text = /^[\x00-\x7f]*$/.test(local) ? local : decodePhpString(Buffer.from(local, 'latin1'));
  const trimmed = trimSlashes(text);
  const folder = trimSlashes(wpPath);
  if (folder === '') return trimmed;
  if (trimmed !== folder && !trimmed.startsWith(`${folder}/`)) return null;
  return trimSlashes(trimmed.slice(folder.length));
}

/** As WordPress's wp_magic_quotes: backslashes before quotes and backslashes. */
function addSlashes(text: string): string {
  return /['"\\\0]/.test(text) ? text.replace(/['"\\]/g, '\\$&').replaceAll('\0', '\\0') : text;
}

/** As WordPress's untrailingslashit, which removes slashes and backslashes. */
function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '/' || text[end - 1] === '\\')) end -= 1;
  return text.slice(0, end);
}

function trimSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '/') start += 1;
  while (end > start && text[end - 1] === '/') end -= 1;
  return text.slice(start, end);
}

function urldecode(text: string): string {
  const binary = Buffer.from(encodePhpString(text)).toString('latin1').replaceAll('+', ' ');
  const decoded = binary.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  return decodePhpString(Buffer.from(decoded, 'latin1'));
}

function isFrontPage(path: string): boolean {
  return path === '' || path === 'index.php';
}

/** Values from a query or a form are strings and arrays of strings. */
function sameInput(first: PhpValue, second: PhpValue): boolean {
  if (typeof first === 'string' || typeof second === 'string') return first === second;
  const [left, right] = [entriesOf(first), entriesOf(second)];
  return (
    left.length === right.length &&
    left.every(([name, value], index) => {
      const other = right[index];
      return other !== undefined && other[0] === name && sameInput(value, other[1]);
    })
  );
}
