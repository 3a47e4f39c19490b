// Converts browser reports (CSP, Reporting API, certificates) into events (docs/events.md, "Security reports").
import { cutText } from '../parsing/cut-text.ts';
import { getOwn, isJsonObject, type JsonObject } from '../parsing/unknown-values.ts';

/** Per body; more than browsers queue. */
export const reportsMax = 500;

export interface SecurityReportContext {
  readonly receivedAtMs: number;
  readonly userAgent: string;
  readonly release: string | undefined;
  readonly environment: string | undefined;
}

export interface SecurityReports {
  /** One for each report; null for an invalid one. */
  readonly events: ReadonlyArray<JsonObject | null>;
  /** Network Error Logging also reports successes. */
  readonly successes: number;
}

export function parseSecurityReports(body: unknown, context: SecurityReportContext): SecurityReports | null {
  const sent = Array.isArray(body) ? body : [body];
  const reports = sent.filter((report) => !isSuccess(report));
  const events = reports.map((report) => eventOf(report, context));
  const successes = sent.length - reports.length;
  return successes === 0 && events.every((event) => event === null) ? null : { events, successes };
}

function eventOf(report: unknown, context: SecurityReportContext): JsonObject | null {
  if (!isJsonObject(report)) return null;
  const found = certificateEvent(report) ?? documentEvent(report) ?? reportingEvent(report);
  if (found === null) return null;
  const { release, environment, receivedAtMs } = context;
  const age = getOwn(report, 'age');
  const hasAge = typeof age === 'number' && age >= 0;
  const userAgent = textOf(report, 'user_agent') || context.userAgent;
  const request = getOwn(found, 'request') as JsonObject;
  const headers = {
    ...(getOwn(request, 'headers') ?? {}),
    ...(userAgent === '' ? {} : { 'User-Agent': userAgent }),
  };
  return {
    platform: 'other',
    ...found,
    request: { ...request, headers },
    ...(hasAge ? { timestamp: (receivedAtMs - age) / 1000 } : {}),
    ...(release === undefined ? {} : { release }),
    ...(environment === undefined ? {} : { environment }),
  };
}

function documentEvent(report: JsonObject): JsonObject | null {
  const csp = getOwn(report, 'csp-report');
  return isJsonObject(csp) ? createCspEvent(csp, '') : null;
}

const certificateReports: Readonly<Record<string, readonly [type: string, words: string]>> = {
  'expect-ct-report': ['expectct', 'Expect-CT failed for'],
  'expect-staple-report': ['expectstaple', 'Expect-Staple failed for'],
  'known-pins': ['hpkp', 'Public key pinning failed for'],
};

function certificateEvent(report: JsonObject): JsonObject | null {
  for (const [member, [type, words]] of Object.entries(certificateReports)) {
    const body =
      getOwn(report, member) === undefined ? null : type === 'hpkp' ? report : getOwn(report, member);
    if (!isJsonObject(body)) continue;
    const hostname = textOf(body, 'hostname');
    const port = getOwn(body, 'port');
    if (hostname === '') return null;
    return {
      type,
      logger: type,
      logentry: { message: `${words} '${cutText(hostname, 253)}'` },
      transaction: hostname,
      fingerprint: [type, hostname],
      tags: { hostname: cutText(hostname, 200), ...(typeof port === 'number' ? { port } : {}) },
      request: createRequestField(`https://${hostname}/`, ''),
      extra: { report: body },
    };
  }
  return null;
}

function reportingEvent(report: JsonObject): JsonObject | null {
  const [type, url, body] = [textOf(report, 'type'), textOf(report, 'url'), getOwn(report, 'body')];
  if (!/^[a-z][\w.-]{0,63}$/i.test(type) || !isJsonObject(body)) return null;
  if (type === 'csp-violation') return createCspEvent(body, url);
  if (type === 'network-error') return networkEvent(body, url);
  return otherEvent(type, body, url);
}

