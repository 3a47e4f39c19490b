// Settings of a monitor, read from a request. Query strings of URLs may be secret and are never shown.
import { isIP } from 'node:net';
import { type askedTypes, askingBodyBytesMax, type MonitorChangeRequest } from '../../../schemas/monitors.ts';
import { invalidParam, missingParams } from '../errors.ts';
import type { Reach } from '../ports/reach.ts';
import { asciiName, parseDomainHost, privateHostFault, privateUrlFault } from '../reading/host-names.ts';
import type { MonitorTerms } from '../store/monitors/monitoring.ts';
import { cronTermsOf, ofJobs } from './cron/terms.ts';
import { recordsWritten } from './records.ts';

type RequestTerms = Pick<MonitorTerms, 'method' | 'headers' | 'body'>;

const headersMax = 50;
const valueCharactersMax = 4_096;
const withBody: ReadonlyArray<MonitorTerms['method']> = ['POST', 'PUT', 'PATCH', 'DELETE'];
/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers that the HTTP client sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'content-length',
  'expect',
]);

export type AskedType = (typeof askedTypes)[number];

const addressCharactersMax = 2_000;

export const usualTerms: MonitorTerms = {
  url: '',
  method: 'GET',
  headers: [],
  body: '',
  host: '',
  port: 0,
  confirmations: 2,
  slowMs: 0,
  status: '200-299',
  contains: '',
  lacks: '',
  jsonPath: '',
  jsonValue: '',
  redirect: '',
  certificateDays: 14,
  opensIncidents: true,
  record: '',
  answers: '',
  graceMs: 0,
  cron: null,
};

const ofPages = [
  'url',
  'method',
  'headers',
  'body',
  'status',
  'contains',
  'lacks',
  'json_path',
  'json_value',
  'redirect',
  'certificate_days',
] as const satisfies ReadonlyArray<keyof MonitorChangeRequest>;
const ofHosts = ['host', 'port', 'record', 'answers'] as const;
const ofCalls = ['grace', 'interval'] as const;
/** Not for heartbeats, which send no request. */
const ofQuestions = ['timeout', 'slow_ms', 'confirmations', 'interval'] as const;
const ofType: Readonly<Record<AskedType, ReadonlyArray<keyof MonitorChangeRequest>>> = {
  http: [...ofPages, ...ofQuestions],
  keyword: [...ofPages, ...ofQuestions],
  tcp: ['host', 'port', ...ofQuestions],
  dns: ['host', 'record', 'answers', ...ofQuestions],
  tls: ['host', 'port', 'certificate_days', ...ofQuestions],
  heartbeat: ofCalls,
  cron: ofJobs,
};
export const usualTlsPort = 443;

/** Throws 400 for invalid values and for fields of other types. */
export function termsOf(type: AskedType, asked: MonitorChangeRequest, before: MonitorTerms): MonitorTerms {
  const own: readonly string[] = ofType[type];
  const all = [...ofPages, ...ofHosts, ...ofCalls, ...ofQuestions, ...ofJobs];
  const strange = all.filter((name) => !own.includes(name));
  const wrong = strange.find((name) => asked[name] != null && asked[name] !== '');
  if (wrong !== undefined) {
    throw invalidParam({ [wrong]: `${wrong} is not used by monitors of the type ${type}.` });
  }
  const terms: MonitorTerms = {
    ...before,
    ...whereOf(type, asked, before),
    ...requestTermsOf(asked, before),
    confirmations: asked.confirmations ?? before.confirmations,
    slowMs: asked.slow_ms ?? before.slowMs,
    status: statusOf(asked.status) ?? before.status,
    contains: asked.contains ?? before.contains,
    lacks: asked.lacks ?? before.lacks,
    jsonPath: pointerOf(asked.json_path) ?? before.jsonPath,
    jsonValue: asked.json_value ?? before.jsonValue,
    redirect: redirectOf(asked.redirect) ?? before.redirect,
    certificateDays: asked.certificate_days ?? before.certificateDays,
    opensIncidents: asked.opens_incidents ?? before.opensIncidents,
    ...recordsOf(asked, before),
    graceMs: asked.grace == null ? before.graceMs : asked.grace * 1000,
    cron: type === 'cron' ? cronTermsOf(asked, before.cron) : null,
  };
  requireWhole(type, terms);
  return terms;
}

function whereOf(
  type: AskedType,
  asked: MonitorChangeRequest,
  before: MonitorTerms,
): Pick<MonitorTerms, 'url' | 'host' | 'port'> {
  const { url, host, port } = before;
  if (type === 'http' || type === 'keyword') return { url: urlOf(asked.url) ?? url, host, port };
  if (type === 'dns') return { url, host: nameOf(asked.host) ?? host, port };
  const place = placeOf(asked, before);
  return { url, ...place, port: place.port === 0 && type === 'tls' ? usualTlsPort : place.port };
}

/** Throws 400 for an address that the SSRF protection refuses. DNS monitors do not connect to the host. */
export function refusePrivate(reach: Reach, type: AskedType, { url, host }: MonitorTerms): void {
  const isOfHost = type === 'tcp' || type === 'tls';
  const field = isOfHost ? 'host' : 'url';
  const fault = isOfHost
    ? privateHostFault(reach, field, host)
    : url === ''
      ? null
      : privateUrlFault(reach, field, url);
  if (fault !== null) throw invalidParam({ [field]: fault });
}

