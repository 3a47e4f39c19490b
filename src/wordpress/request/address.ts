// Which route string an address names, as WordPress's rewrite rules and query variables decide
// (docs/wordpress.md, "Addresses"). Routes are not matched here.
import { parseQueryString } from '../php/query-string.ts';
import { bytesFromText, textFromBytes } from '../php/text.ts';
import { entriesOf, type PhpValue } from '../php/values.ts';

/** An address taken apart: the path below the WordPress folder, and the query's parameters. */
export type Address = {
  /** Without slashes at both ends; percent-escapes as sent. Null: outside the WordPress folder. */
  readonly path: string | null;
  readonly query: Map<string, PhpValue>;
};

/** What an address names: a route of the API, a page of the site, or nothing that could be answered. */
export type Target =
  | { readonly kind: 'route'; readonly route: string }
  | { readonly kind: 'page'; readonly status: 200 | 404 }
  | { readonly kind: 'outside' }
  | { readonly kind: 'badType' }
  | { readonly kind: 'mismatch' };

/** Takes the target of the request line apart. `wpPath` is the folder of the site, e.g. `/blog`, or empty. */
export function readAddress(target: string, wpPath: string): Address {
  const mark = target.indexOf('?');
  const path = pathBelow(mark < 0 ? target : target.slice(0, mark), wpPath);
  // What follows a `#` never gets past the web server.
  const text = mark < 0 ? '' : (target.slice(mark + 1).split('#', 1)[0] ?? '');
  const query = text === '' ? [] : entriesOf(parseQueryString(Buffer.from(text, 'latin1')));
  return { path, query: new Map(query) };
}

/**
 * What the address names. `form` holds the parameters of a form in the body, where PHP has read one: of two
 * different values for one of WordPress's own variables neither is believed.
 */
export function targetOf(address: Address, form: ReadonlyMap<string, PhpValue> | null): Target {
  if (address.path === null) return { kind: 'outside' };
  for (const name of form === null ? [] : siteVariables) {
    const first = address.query.get(name);
    const second = form?.get(name);
    if (first !== undefined && second !== undefined && !sameInput(first, second)) return { kind: 'mismatch' };
  }
  const ruled = routeOfPath(address.path);
  const given = form?.get('rest_route') ?? address.query.get('rest_route') ?? null;
  const route = typeof given === 'string' ? addSlashes(given) : (given ?? ruled);
  if (route === null || isEmpty(route)) {
    return { kind: 'page', status: ruled !== null || isFrontPage(address.path) ? 200 : 404 };
  }
  if (typeof route !== 'string') return { kind: 'badType' };
  const trimmed = withoutTrailingSlashes(route);
  return { kind: 'route', route: trimmed === '' || trimmed === '0' ? '/' : trimmed };
}

/**
 * WordPress's own query variables: a form and a query that contradict each other on one of them are refused.
 */
const siteVariables = (
  'm p posts w cat withcomments withoutcomments s search exact sentence calendar page paged more tb pb author order ' +
  'orderby year monthnum day hour minute second name category_name tag feed author_name pagename page_id error ' +
  'attachment attachment_id subpost subpost_id preview robots favicon taxonomy term cpage post_type embed ' +
  'post_format rest_route sitemap sitemap-subtype sitemap-stylesheet'
).split(' ');

/**
 * The rewrite rules, each tried on the path as sent and then decoded; WordPress leaves the dot of `index.php`
 * open.
 */
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
  // A target in absolute form names the host as well.
  const local = path.startsWith('/') ? path : path.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const text = /^[\x00-\x7f]*$/.test(local) ? local : textFromBytes(Buffer.from(local, 'latin1'));
  const trimmed = trimSlashes(text);
  const folder = trimSlashes(wpPath);
  if (folder === '') return trimmed;
  if (trimmed !== folder && !trimmed.startsWith(`${folder}/`)) return null;
  return trimSlashes(trimmed.slice(folder.length));
}

/**
 * WordPress has backslashes put before quotes and backslashes in all input, and takes them out of most of it
 * again.
 */
function addSlashes(text: string): string {
  return /['"\\\0]/.test(text) ? text.replace(/['"\\]/g, '\\$&').replaceAll('\0', '\\0') : text;
}

/** As WordPress's untrailingslashit: slashes of both kinds. */
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

/** `%XX` and `+` decoded over bytes, other percent signs kept. */
function urldecode(text: string): string {
  const binary = Buffer.from(bytesFromText(text)).toString('latin1').replaceAll('+', ' ');
  const decoded = binary.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  return textFromBytes(Buffer.from(decoded, 'latin1'));
}

function isFrontPage(path: string): boolean {
  return path === '' || path === 'index.php';
}

function isEmpty(value: PhpValue): boolean {
  return value === '' || value === '0' || (Array.isArray(value) && value.length === 0);
}

/**
 * Values from a query or a form are texts and arrays of them: the same when all texts and their names are.
 */
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
