// Exceptions in OTLP exports as events: log records with `exception.*` attributes, and `exception` events of spans.
// https://opentelemetry.io/docs/specs/semconv/exceptions/
import { createHash } from 'node:crypto';
import { getOwn, isJsonObject, type JsonObject } from '../parsing/unknown-values.ts';
import { parseStackText } from './stack-text.ts';

export type OtlpSignal = 'logs' | 'traces';

/** Of one export. OpenTelemetry's SDKs send at most 512 records or spans at once. */
export const otlpEventsMax = 1_000;

export interface OtlpExport {
  readonly events: readonly JsonObject[];
  /** Records or spans without an exception. */
  readonly unsupported: number;
  readonly tooMany: number;
}

type Attributes = ReadonlyMap<string, unknown>;

interface Raised {
  readonly resource: Attributes;
  readonly scope: string;
  readonly attributes: Attributes;
  readonly timeUnixNano: unknown;
  readonly level: string | undefined;
  readonly message: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly spanName: string;
}

/** Null where the export has no list of its signal's resources. `{}` is an export of nothing. */
export function readOtlpExport(body: unknown, signal: OtlpSignal): OtlpExport | null {
  if (!isJsonObject(body)) return null;
  const [outer, inner, items] =
    signal === 'logs'
      ? ['resourceLogs', 'scopeLogs', 'logRecords']
      : ['resourceSpans', 'scopeSpans', 'spans'];
  const sent = getOwn(body, outer);
  if (sent !== undefined && !Array.isArray(sent)) return null;
  const raised: Raised[] = [];
  const spans = new Map<string, JsonObject>();
  let unsupported = 0;
  for (const group of listOf(body, outer)) {
    const resource = attributesOf(objectOf(group, 'resource'));
    for (const scoped of listOf(group, inner)) {
      const scope = textOf(objectOf(scoped, 'scope'), 'name');
      for (const item of listOf(scoped, items)) {
        const found = signal === 'logs' ? raisedInRecord(item) : raisedInSpan(item);
        if (found.length === 0) unsupported += 1;
        for (const each of found) raised.push({ ...each, resource, scope });
        if (signal === 'traces') spans.set(keyOf(idsOf(item)), item);
      }
    }
  }
  const selected = signal === 'logs' ? raised : withoutPropagated(raised);
  return {
    events: selected.slice(0, otlpEventsMax).map((each) => eventOf(inTrace(each, spans))),
    unsupported,
    tooMany: Math.max(0, selected.length - otlpEventsMax),
  };
}

type Item = Omit<Raised, 'resource' | 'scope'>;

function raisedInRecord(record: JsonObject): Item[] {
  const attributes = attributesOf(record);
  if (!isException(attributes)) return [];
  const severity = Number(getOwn(record, 'severityNumber'));
  const observed = getOwn(record, 'observedTimeUnixNano');
  const time = getOwn(record, 'timeUnixNano');
  const body = anyValueOf(getOwn(record, 'body'), 0);
  return [
    {
      ...{ attributes, ...idsOf(record), parentSpanId: '', spanName: '' },
      timeUnixNano: time === undefined || Number(time) === 0 ? observed : time,
      level: levelOf(severity),
      message: typeof body === 'string' ? body : '',
    },
  ];
}

function raisedInSpan(span: JsonObject): Item[] {
  const exceptions = listOf(span, 'events').filter((event) => textOf(event, 'name') === 'exception');
  const spanAttributes = exceptions.length === 0 ? new Map<string, unknown>() : attributesOf(span);
  return exceptions
    .map((event) => ({ event, attributes: new Map([...spanAttributes, ...attributesOf(event)]) }))
    .filter(({ attributes }) => isException(attributes))
    .map(({ event, attributes }) => ({
      ...{ attributes, ...idsOf(span), level: undefined, message: '' },
      parentSpanId: textOf(span, 'parentSpanId').toLowerCase(),
      spanName: textOf(span, 'name'),
      timeUnixNano: getOwn(event, 'timeUnixNano'),
    }));
}

function isException(attributes: Attributes): boolean {
  return ['exception.type', 'exception.message'].some((name) => stringOf(attributes, name) !== '');
}

/** An exception that passes through spans is recorded by each: only the innermost counts. */
function withoutPropagated(raised: readonly Raised[]): Raised[] {
  const nameOf = ({ traceId, spanId }: Raised, attributes: Attributes): string =>
    JSON.stringify([traceId, spanId, ...exceptionFields.map((name) => stringOf(attributes, name))]);
  const passedTo = new Set(
    raised.map((each) => nameOf({ ...each, spanId: each.parentSpanId }, each.attributes)),
  );
  return raised.filter((each) => !passedTo.has(nameOf(each, each.attributes)));
}

