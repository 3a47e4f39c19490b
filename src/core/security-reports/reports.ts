// Converts browser reports (CSP, Reporting API, certificates) into events (docs/events.md, "Security
// reports").
import { cutText } from '../reading/cut-text.ts';
import { isRecord, type JsonRecord, own } from '../reading/lenient.ts';
import { blockedOrigin, cspEvent, requestOf } from './csp.ts';

/** Per body; more than browsers queue. */
export const reportsMax = 500;

export interface ReportContext {
  readonly receivedAtMs: number;
  readonly userAgent: string;
  readonly release: string | undefined;
  readonly environment: string | undefined;
}

export interface SecurityReports {
  /** One for each report; null for an invalid one. */
  readonly events: ReadonlyArray<JsonRecord | null>;
  /** Network Error Logging also reports successes. */
  readonly successes: number;
}

/** Null if there is no valid report. */
export function readReports(body: unknown, context: ReportContext): SecurityReports | null {
  const sent = Array.isArray(body) ? body : [body];
  const reports = sent.filter((report) => !isSuccess(report));
  const events = reports.map((report) => eventOf(report, context));
  const successes = sent.length - reports.length;
  return successes === 0 && events.every((event) => event === null) ? null : { events, successes };
}

function eventOf(report: unknown, context: ReportContext): JsonRecord | null {
  if (!isRecord(report)) return null;
  const found = certificateEvent(report) ?? documentEvent(report) ?? reportingEvent(report);
  if (found === null) return null;
  const { release, environment, receivedAtMs } = context;
  const age = own(report, 'age');
  const hasAge = typeof age === 'number' && age >= 0;
  const userAgent = textOf(report, 'user_agent') || context.userAgent;
  const request = own(found, 'request') as JsonRecord;
  const headers = {
    ...(own(request, 'headers') ?? {}),
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

function documentEvent(report: JsonRecord): JsonRecord | null {
  const csp = own(report, 'csp-report');
  return isRecord(csp) ? cspEvent(csp, '') : null;
}

const certificateReports: Readonly<Record<string, readonly [type: string, words: string]>> = {
  'expect-ct-report': ['expectct', 'Expect-CT failed for'],
  'expect-staple-report': ['expectstaple', 'Expect-Staple failed for'],
  'known-pins': ['hpkp', 'Public key pinning failed for'],
};

function certificateEvent(report: JsonRecord): JsonRecord | null {
  for (const [member, [type, words]] of Object.entries(certificateReports)) {
    // HPKP reports (RFC 7469) have no wrapper.
    const body = own(report, member) === undefined ? null : type === 'hpkp' ? report : own(report, member);
    if (!isRecord(body)) continue;
    const hostname = textOf(body, 'hostname');
    const port = own(body, 'port');
    if (hostname === '') return null;
    return {
      type,
      logger: type,
      logentry: { message: `${words} '${cutText(hostname, 253)}'` },
      transaction: hostname,
      fingerprint: [type, hostname],
      tags: { hostname: cutText(hostname, 200), ...(typeof port === 'number' ? { port } : {}) },
      request: requestOf(`https://${hostname}/`, ''),
      extra: { report: body },
    };
  }
  return null;
}

function reportingEvent(report: JsonRecord): JsonRecord | null {
  const [type, url, body] = [textOf(report, 'type'), textOf(report, 'url'), own(report, 'body')];
  if (!/^[a-z][\w.-]{0,63}$/i.test(type) || !isRecord(body)) return null;
  if (type === 'csp-violation') return cspEvent(body, url);
  if (type === 'network-error') return networkEvent(body, url);
  return otherEvent(type, body, url);
}

function networkEvent(body: JsonRecord, url: string): JsonRecord | null {
  const kind = textOf(body, 'type');
  if (kind === '') return null;
  const status = own(body, 'status_code');
  const answered = typeof status === 'number' && status > 0 ? ` (${status})` : '';
  const host = blockedOrigin(url);
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
    request: { ...requestOf(url, textOf(body, 'referrer')), ...(method === '' ? {} : { method }) },
    extra: { report: body },
  };
}

/** Deprecations, interventions, crashes and future types. */
function otherEvent(type: string, body: JsonRecord, url: string): JsonRecord {
  const names = ['id', 'featureId', 'policyId', 'reason', 'type', 'message'];
  const what = names.map((name) => textOf(body, name)).find((text) => text !== '') ?? '';
  const blocked = textOf(body, 'blockedURL');
  const said = textOf(body, 'message') || what;
  return {
    type,
    logger: type,
    level: ['deprecation', 'intervention'].includes(type) ? 'warning' : 'error',
    logentry: { message: said === '' ? type : `${type}: ${said}` },
    fingerprint: [type, what, ...(blocked === '' ? [] : [blockedOrigin(blocked)])],
    tags: { 'report-type': type, ...(what === '' ? {} : { 'report-id': cutText(what, 200) }) },
    request: requestOf(url, ''),
    extra: { report: body },
  };
}

function isSuccess(report: unknown): boolean {
  if (!isRecord(report) || own(report, 'type') !== 'network-error') return false;
  const body = own(report, 'body');
  return isRecord(body) && own(body, 'type') === 'ok';
}

function textOf(record: JsonRecord, name: string): string {
  const value = own(record, name);
  return typeof value === 'string' ? value.trim() : '';
}

export function pageOf({ events }: SecurityReports): string | undefined {
  for (const event of events) {
    const request = event === null ? undefined : own(event, 'request');
    if (isRecord(request) && typeof request['url'] === 'string') return request['url'];
  }
  return undefined;
}
