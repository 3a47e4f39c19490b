// Settings of a monitor, read from a request. Query strings of URLs may be secret and are never shown.
import { isIP } from 'node:net';
import {
  type checkedMonitorTypes,
  type DnsRecordType,
  type MonitorChangeRequest,
  requestBodyBytesMax,
} from '../../../schemas/monitors.ts';
import { createInvalidParamError, createMissingParamsError } from '../errors.ts';
import { createSlug } from '../ids.ts';
import {
  findPrivateHostError,
  findPrivateUrlError,
  parseListedHost,
  toAsciiHostName,
} from '../parsing/host-names.ts';
import type { PrivateAddressRules } from '../ports/monitor-check-client.ts';
import type { MonitorSettings } from '../store/monitors.ts';
import { cronFields, readCronSettings } from './cron/settings.ts';

type RequestSettings = Pick<MonitorSettings, 'method' | 'headers' | 'body'>;

const headersMax = 50;
const valueCharactersMax = 4_096;
const withBody: ReadonlyArray<MonitorSettings['method']> = ['POST', 'PUT', 'PATCH', 'DELETE'];
/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers that the HTTP client sets itself. */
const forbiddenHeaders: ReadonlySet<string> = new Set([
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

export type ConfigurableType = (typeof checkedMonitorTypes)[number];

const addressCharactersMax = 2_000;

export const defaultSettings: MonitorSettings = {
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

const httpFields = [
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
const hostFields = ['host', 'port', 'record', 'answers'] as const;
const heartbeatFields = ['grace', 'interval'] as const;
/** Not for heartbeats, which send no request. */
const activeCheckFields = ['timeout', 'slow_ms', 'confirmations', 'interval'] as const;
const fieldsOfType: Readonly<Record<ConfigurableType, ReadonlyArray<keyof MonitorChangeRequest>>> = {
  http: [...httpFields, ...activeCheckFields],
  keyword: [...httpFields, ...activeCheckFields],
  tcp: ['host', 'port', ...activeCheckFields],
  dns: ['host', 'record', 'answers', ...activeCheckFields],
  tls: ['host', 'port', 'certificate_days', ...activeCheckFields],
  heartbeat: heartbeatFields,
  cron: cronFields,
};
export const defaultTlsPort = 443;

/** Throws 400 for invalid values and for fields of other types. */
export function readMonitorSettings(
  type: ConfigurableType,
  changes: MonitorChangeRequest,
  before: MonitorSettings,
): MonitorSettings {
  const own: readonly string[] = fieldsOfType[type];
  const all = [...httpFields, ...hostFields, ...heartbeatFields, ...activeCheckFields, ...cronFields];
  const strange = all.filter((name) => !own.includes(name));
  const wrong = strange.find((name) => changes[name] != null && changes[name] !== '');
  if (wrong !== undefined) {
    throw createInvalidParamError({ [wrong]: `${wrong} is not used by monitors of the type ${type}.` });
  }
  const settings: MonitorSettings = {
    ...before,
    ...readTarget(type, changes, before),
    ...readRequestSettings(changes, before),
    confirmations: changes.confirmations ?? before.confirmations,
    slowMs: changes.slow_ms ?? before.slowMs,
    status: readStatusList(changes.status) ?? before.status,
    contains: changes.contains ?? before.contains,
    lacks: changes.lacks ?? before.lacks,
    jsonPath: readJsonPointer(changes.json_path) ?? before.jsonPath,
    jsonValue: changes.json_value ?? before.jsonValue,
    redirect: readRedirect(changes.redirect) ?? before.redirect,
    certificateDays: changes.certificate_days ?? before.certificateDays,
    opensIncidents: changes.opens_incidents ?? before.opensIncidents,
    ...readDnsRecords(changes, before),
    graceMs: changes.grace == null ? before.graceMs : changes.grace * 1000,
    cron: type === 'cron' ? readCronSettings(changes, before.cron) : null,
  };
  requireComplete(type, settings);
  return settings;
}

function readTarget(
  type: ConfigurableType,
  changes: MonitorChangeRequest,
  before: MonitorSettings,
): Pick<MonitorSettings, 'url' | 'host' | 'port'> {
  const { url, host, port } = before;
  if (type === 'http' || type === 'keyword') return { url: readUrl(changes.url) ?? url, host, port };
  if (type === 'dns') return { url, host: readHostName(changes.host) ?? host, port };
  const hostAndPort = readHostAndPort(changes, before);
  return {
    url,
    ...hostAndPort,
    port: hostAndPort.port === 0 && type === 'tls' ? defaultTlsPort : hostAndPort.port,
  };
}

/** Throws 400 for an address that the SSRF protection refuses. DNS monitors do not connect to the host. */
export function refusePrivateTarget(
  reach: PrivateAddressRules,
  type: ConfigurableType,
  { url, host }: MonitorSettings,
): void {
  const isOfHost = type === 'tcp' || type === 'tls';
  const field = isOfHost ? 'host' : 'url';
  const error = isOfHost
    ? findPrivateHostError(reach, field, host)
    : url === ''
      ? null
      : findPrivateUrlError(reach, field, url);
  if (error !== null) throw createInvalidParamError({ [field]: error });
}

function readDnsRecords(
  changes: MonitorChangeRequest,
  before: MonitorSettings,
): Pick<MonitorSettings, 'record' | 'answers'> {
  const record = changes.record ?? before.record;
  if (record === '') return { record, answers: '' };
  return { record, answers: parseRecords(record, changes.answers ?? before.answers).join('\n') };
}

function requireComplete(type: ConfigurableType, settings: MonitorSettings): void {
  if (type === 'heartbeat' || type === 'cron') return;
  const isPage = type === 'http' || type === 'keyword';
  if (isPage && settings.url === '') throw createMissingParamsError(['url']);
  if (!isPage && settings.host === '') throw createMissingParamsError(['host']);
  if (type === 'tcp' && settings.port === 0) throw createMissingParamsError(['port']);
  if (type === 'dns' && settings.record === '') throw createMissingParamsError(['record']);
  if (type === 'keyword' && settings.contains === '') throw createMissingParamsError(['contains']);
  const reads = settings.contains !== '' || settings.lacks !== '' || settings.jsonPath !== '';
  if (settings.method === 'HEAD' && reads) {
    throw createInvalidParamError({ method: 'method HEAD returns no body, so its text cannot be checked.' });
  }
  if (settings.redirect !== '' && reads) {
    throw createInvalidParamError({
      redirect: 'redirect cannot be used together with a check of the response body.',
    });
  }
}

/** `list` is such as `200-299,401`. */
export function statusMatches(list: string, status: number): boolean {
  return list.split(',').some((part) => {
    const [from = '', to = from] = part.split('-');
    return status >= Number(from) && status <= Number(to);
  });
}

function readUrl(text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  return requireWebUrl('url', text);
}

function readRedirect(text: string | null | undefined): string | null {
  if (text == null || text === '') return text ?? null;
  return requireWebUrl('redirect', text);
}

function requireWebUrl(field: 'url' | 'redirect', text: string): string {
  const url = text.length > addressCharactersMax ? null : URL.parse(text);
  const refuse = (requirement: string) =>
    createInvalidParamError({ [field]: `${field} must ${requirement}.` });
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw refuse('start with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') throw refuse('not contain a user name or password');
  if (url.hash !== '') throw refuse('not contain #');
  return url.href;
}

function readHostName(text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  const spelling = toAsciiHostName(text);
  if (spelling.ok && isIP(spelling.ascii) === 0) return spelling.ascii;
  throw createInvalidParamError({
    host: 'host must be a hostname, for example shop.example or _dmarc.shop.example.',
  });
}

function readHostAndPort(
  { host: text, port }: MonitorChangeRequest,
  before: MonitorSettings,
): Pick<MonitorSettings, 'host' | 'port'> {
  if (text == null || text === '') return { host: before.host, port: port ?? before.port };
  const match = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text);
  const hostText = match?.[1] ?? text;
  const plain = isIP(hostText) === 6 ? `[${hostText}]` : hostText;
  const host = parseListedHost(plain);
  const statedPort = match?.[2] === undefined ? null : Number(match[2]);
  if (host === null || host.startsWith('*') || statedPort === 0 || (statedPort ?? 0) > 65_535) {
    throw createInvalidParamError({
      host: 'host must be a hostname or an IP address, for example db.internal or db.internal:5432.',
    });
  }
  if (statedPort !== null && port != null && statedPort !== port) {
    throw createInvalidParamError({ port: 'port must be the same as the port in host.' });
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: port ?? statedPort ?? before.port };
}

function readStatusList(text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  const plain = text.replace(/\s+/g, '').replaceAll(/\b([1-5])xx\b/gi, '$100-$199');
  const isRange = (part: string): boolean => {
    const [from = '', to = from, ...rest] = part.split('-');
    const isStatus = (word: string): boolean => /^[1-5]\d\d$/.test(word);
    return rest.length === 0 && isStatus(from) && isStatus(to) && Number(from) <= Number(to);
  };
  const invalidRange = plain.split(',').find((part) => !isRange(part));
  if (invalidRange === undefined) return plain;
  throw createInvalidParamError({
    status: 'status must be a list of codes (200), classes (2xx) or ranges (200-299).',
  });
}

function readJsonPointer(text: string | null | undefined): string | null {
  if (text == null || text === '' || text.startsWith('/')) return text ?? null;
  throw createInvalidParamError({ json_path: 'json_path must start with /, for example /status.' });
}

/** An empty text clears a setting. */
function readRequestSettings(changes: MonitorChangeRequest, before: RequestSettings): RequestSettings {
  const method = changes.method ?? before.method;
  const headers = changes.headers == null ? before.headers : readHeaders(changes.headers);
  const body = changes.body ?? before.body;
  if (Buffer.byteLength(body) > requestBodyBytesMax) {
    throw createInvalidParamError({ body: `body must be at most ${requestBodyBytesMax} bytes long.` });
  }
  if (body !== '' && !withBody.includes(method)) {
    throw createInvalidParamError({
      body: `body is only used with ${withBody.join(', ')}, not with ${method}.`,
    });
  }
  return { method, headers, body };
}

function readHeaders(headers: NonNullable<MonitorChangeRequest['headers']>): MonitorSettings['headers'] {
  const pairs = typeof headers === 'string' ? parseHeaderLines(headers) : Object.entries(headers);
  if (pairs.length > headersMax) throw headersError(`must be at most ${headersMax}`);
  const names = new Set<string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      throw headersError('must have names of letters, digits and hyphens');
    if (forbiddenHeaders.has(key))
      throw headersError(`must not contain ${key}, which belongs to the connection`);
    if (names.has(key)) throw headersError(`must not contain ${key} twice`);
    if (value.length > valueCharactersMax || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw headersError(`must have a single-line value for ${key}`);
    }
    names.add(key);
  }
  return pairs.map(([name, value]) => [name, value.trim()] as const);
}

function parseHeaderLines(text: string): Array<readonly [string, string]> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const at = line.indexOf(':');
    if (at === -1) throw headersError('must be lines, for example Accept: application/json');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
}

function headersError(problem: string): Error {
  return createInvalidParamError({ headers: `headers ${problem}.` });
}

export const monitorsMax = 2_000;
export const defaultTimeoutMs = 10_000;
export const defaultSloTarget = 0.999;

export function monitorPageSlug(name: string): string {
  return createSlug(name, 'monitor');
}

/** One a line, or separated by commas; TXT records may contain commas. */
export function parseRecords(kind: DnsRecordType, text: string): string[] {
  const records = text.split(kind === 'TXT' ? /\r?\n/ : /\r?\n|,\s+/);
  return [...new Set(records.map((record) => normalizeRecord(kind, record)))].filter(
    (record) => record !== '',
  );
}

/** In any order. TXT records of other services may be there too; for other types the sets must be equal. */
export function recordsMatch(
  kind: DnsRecordType,
  found: readonly string[],
  expected: readonly string[],
): boolean {
  const foundRecords = new Set(found.map((record) => normalizeRecord(kind, record)));
  const isAnyMore = kind !== 'TXT' && foundRecords.size !== expected.length;
  return !isAnyMore && expected.every((record) => foundRecords.has(record));
}

/** Case and the root dot of names do not matter; IPv6 addresses have many spellings. */
function normalizeRecord(kind: DnsRecordType, text: string): string {
  if (kind === 'TXT') return text;
  const plain = text.trim().replace(/\s+/g, ' ');
  if (kind === 'AAAA') return URL.parse(`http://[${plain}]/`)?.hostname.slice(1, -1) ?? plain;
  // CAA values are case-sensitive in part, but no real records differ only by case.
  return plain.toLowerCase().replaceAll('"', '').replace(/\.$/, '');
}