const ancestorsMax = 64;

/** With name and attributes of the outermost span of the export that it was raised in. */
function inTrace(raised: Raised, spans: ReadonlyMap<string, JsonObject>): Raised {
  let outermost: JsonObject | undefined;
  let { parentSpanId } = raised;
  for (let count = 0; count < ancestorsMax; count += 1) {
    const parent = spans.get(keyOf({ traceId: raised.traceId, spanId: parentSpanId }));
    if (parent === undefined) break;
    outermost = parent;
    parentSpanId = textOf(parent, 'parentSpanId').toLowerCase();
  }
  if (outermost === undefined) return raised;
  const attributes = new Map([...attributesOf(outermost), ...raised.attributes]);
  return { ...raised, attributes, spanName: textOf(outermost, 'name') };
}

function keyOf({ traceId, spanId }: Pick<Raised, 'traceId' | 'spanId'>): string {
  return `${traceId} ${spanId}`;
}

const exceptionFields = ['exception.type', 'exception.message', 'exception.stacktrace'] as const;

const levels = ['debug', 'debug', 'info', 'warning', 'error', 'fatal'] as const;

/** Severities are in six groups of four, from 1. */
function levelOf(severity: number): string | undefined {
  return severity >= 1 && severity <= 24 ? levels[Math.ceil(severity / 4) - 1] : undefined;
}

const platforms: Readonly<Record<string, string>> = {
  ...{
    nodejs: 'node',
    webjs: 'javascript',
    dotnet: 'csharp',
    cpp: 'native',
    swift: 'cocoa',
    erlang: 'elixir',
  },
  ...{ java: 'java', python: 'python', go: 'go', php: 'php', ruby: 'ruby', rust: 'rust' },
};

function eventOf(raised: Raised): JsonObject {
  const { resource, attributes, scope, level, traceId, spanId, parentSpanId, spanName } = raised;
  const attribute = (...names: string[]): string => firstOf(attributes, names);
  const ofResource = (...names: string[]): string => firstOf(resource, names);
  const language = ofResource('telemetry.sdk.language');
  const platform = platforms[language] ?? 'other';
  const route = [attribute('http.request.method', 'http.method'), attribute('http.route')];
  const exceptions = exceptionsOf(raised, platform);
  return withoutEmpty({
    event_id: idOf(raised),
    platform,
    level: level ?? 'error',
    timestamp: secondsOf(raised.timeUnixNano),
    exception: { values: exceptions },
    logentry:
      raised.message === '' || raised.message === exceptions.at(-1)?.['value']
        ? undefined
        : { message: raised.message },
    logger: scope,
    transaction: route[1] === '' ? spanName : route.join(' ').trim(),
    release: ofResource('service.version'),
    environment: ofResource('deployment.environment.name', 'deployment.environment'),
    server_name: ofResource('host.name', 'service.instance.id'),
    user: withoutEmpty({
      id: attribute('user.id', 'enduser.id'),
      email: attribute('user.email'),
      username: attribute('user.name'),
      ip_address: attribute('client.address'),
    }),
    request: requestOf(attribute),
    tags: { ...tagsOf(resource), ...tagsOf(attributes) },
    contexts: withoutEmpty({
      trace:
        traceId === ''
          ? undefined
          : withoutEmpty({ trace_id: traceId, span_id: spanId, parent_span_id: parentSpanId }),
      runtime: withoutEmpty({
        name: ofResource('process.runtime.name'),
        version: ofResource('process.runtime.version'),
      }),
      os: withoutEmpty({ name: ofResource('os.name', 'os.type'), version: ofResource('os.version') }),
      resource: Object.fromEntries(resource),
    }),
    extra: Object.fromEntries([...attributes].filter(([name]) => !name.startsWith('exception.'))),
    sdk: {
      name: [ofResource('telemetry.sdk.name') || 'opentelemetry', language].filter(Boolean).join('.'),
      version: ofResource('telemetry.sdk.version') || 'unknown',
    },
  });
}

