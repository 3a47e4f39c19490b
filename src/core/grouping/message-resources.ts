// Hosts, API paths, plugins, themes, PHP files and SQL tables in a message. Every pattern must be linear.

import { findComponentOfPath } from '../wordpress-components/component-paths.ts';
import { normalizeFileName } from './names/file-names.ts';
import { type Protect, protectText } from './protected-text.ts';

/** In messages about a request, the URL identifies the fault. */
const aboutRequest =
  /\b(?:fail\w*|fetch\w*|load\w*|request\w*|connect\w*|get|post|put|patch|delete|head|time[sd]? ?out|timeout|refused|unreachable|resolv\w*|status|errors?|respon\w+|answer\w*|econn\w+|enotfound|eai_again|etimedout|forbidden|denied|curl|could ?n[o']t|can(?:no|')t|unable|url|uri|endpoint|reach\w*|download\w*|upload\w*|blocked|cors|dns|lookup|socket|certificate|ssl|tls|proxy|gateway|websocket|retries|not (?:be )?found|call\w*|returned|webhook|http|[45]\d\d)\b/i;
/** Messages about input, or about a page that does not exist. */
const aboutInput =
  /\b(?:invalid|malformed|not a valid|is not valid|unparsable|unparseable|pars(?:e|ing)|no route matches|no route found|cannot (?:get|post|put|delete|head) \/|not a function|unsupported (?:url|protocol|scheme)|redirect)\b/i;

interface TextWithResources {
  /** The resources are encoded, so that later replacements skip them. */
  readonly text: string;
  readonly resources: readonly string[];
}

export function protectResources(line: string): TextWithResources {
  const resources: string[] = [];
  const hide: Protect = (resource) => {
    if (resource !== '') resources.push(resource);
    return protectText(resource);
  };
  let text = withQueryShapes(line, hide).replace(
    /(\broute (?:definition )?(?:for )?['"]?)([\w-]{1,64}\/v\d[\w/()?<>\\+-]{0,256})/gi,
    (_whole, before: string, path: string) => before + hide(pathShape(path)),
  );
  if (text.includes('/') || text.includes('\\')) {
    if (aboutRequest.test(line) && !aboutInput.test(line)) text = hideAddresses(text, hide);
    text = replaceFilePaths(hideApiPaths(text, hide), hide);
  }
  text = text.replace(
    /(\bhost(?:name)?["']?(?:=|: ?))["']?((?=[\w.-]{0,253}[a-z])[\w.-]{2,253})["']?/gi,
    (_whole, before: string, host: string) => before + hide(normalizeHost(host)),
  );
  return { text, resources };
}

/** Except links to more information. */
function hideAddresses(text: string, hide: Protect): string {
  return text
    .replace(
      /(?<!\b(?:visit|see|at|here|read|docs?:?|info(?:rmation)?:?|more:?|help:?) )\b(?!(?:file|blob|data|about|chrome|resource|app|webpack|php|phar|[a-z-]{2,16}-extension):)[a-z][a-z+-]{1,15}:\/\/(?:[^\s"'<>)\]}/?#@]{1,256}@)?(\[[0-9a-f:.]{2,45}\]|[^\s"'<>)\]}/?#:]{1,253})(:\d{1,5})?([^\s"'<>)\]}]*)/gi,
      (_whole, host: string, port: string | undefined, rest: string) =>
        hide(`${normalizeHost(host)}${port ?? ''}${pathShape(rest)}`),
    )
    .replace(
      /(?<![\w/.@:-])((?:[a-z0-9][\w-]{0,62}\.){1,8}[a-z]{2,24}|localhost)(:\d{1,5})?(\/[^\s"'<>)\]}]{1,512})/gi,
      (match, host: string, port: string | undefined, rest: string) =>
        /\.(?:[cm]?[jt]sx?|php|py|rb|go|java|cs|html?|vue|so|dll)$/i.test(host)
          ? match
          : hide(`${normalizeHost(host)}${port ?? ''}${pathShape(rest)}`),
    )
    .replace(
      /((?:\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|\b(?:url|uri|endpoint|route|path))["']?(?::|=)?\s?["']?)(\/[^\s"'<>)\]}]*)/gi,
      (_whole, before: string, path: string) => before + hide(pathShape(path)),
    );
}