function recordsOf(
  asked: MonitorChangeRequest,
  before: MonitorTerms,
): Pick<MonitorTerms, 'record' | 'answers'> {
  const record = asked.record ?? before.record;
  if (record === '') return { record, answers: '' };
  return { record, answers: recordsWritten(record, asked.answers ?? before.answers).join('\n') };
}

function requireWhole(type: AskedType, terms: MonitorTerms): void {
  if (type === 'heartbeat' || type === 'cron') return;
  const isPage = type === 'http' || type === 'keyword';
  if (isPage && terms.url === '') throw missingParams(['url']);
  if (!isPage && terms.host === '') throw missingParams(['host']);
  if (type === 'tcp' && terms.port === 0) throw missingParams(['port']);
  if (type === 'dns' && terms.record === '') throw missingParams(['record']);
  if (type === 'keyword' && terms.contains === '') throw missingParams(['contains']);
  const reads = terms.contains !== '' || terms.lacks !== '' || terms.jsonPath !== '';
  if (terms.method === 'HEAD' && reads) {
    throw invalidParam({ method: 'method HEAD returns no body, so its text cannot be checked.' });
  }
  if (terms.redirect !== '' && reads) {
    throw invalidParam({
      redirect: 'redirect cannot be used together with a check of the response body.',
    });
  }
}

/** `list` is such as `200-299,401`. */
export function hasStatus(list: string, status: number): boolean {
  return list.split(',').some((part) => {
    const [from = '', to = from] = part.split('-');
    return status >= Number(from) && status <= Number(to);
  });
}

function urlOf(text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  return webAddress('url', text);
}

function redirectOf(text: string | null | undefined): string | null {
  if (text == null || text === '') return text ?? null;
  return webAddress('redirect', text);
}

function webAddress(field: 'url' | 'redirect', text: string): string {
  const url = text.length > addressCharactersMax ? null : URL.parse(text);
  const refuse = (why: string) => invalidParam({ [field]: `${field} must ${why}.` });
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw refuse('start with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') throw refuse('not contain a user name or password');
  if (url.hash !== '') throw refuse('not contain #');
  return url.href;
}

function nameOf(text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  const spelling = asciiName(text);
  if (spelling.ok && isIP(spelling.ascii) === 0) return spelling.ascii;
  throw invalidParam({ host: 'host must be a hostname, for example shop.example or _dmarc.shop.example.' });
}

function placeOf(
  { host: text, port }: MonitorChangeRequest,
  before: MonitorTerms,
): Pick<MonitorTerms, 'host' | 'port'> {
  if (text == null || text === '') return { host: before.host, port: port ?? before.port };
  const match = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text);
  const inside = match?.[1] ?? text;
  const plain = isIP(inside) === 6 ? `[${inside}]` : inside;
  const host = parseDomainHost(plain);
  const said = match?.[2] === undefined ? null : Number(match[2]);
  if (host === null || host.startsWith('*') || said === 0 || (said ?? 0) > 65_535) {
    throw invalidParam({
      host: 'host must be a hostname or an IP address, for example db.internal or db.internal:5432.',
    });
  }
  if (said !== null && port != null && said !== port) {
    throw invalidParam({ port: 'port must be the same as the port in host.' });
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: port ?? said ?? before.port };
}

function statusOf(text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  const plain = text.replace(/\s+/g, '');
  const isRange = (part: string): boolean => {
    const [from = '', to = from, ...rest] = part.split('-');
    const isStatus = (word: string): boolean => /^[1-5]\d\d$/.test(word);
    return rest.length === 0 && isStatus(from) && isStatus(to) && Number(from) <= Number(to);
  };
  if (plain.split(',').every(isRange)) return plain;
  throw invalidParam({ status: 'status must be a list of statuses, for example 200 or 200-299,401.' });
}

function pointerOf(text: string | null | undefined): string | null {
  if (text == null || text === '' || text.startsWith('/')) return text ?? null;
  throw invalidParam({ json_path: 'json_path must start with /, for example /status.' });
}

/** An empty text clears a setting. */
function requestTermsOf(asked: MonitorChangeRequest, before: RequestTerms): RequestTerms {
  const method = asked.method ?? before.method;
  const headers = asked.headers == null ? before.headers : headersOf(asked.headers);
  const body = asked.body ?? before.body;
  if (Buffer.byteLength(body) > askingBodyBytesMax) {
    throw invalidParam({ body: `body must be at most ${askingBodyBytesMax} bytes long.` });
  }
  if (body !== '' && !withBody.includes(method)) {
    throw invalidParam({ body: `body is only used with ${withBody.join(', ')}, not with ${method}.` });
  }
  return { method, headers, body };
}

function headersOf(said: NonNullable<MonitorChangeRequest['headers']>): MonitorTerms['headers'] {
  const pairs = typeof said === 'string' ? pairsOf(said) : Object.entries(said);
  if (pairs.length > headersMax) throw refused(`must be at most ${headersMax}`);
  const names = new Set<string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw refused('must have names of letters, digits and hyphens');
    if (ownHeaders.has(key)) throw refused(`must not contain ${key}, which belongs to the connection`);
    if (names.has(key)) throw refused(`must not contain ${key} twice`);
    if (value.length > valueCharactersMax || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw refused(`must have a single-line value for ${key}`);
    }
    names.add(key);
  }
  return pairs.map(([name, value]) => [name, value.trim()] as const);
}

function pairsOf(text: string): Array<readonly [string, string]> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const at = line.indexOf(':');
    if (at === -1) throw refused('must be lines, for example Accept: application/json');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
}

function refused(why: string): Error {
  return invalidParam({ headers: `headers ${why}.` });
}