function networkEvent(body: JsonObject, url: string): JsonObject | null {
  const kind = textOf(body, 'type');
  if (kind === '') return null;
  const status = getOwn(body, 'status_code');
  const answered = typeof status === 'number' && status > 0 ? ` (${status})` : '';
  const host = parseBlockedOrigin(url);
  const method = textOf(body, 'method');
  const phase = textOf(body, 'phase');
  return {
    type: 'nel',
    logger: 'nel',
    logentry: { message: `Network error ${cutText(kind, 64)}${answered} at '${host}'` },
    transaction: host,
    fingerprint: ['nel', kind, answered, host],
    tags: {
      'error-type': cutText(kind, 200),
      ...(phase === '' ? {} : { phase: cutText(phase, 200) }),
      ...(answered === '' ? {} : { 'status-code': String(status) }),
    },
    request: { ...createRequestField(url, textOf(body, 'referrer')), ...(method === '' ? {} : { method }) },
    extra: { report: body },
  };
}

/** Deprecations, interventions, crashes and future types. */
function otherEvent(type: string, body: JsonObject, url: string): JsonObject {
  const names = ['id', 'featureId', 'policyId', 'reason', 'type', 'message'];
  const identifier = names.map((name) => textOf(body, name)).find((text) => text !== '') ?? '';
  const blocked = textOf(body, 'blockedURL');
  const message = textOf(body, 'message') || identifier;
  return {
    type,
    logger: type,
    level: ['deprecation', 'intervention'].includes(type) ? 'warning' : 'error',
    logentry: { message: message === '' ? type : `${type}: ${message}` },
    fingerprint: [type, identifier, ...(blocked === '' ? [] : [parseBlockedOrigin(blocked)])],
    tags: { 'report-type': type, ...(identifier === '' ? {} : { 'report-id': cutText(identifier, 200) }) },
    request: createRequestField(url, ''),
    extra: { report: body },
  };
}

function isSuccess(report: unknown): boolean {
  if (!isJsonObject(report) || getOwn(report, 'type') !== 'network-error') return false;
  const body = getOwn(report, 'body');
  return isJsonObject(body) && getOwn(body, 'type') === 'ok';
}

function textOf(record: JsonObject, name: string): string {
  const value = getOwn(record, name);
  return typeof value === 'string' ? value.trim() : '';
}

export function findReportedPage({ events }: SecurityReports): string | undefined {
  for (const event of events) {
    const request = event === null ? undefined : getOwn(event, 'request');
    if (isJsonObject(request) && typeof request['url'] === 'string') return request['url'];
  }
  return undefined;
}

// Converts CSP reports (`report-uri`, Reporting API) into events with Sentry's title, culprit and tags.

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
function createCspEvent(report: JsonObject, url: string): JsonObject | null {
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

function createRequestField(url: string, referrer: string): JsonObject {
  return {
    ...(url === '' ? {} : { url }),
    ...(referrer === '' ? {} : { headers: { Referer: referrer } }),
  };
}

/** `cdn.example:8443`, `wss://live.example`, `data:`, `'self'`, or a word such as `inline`. */
function parseBlockedOrigin(blocked: string): string {
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
  const method = { inline: 'inline', eval: 'eval()', 'wasm-eval': 'eval()' }[blocked] ?? '(eval() or inline)';
  return `Blocked unsafe ${method} 'script'`;
}

/** The violated directive, with the page's own origin written as `'self'`. */
function culpritOf(violated: string, page: string): string {
  const origin = parseBlockedOrigin(page);
  const [directive = '', ...sources] = violated.trim().split(/\s+/);
  const isOwn = (source: string): boolean =>
    source === origin || (/^https?:/i.test(source) && parseBlockedOrigin(source) === origin);
  return [directive, ...sources.map((source) => (isOwn(source) ? "'self'" : source))].join(' ');
}