function hideApiPaths(text: string, hide: Protect): string {
  return text.replace(
    /((?:^|[\s"'(=])|\[?\b(?:POST|PUT|PATCH|DELETE)\]? ["']?)(\/(?:api|wp-json|rest|graphql|rpc|oauth2?|auth|v\d{1,2})(?=[/?\s"')]|$)[^\s"'<>)\]}]*)/gi,
    (_whole, before: string, path: string) => before + hide(pathShape(path)),
  );
}

/** Lower case. IP addresses, server numbers and generated names are replaced. */
export function normalizeHost(host: string): string {
  if (/^\[|^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return '<ip>';
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .split('.')
    .map((label) => (looksGenerated(label) ? '*' : label.replace(/\d+/g, '#')))
    .join('.');
}

const pathPartsMax = 8;

/** Without ids, query and hashes, but with a query parameter that selects the action. */
function pathShape(rest: string): string {
  const [path = '', query = ''] = rest
    .replace(/#.*$/s, '')
    .replace(/[.,;:!]+$/, '')
    .split('?', 2);
  const segments = path.split('/').slice(0, pathPartsMax);
  const shape = segments.map((part, at) => partShape(part, at === segments.length - 1)).join('/');
  const named = /(?:^|&)(rest_route|action|wc-ajax|method|op)=([\w%/.-]{1,128})/i.exec(query);
  const trimmed = shape.replace(/\/+$/, '');
  if (named === null) return trimmed;
  const [, name = '', value = ''] = named;
  return `${trimmed}?${name}=${value
    .replaceAll(/%2f/gi, '/')
    .split('/')
    .map((part) => partShape(part, false))
    .join('/')}`;
}

function partShape(part: string, isLast: boolean): string {
  if (part === '' || /^v\d{1,2}(?:\.\d{1,3})?$/i.test(part)) return part;
  if (/^[\d.,_-]+$/.test(part) || part.includes('@') || part.length > 48 || looksGenerated(part)) return '*';
  if (isLast && /\.\w{1,5}$/.test(part)) return normalizeFileName(part);
  return part.replace(/\d{3,}/g, '*').replace(/(?<=[-_])\d+$/, '*');
}

export function looksGenerated(part: string): boolean {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(part) || part.includes('<')) return true;
  if (/^[a-z]{2,6}_(?=\w{0,63}\d)[A-Za-z0-9]{8,64}$/.test(part)) return true;
  if (/^(?=.{0,64}\d)[0-9a-f]{6,}$/i.test(part)) return true;
  const digits = part.replace(/\D/g, '').length;
  if (part.length >= 8 && digits >= 3 && /[a-z]/i.test(part) && /\d[a-z]+\d/i.test(part)) return true;
  return part.length >= 16 && /[a-z]/.test(part) && /[A-Z]/.test(part) && digits >= 2;
}

const beforeQuery =
  /(\b(?:for query|SQL(?: query)?:|query(?: was)?:|statement:|SQL being executed was:|\[SQL:)\s{1,2}["'`]?)(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER|DROP|SHOW|TRUNCATE|WITH|DESCRIBE|MERGE|CALL|EXEC)\b(.{0,2048}?)(?=$| made by )/is;

function withQueryShapes(line: string, hide: Protect): string {
  return line
    .replace(beforeQuery, (_whole, before: string, verb: string, rest: string) => {
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

/** A plugin, theme or template file, the name of a missing file, or else `<path>`. */
function replaceFilePaths(text: string, hide: Protect): string {
  const isMissing = missingFile.test(text);
  return text
    .replace(
      /(['"])((?:~?\/|[a-z]:[\\/])[^'"<>|*?]{1,512})(?=\1)/gi,
      (_whole, quote: string, path: string) => quote + fileLocation(path, false, isMissing, hide),
    )
    .replace(
      /([(\s]|^)(~?(?:[a-z]:)?[\\/](?!\d{1,3}(?:\.\d{1,3}){3}(?!\w))(?:[^\s"'<>|:*?()]{0,512}[\\/])?[^\s"'<>|:*?()\\/]{1,128})(?:\?[^\s"'<>)\]}]{0,512})?((?: on line |:| \(|\()\d{1,7}\)?)?/gi,
      (_whole, before: string, path: string, line: string | undefined) =>
        `${before}${fileLocation(path, line !== undefined, isMissing, hide)}${line ?? ''}`,
    );
}

function fileLocation(path: string, hasLine: boolean, isMissing: boolean, hide: Protect): string {
  const site = pluginOrThemeFile(path);
  if (site !== null) return hide(site);
  if (/\.(?:blade\.php|twig|phtml|erb|haml|hbs|ejs|liquid|cshtml|jinja2?)$/i.test(path)) {
    return hide(path.split(/[\\/]/).slice(-2).join('/').toLowerCase());
  }
  const missing = !hasLine && isMissing ? fileShape(path) : '';
  if (missing !== '') return hide(missing);
  // PHP messages end with `in FILE on line N`.
  if (hasLine && /\.(?:php|phtml|inc|module|twig|tpl)$/i.test(path)) return hide(normalizeFileName(path));
  return '<path>';
}

/** The name of a missing or unreadable file identifies the fault. */
const missingFile =
  /\bENOENT\b|\bEACCES\b|no such file|cannot find the (?:file|path)|could not find (?:a part of the path|file)|file not found|failed to open stream|failed opening|permission denied/i;

function fileShape(path: string): string {
  const base = normalizeFileName(path.split(/[\\/]/).at(-1) ?? '');
  return /^[a-z_.-]{1,256}\.[a-z]{2,5}$/i.test(base) &&
    /[a-z]{3}.*\./i.test(base) &&
    !/\.(?:tmp|log|lock|png|jpe?g|gif|webp|pdf|csv|zip|gz|xlsx?|mp4|sock)$/i.test(base)
    ? base
    : '';
}

/** Such as `plugins/woocommerce/class-wc-order.php`; null for a file of no plugin or theme. */
export function pluginOrThemeFile(path: string): string | null {
  const code = findComponentOfPath(path);
  if (code === null) return null;
  const name = normalizeFileName(code.file);
  return `${code.kind}s/${code.slug.toLowerCase()}${name === '' ? '' : `/${name}`}`;
}
