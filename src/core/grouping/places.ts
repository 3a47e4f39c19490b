// Places that a message names: hosts and API paths that were asked, plugins and themes of a site, the file of
// a PHP message, the table of a query. What varies in them is taken out, the rest is part of the fault. Part
// of `ng2` (docs/grouping.md, "Places"). Every pattern is linear.

import { hideFiles } from './files.ts';
import { type Hide, hidden } from './hidden.ts';
import { cleanFile } from './names/file-names.ts';

/** Sentences about something that was asked for: there an address says what failed. */
const reaching =
  /\b(?:fail\w*|fetch\w*|load\w*|request\w*|connect\w*|get|post|put|patch|delete|head|time[sd]? ?out|timeout|refused|unreachable|resolv\w*|status|errors?|respon\w+|answer\w*|econn\w+|enotfound|eai_again|etimedout|forbidden|denied|curl|could ?n[o']t|can(?:no|')t|unable|url|uri|endpoint|reach\w*|download\w*|upload\w*|blocked|cors|dns|lookup|socket|certificate|ssl|tls|proxy|gateway|websocket|retries|not (?:be )?found|call\w*|returned|webhook|http|[45]\d\d)\b/i;
/** Sentences about a value that somebody put in, or about a page that nobody made. */
const aboutValue =
  /\b(?:invalid|malformed|not a valid|is not valid|unparsable|unparseable|pars(?:e|ing)|no route matches|no route found|cannot (?:get|post|put|delete|head) \/|not a function|unsupported (?:url|protocol|scheme)|redirect)\b/i;

export interface Placed {
  /** The line with its places hidden from what replaces addresses and paths. */
  readonly text: string;
  /** The places as they are written, in the order in which they were found. */
  readonly places: readonly string[];
}

/** Looks for the places of one line. Nothing is thrown. */
export function hidePlaces(line: string): Placed {
  const places: string[] = [];
  const hide: Hide = (place) => {
    if (place !== '') places.push(place);
    return hidden(place);
  };
  let text = withQueryShapes(line, hide).replace(
    /(\broute (?:definition )?(?:for )?['"]?)([\w-]{1,64}\/v\d[\w/()?<>\\+-]{0,256})/gi,
    (_whole, before: string, path: string) => before + hide(pathShape(path)),
  );
  if (text.includes('/') || text.includes('\\')) {
    if (reaching.test(line) && !aboutValue.test(line)) text = hideAddresses(text, hide);
    text = hideFiles(hideApiPaths(text, hide), hide);
  }
  text = text.replace(
    /(\bhost(?:name)?["']?(?:=|: ?))["']?((?=[\w.-]{0,253}[a-z])[\w.-]{2,253})["']?/gi,
    (_whole, before: string, host: string) => before + hide(hostShape(host)),
  );
  return { text, places };
}

/**
 * `https://host/path` and `/api/path`, as their shapes; not where an address only tells where to read more.
 */
function hideAddresses(text: string, hide: Hide): string {
  return text
    .replace(
      /(?<!\b(?:visit|see|at|here|read|docs?:?|info(?:rmation)?:?|more:?|help:?) )\b(?!(?:file|blob|data|about|chrome|resource|app|webpack|php|phar|[a-z-]{2,16}-extension):)[a-z][a-z+-]{1,15}:\/\/(?:[^\s"'<>)\]}/?#@]{1,256}@)?(\[[0-9a-f:.]{2,45}\]|[^\s"'<>)\]}/?#:]{1,253})(:\d{1,5})?([^\s"'<>)\]}]*)/gi,
      (_whole, host: string, port: string | undefined, rest: string) =>
        hide(`${hostShape(host)}${port ?? ''}${pathShape(rest)}`),
    )
    .replace(
      /(?<![\w/.@:-])((?:[a-z0-9][\w-]{0,62}\.){1,8}[a-z]{2,24}|localhost)(:\d{1,5})?(\/[^\s"'<>)\]}]{1,512})/gi,
      (whole, host: string, port: string | undefined, rest: string) =>
        /\.(?:[cm]?[jt]sx?|php|py|rb|go|java|cs|html?|vue|so|dll)$/i.test(host)
          ? whole
          : hide(`${hostShape(host)}${port ?? ''}${pathShape(rest)}`),
    )
    .replace(
      /((?:\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|\b(?:url|uri|endpoint|route|path))["']?(?::|=)?\s?["']?)(\/[^\s"'<>)\]}]*)/gi,
      (_whole, before: string, path: string) => before + hide(pathShape(path)),
    );
}

