// Converts CSP reports (`report-uri`, Reporting API) into events with Sentry's title, culprit and tags.
import { cutText } from '../parsing/cut-text.ts';
import { getOwn, type JsonObject } from '../parsing/unknown-values.ts';

const tagCharactersMax = 200;

/** Sentry's names of directives in messages; others appear as they are. */
const resources: ReadonlyMap<string, string> = new Map([
  ['child-src', 'child'],
  ['connect-src', 'connect'],
  ['font-src', 'font'],
  ['img-src', 'image'],
  ['manifest-src', 'manifest'],
  ['media-src', 'media'],
  ['object-src', 'object'],
  ['script-src', 'script'],
  ['script-src-elem', 'script'],
  ['script-src-attr', 'script attribute'],
  ['style-src', 'style'],
  ['style-src-elem', 'style'],
  ['style-src-attr', 'style attribute'],
]);

/** Values that are not URLs: the blocked content is in the page itself. */
const words: ReadonlySet<string> = new Set([
  ...['inline', 'eval', 'wasm-eval', 'trusted-types-policy', 'trusted-types-sink'],
]);

const members: Readonly<Record<string, readonly string[]>> = {
  effective_directive: ['effective-directive', 'effectiveDirective'],
  violated_directive: ['violated-directive', 'violatedDirective'],
  blocked_uri: ['blocked-uri', 'blockedURL', 'blockedURI'],
  document_uri: ['document-uri', 'documentURL', 'documentURI'],
  original_policy: ['original-policy', 'originalPolicy'],
  referrer: ['referrer'],
  status_code: ['status-code', 'statusCode'],
  source_file: ['source-file', 'sourceFile'],
  line_number: ['line-number', 'lineNumber'],
  column_number: ['column-number', 'columnNumber'],
  script_sample: ['script-sample', 'scriptSample', 'sample'],
  disposition: ['disposition'],
};

/** Null without a directive. `url` is used if the report names no page. */
export function createCspEvent(report: JsonObject, url: string): JsonObject | null {
  const csp: JsonObject = {};
  for (const [member, names] of Object.entries(members)) {
    const value = names
      .map((name) => getOwn(report, name))
      .find((each) => each !== undefined && each !== null);
    if (value !== undefined) csp[member] = value;
  }
  const text = (member: string): string => (typeof csp[member] === 'string' ? csp[member] : '');
  const violated = text('violated_directive');
  // Firefox only sends the violated directive; older browsers append its sources.
  const directive = directiveOf(text('effective_directive')) ?? directiveOf(violated);
  if (directive === null) return null;
  const blocked = text('blocked_uri').trim() || 'self';
  const page = text('document_uri') || url;
  const host = webHostOf(blocked);
  return {
    type: 'csp',
    logger: 'csp',
    logentry: { message: messageOf(directive, blocked) },
    transaction: culpritOf(violated || directive, page),
    fingerprint: ['csp', directive, parseBlockedOrigin(blocked)],
    tags: {
      'effective-directive': directive,
      'blocked-uri': cutText(blocked, tagCharactersMax),
      ...(host === '' ? {} : { 'blocked-host': host }),
    },
    request: createRequestField(page, text('referrer')),
    csp: { ...csp, effective_directive: directive, blocked_uri: blocked },
  };
}

export function createRequestField(url: string, referrer: string): JsonObject {
  return {
    ...(url === '' ? {} : { url }),
    ...(referrer === '' ? {} : { headers: { Referer: referrer } }),
  };
}

/** `cdn.example:8443`, `wss://live.example`, `data:`, `'self'`, or a word such as `inline`. */
export function parseBlockedOrigin(blocked: string): string {
  if (isPageItself(blocked)) return "'self'";
  if (words.has(blocked)) return blocked;
  // Browsers shorten `data:…` to the scheme, with or without the colon.
  const address = blocked.includes(':') ? blocked : `${blocked}:`;
  if (!URL.canParse(address)) return cutText(blocked, tagCharactersMax);
  const { protocol, host } = new URL(address);
  if (host === '') return protocol;
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`;
}

function webHostOf(blocked: string): string {
  return /^https?:/i.test(blocked) && URL.canParse(blocked) ? new URL(blocked).hostname : '';
}

function isPageItself(blocked: string): boolean {
  return ['', 'self', "'self'"].includes(blocked);
}

function directiveOf(text: string): string | null {
  const first = text.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '';
  return /^[a-z][a-z-]{1,63}$/.test(first) ? first : null;
}

function messageOf(directive: string, blocked: string): string {
  const resource = resources.get(directive) ?? directive;
  if (!isPageItself(blocked) && !words.has(blocked)) {
    const origin = parseBlockedOrigin(blocked);
    return directive === 'form-action'
      ? `Blocked 'form' action to '${origin}'`
      : `Blocked '${resource}' from '${origin}'`;
  }
  if (resource !== 'script') return `Blocked inline '${resource}'`;
  const how = { inline: 'inline', eval: 'eval()', 'wasm-eval': 'eval()' }[blocked] ?? '(eval() or inline)';
  return `Blocked unsafe ${how} 'script'`;
}

/** The violated directive, with the page's own origin written as `'self'`. */
function culpritOf(violated: string, page: string): string {
  const origin = parseBlockedOrigin(page);
  const [directive = '', ...sources] = violated.trim().split(/\s+/);
  const isOwn = (source: string): boolean =>
    source === origin || (/^https?:/i.test(source) && parseBlockedOrigin(source) === origin);
  return [directive, ...sources.map((source) => (isOwn(source) ? "'self'" : source))].join(' ');
}
