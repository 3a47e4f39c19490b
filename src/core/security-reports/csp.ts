// A report of a Content Security Policy as an event, in the words that Sentry has for it: title, culprit,
// tags and `csp`. Takes the members of `report-uri` (`blocked-uri`) and of the Reporting API. Pure.
import { cutText } from '../reading/cut-text.ts';
import { type JsonRecord, own } from '../reading/lenient.ts';

const tagCharactersMax = 200;

/** What each directive is about, where its message does not name the directive itself. */
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

/** Words in place of an address: what was blocked stands in the page itself, or is no request. */
const words: ReadonlySet<string> = new Set([
  ...['inline', 'eval', 'wasm-eval', 'trusted-types-policy', 'trusted-types-sink'],
]);

/** Members of `csp`, each with the names that browsers give it. */
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

/** The event of a report, or null for one that names no directive. `url` is the page's, if it says none. */
export function cspEvent(report: JsonRecord, url: string): JsonRecord | null {
  const csp: JsonRecord = {};
  for (const [member, names] of Object.entries(members)) {
    const value = names.map((name) => own(report, name)).find((each) => each !== undefined && each !== null);
    if (value !== undefined) csp[member] = value;
  }
  const text = (member: string): string => (typeof csp[member] === 'string' ? csp[member] : '');
  const violated = text('violated_directive');
  // Firefox says the violated directive alone; older browsers say either with its sources.
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
    fingerprint: ['csp', directive, blockedOrigin(blocked)],
    tags: {
      'effective-directive': directive,
      'blocked-uri': cutText(blocked, tagCharactersMax),
      ...(host === '' ? {} : { 'blocked-host': host }),
    },
    request: requestOf(page, text('referrer')),
    csp: { ...csp, effective_directive: directive, blocked_uri: blocked },
  };
}

/** The request of an event about a page. */
export function requestOf(url: string, referrer: string): JsonRecord {
  return {
    ...(url === '' ? {} : { url }),
    ...(referrer === '' ? {} : { headers: { Referer: referrer } }),
  };
}

/**
 * What was blocked, as far as its origin: `cdn.example:8443`, `wss://live.example`, `data:`, `'self'` for the
 * page itself, or a word such as `inline`.
 */
export function blockedOrigin(blocked: string): string {
  if (isPageItself(blocked)) return "'self'";
  if (words.has(blocked)) return blocked;
  // Browsers cut `data:…` to its scheme, some with and some without the colon.
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
    const origin = blockedOrigin(blocked);
    return directive === 'form-action'
      ? `Blocked 'form' action to '${origin}'`
      : `Blocked '${resource}' from '${origin}'`;
  }
  if (resource !== 'script') return `Blocked inline '${resource}'`;
  const how = { inline: 'inline', eval: 'eval()', 'wasm-eval': 'eval()' }[blocked] ?? '(eval() or inline)';
  return `Blocked unsafe ${how} 'script'`;
}

/** The violated directive; the origin of the page among its sources is `'self'`, as the policy has it. */
function culpritOf(violated: string, page: string): string {
  const origin = blockedOrigin(page);
  const [directive = '', ...sources] = violated.trim().split(/\s+/);
  const isOwn = (source: string): boolean =>
    source === origin || (/^https?:/i.test(source) && blockedOrigin(source) === origin);
  return [directive, ...sources.map((source) => (isOwn(source) ? "'self'" : source))].join(' ');
}