/** Paths that are an API's by their beginning, and those that are asked to change something. */
function hideApiPaths(text: string, hide: Hide): string {
  return text.replace(
    /((?:^|[\s"'(=])|\[?\b(?:POST|PUT|PATCH|DELETE)\]? ["']?)(\/(?:api|wp-json|rest|graphql|rpc|oauth2?|auth|v\d{1,2})(?=[/?\s"')]|$)[^\s"'<>)\]}]*)/gi,
    (_whole, before: string, path: string) => before + hide(pathShape(path)),
  );
}

/** A host in lower case; an address, the number of a machine and a generated name are what varies. */
export function hostShape(host: string): string {
  if (/^\[|^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return '<ip>';
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .split('.')
    .map((label) => (looksGenerated(label) ? '*' : label.replace(/\d+/g, '#')))
    .join('.');
}

const pathPartsMax = 8;

/** The path of an API without ids, query and hashes; a query that names what is called is kept. */
function pathShape(rest: string): string {
  const [path = '', query = ''] = rest
    .replace(/#.*$/s, '')
    .replace(/[.,;:!]+$/, '')
    .split('?', 2);
  const parts = path.split('/').slice(0, pathPartsMax);
  const shape = parts.map((part, at) => partShape(part, at === parts.length - 1)).join('/');
  const named = /(?:^|&)(rest_route|action|wc-ajax|method|op)=([\w%/.-]{1,128})/i.exec(query);
  const bare = shape.replace(/\/+$/, '');
  if (named === null) return bare;
  const [, name = '', value = ''] = named;
  return `${bare}?${name}=${value
    .replaceAll(/%2f/gi, '/')
    .split('/')
    .map((part) => partShape(part, false))
    .join('/')}`;
}

function partShape(part: string, isLast: boolean): string {
  if (part === '' || /^v\d{1,2}(?:\.\d{1,3})?$/i.test(part)) return part;
  if (/^[\d.,_-]+$/.test(part) || part.includes('@') || part.length > 48 || looksGenerated(part)) return '*';
  if (isLast && /\.\w{1,5}$/.test(part)) return cleanFile(part);
  return part.replace(/\d{3,}/g, '*').replace(/(?<=[-_])\d+$/, '*');
}

/** UUIDs, hashes and tokens. */
export function looksGenerated(part: string): boolean {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(part) || part.includes('<')) return true;
  if (/^[a-z]{2,6}_(?=\w{0,63}\d)[A-Za-z0-9]{8,64}$/.test(part)) return true;
  if (/^(?=.{0,64}\d)[0-9a-f]{6,}$/i.test(part)) return true;
  const digits = part.replace(/\D/g, '').length;
  if (part.length >= 8 && digits >= 3 && /[a-z]/i.test(part) && /\d[a-z]+\d/i.test(part)) return true;
  return part.length >= 16 && /[a-z]/.test(part) && /[A-Z]/.test(part) && digits >= 2;
}

const queryAhead =
  /(\b(?:for query|SQL(?: query)?:|query(?: was)?:|statement:|SQL being executed was:|\[SQL:)\s{1,2}["'`]?)(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER|DROP|SHOW|TRUNCATE|WITH|DESCRIBE|MERGE|CALL|EXEC)\b(.{0,2048}?)(?=$| made by )/is;

/** A query as what it does to which tables; the values in it are somebody's. */
function withQueryShapes(line: string, hide: Hide): string {
  return line
    .replace(queryAhead, (_whole, before: string, verb: string, rest: string) => {
      const tables = [
        ...`${verb} ${rest}`.matchAll(
          /\b(?:FROM|INTO|UPDATE(?: IGNORE)?|JOIN|TABLE(?: IF (?:NOT )?EXISTS)?)\s{1,4}(?!SELECT\b)([`"[]?[\w$.`"\][-]{1,128})/gi,
        ),
      ];
      const names = tables.slice(0, 2).map(([, name = '']) => name.replace(/[`"[\]]/g, ''));
      return before + hide(`${verb.toUpperCase()} ${names.join(' ')}`.replace(/\d+/g, '#'));
    })
    .replace(/(?<= made by ).{1,2048}$/s, (chain) =>
      chain
        .split(/, (?![^(]{0,256}\))/)
        .slice(-2)
        .join(', '),
    );
}