/** Causes come before what they caused, as in Sentry's events. */
function exceptionsOf({ attributes }: Raised, platform: string): JsonObject[] {
  const escaped = attributes.get('exception.escaped');
  const isEscaped = typeof escaped === 'string' ? escaped === 'true' : escaped;
  const handled = typeof isEscaped === 'boolean' ? { handled: !isEscaped } : {};
  return parseStackText(stringOf(attributes, 'exception.stacktrace'), platform)
    .map(({ raised, frames }) =>
      withoutEmpty({
        type: raised?.type ?? stringOf(attributes, 'exception.type'),
        value: raised?.value ?? stringOf(attributes, 'exception.message'),
        mechanism: raised === null ? { type: 'opentelemetry', ...handled } : { type: 'chained' },
        stacktrace: frames.length === 0 ? undefined : { frames },
      }),
    )
    .toReversed();
}

function requestOf(attribute: (...names: string[]) => string): JsonObject | undefined {
  const path = attribute('url.path', 'http.target');
  const host = attribute('server.address', 'http.host');
  const built =
    host === '' || path === '' ? '' : `${attribute('url.scheme', 'http.scheme') || 'https'}://${host}${path}`;
  const agent = attribute('user_agent.original', 'http.user_agent');
  return withoutEmpty({
    url: attribute('url.full', 'http.url') || built,
    method: attribute('http.request.method', 'http.method'),
    headers: agent === '' ? undefined : { 'User-Agent': agent },
  });
}

/** Names with few values; all others are in `extra`. */
const tagNames =
  `service.name service.namespace cloud.region k8s.namespace.name k8s.deployment.name k8s.pod.name
  http.request.method http.response.status_code http.route rpc.system rpc.service rpc.method db.system db.system.name
  messaging.system error.type code.function.name thread.name faas.name feature_flag.key`.split(/\s+/);

function tagsOf(attributes: Attributes): JsonObject {
  return withoutEmpty(Object.fromEntries(tagNames.map((name) => [name, stringOf(attributes, name)])));
}

/** The same for an export that is sent again. */
function idOf({ attributes, traceId, spanId, timeUnixNano }: Raised): string {
  const facts = exceptionFields.map((name) => stringOf(attributes, name));
  const all = JSON.stringify([traceId, spanId, String(timeUnixNano), ...facts]);
  return createHash('sha256').update(all).digest('hex').slice(0, 32);
}

function secondsOf(nanoseconds: unknown): number | undefined {
  const seconds = Number(nanoseconds) / 1e9;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

function idsOf(item: JsonObject): { traceId: string; spanId: string } {
  return { traceId: textOf(item, 'traceId').toLowerCase(), spanId: textOf(item, 'spanId').toLowerCase() };
}

const attributesMax = 256;
const valuesDepthMax = 8;

function attributesOf(item: JsonObject): Attributes {
  const pairs = listOf(item, 'attributes').slice(0, attributesMax);
  return new Map(pairs.map((pair) => [textOf(pair, 'key'), anyValueOf(getOwn(pair, 'value'), 0)]));
}

/** Of an AnyValue; integers are texts in OTLP's JSON. */
function anyValueOf(any: unknown, depth: number): unknown {
  if (!isJsonObject(any) || depth > valuesDepthMax) return null;
  const [kind, value] = Object.entries(any)[0] ?? [];
  if (kind === 'intValue') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (kind === 'arrayValue' && isJsonObject(value)) {
    return listOf(value, 'values').map((each) => anyValueOf(each, depth + 1));
  }
  if (kind === 'kvlistValue' && isJsonObject(value)) {
    return Object.fromEntries(
      listOf(value, 'values').map((pair) => [
        textOf(pair, 'key'),
        anyValueOf(getOwn(pair, 'value'), depth + 1),
      ]),
    );
  }
  return ['string', 'boolean', 'number'].includes(typeof value) ? value : null;
}

function firstOf(attributes: Attributes, names: readonly string[]): string {
  return names.map((name) => stringOf(attributes, name)).find((text) => text !== '') ?? '';
}

function stringOf(attributes: Attributes, name: string): string {
  const value = attributes.get(name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function listOf(item: JsonObject, name: string): JsonObject[] {
  const list = getOwn(item, name);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function objectOf(item: JsonObject, name: string): JsonObject {
  const value = getOwn(item, name);
  return isJsonObject(value) ? value : {};
}

function textOf(item: JsonObject, name: string): string {
  const value = getOwn(item, name);
  return typeof value === 'string' ? value : '';
}

function withoutEmpty(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== undefined && value !== '' && !(isJsonObject(value) && Object.keys(value).length === 0),
    ),
  );
}
