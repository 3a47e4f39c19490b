// Reads the monitors of Gatus' config.yaml and of Uptime Kuma's JSON backup. What has no counterpart is named, not guessed.
import { z } from 'zod';
import { formatCount } from '../parsing/format/numbers.ts';

/** A monitor as `POST /monitors` takes it, not validated yet. */
export interface ForeignMonitor {
  readonly name: string;
  /** Null where no type of monitor does the same; `unsupported` says why. */
  readonly request: Readonly<Record<string, unknown>> | null;
  readonly isPaused: boolean;
  readonly unsupported: readonly string[];
}

export interface ForeignMonitors {
  readonly from: 'Gatus' | 'Uptime Kuma';
  readonly monitors: readonly ForeignMonitor[];
}

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const texts = z.record(z.string(), text);

const gatusEndpoint = z.looseObject({
  name: text,
  group: text.nullish(),
  url: text.nullish(),
  enabled: z.boolean().nullish(),
  method: text.nullish(),
  headers: texts.nullish(),
  body: text.nullish(),
  interval: text.nullish(),
  conditions: z.array(text).nullish(),
  client: z.looseObject({ timeout: text.nullish() }).nullish(),
  dns: z.looseObject({ 'query-name': text, 'query-type': text }).nullish(),
  heartbeat: z.looseObject({ interval: text.nullish() }).nullish(),
});
type GatusEndpoint = z.infer<typeof gatusEndpoint>;

const gatusConfig = z.looseObject({
  endpoints: z.array(z.unknown()).nullish(),
  'external-endpoints': z.array(z.unknown()).nullish(),
});

const kumaMonitor = z.looseObject({
  id: z.number().nullish(),
  parent: z.number().nullish(),
  name: text,
  type: text,
  active: z.union([z.boolean(), z.number()]).nullish(),
  url: text.nullish(),
  method: text.nullish(),
  headers: text.nullish(),
  body: text.nullish(),
  hostname: text.nullish(),
  port: z.number().nullish(),
  interval: z.number().nullish(),
  maxretries: z.number().nullish(),
  timeout: z.number().nullish(),
  keyword: text.nullish(),
  invertKeyword: z.union([z.boolean(), z.number()]).nullish(),
  upsideDown: z.union([z.boolean(), z.number()]).nullish(),
  ignoreTls: z.union([z.boolean(), z.number()]).nullish(),
  accepted_statuscodes: z.array(text).nullish(),
  dns_resolve_type: text.nullish(),
  tags: z.array(z.looseObject({ name: text })).nullish(),
});
type KumaMonitor = z.infer<typeof kumaMonitor>;

const kumaGroup = z.looseObject({ id: z.unknown(), name: text, type: z.literal('group') });
const kumaBackup = z.looseObject({ monitorList: z.array(z.unknown()) });

/** `file` is the parsed YAML or JSON. Null for another format. Throws ZodError for one without a list of monitors. */
export function readForeignMonitors(file: unknown): ForeignMonitors | null {
  if (typeof file !== 'object' || file === null) return null;
  if ('monitorList' in file) {
    const { monitorList: all } = kumaBackup.parse(file);
    const groups = new Map<unknown, string>();
    const others = all.filter((each) => {
      const { data: group } = kumaGroup.safeParse(each);
      if (group !== undefined) groups.set(group.id, group.name);
      return group === undefined;
    });
    const monitors = others.map(readEach(kumaMonitor, (each) => fromKuma(each, groups)));
    return { from: 'Uptime Kuma', monitors };
  }
  if (!('endpoints' in file) && !('external-endpoints' in file)) return null;
  const config = gatusConfig.parse(file);
  const external = config['external-endpoints'] ?? [];
  const endpoints = (config.endpoints ?? []).map(readEach(gatusEndpoint, fromGatus));
  return { from: 'Gatus', monitors: [...endpoints, ...external.map(readEach(gatusEndpoint, fromExternal))] };
}

/** A monitor with a wrong value is not taken over; the others are. */
function readEach<Schema extends z.ZodType>(
  schema: Schema,
  toMonitor: (value: z.infer<Schema>) => ForeignMonitor,
): (value: unknown, index: number) => ForeignMonitor {
  return (value, index) => {
    const { success, data, error } = schema.safeParse(value);
    if (success) return toMonitor(data);
    const [issue] = error.issues;
    const name = z.looseObject({ name: text }).safeParse(value).data?.name ?? `Monitor ${index + 1}`;
    const unsupported = [`its ${issue?.path.join('.') || 'entry'}: ${issue?.message ?? ''}`];
    return { name, request: null, isPaused: false, unsupported };
  };
}

function fromGatus(endpoint: GatusEndpoint): ForeignMonitor {
  const { name, group, url = '', enabled, interval, conditions, client } = endpoint;
  const unsupported = ['alerts', 'ui', 'ssh', 'oauth2', 'graphql', 'maintenance-windows']
    .filter((key) => endpoint[key] != null && endpoint[key] !== false)
    .map((key) => key);
  for (const key of Object.keys(client ?? {})) if (key !== 'timeout') unsupported.push(`client.${key}`);
  const common = {
    name,
    group: group ?? undefined,
    interval: secondsOf(interval),
    timeout: secondsOf(client?.timeout),
  };
  const target = gatusTarget(endpoint);
  const isPaused = enabled === false;
  if (target === null)
    return { name, request: null, isPaused, unsupported: [`${url ?? ''} cannot be checked`] };
  const settings: Record<string, unknown> = {};
  for (const condition of conditions ?? []) {
    const term = termOf(condition, target['type'] as string);
    if (term === null) unsupported.push(`condition ${condition}`);
    else Object.assign(settings, term);
  }
  const values = { ...common, ...target, ...settings };
  if (JSON.stringify(values).includes('${')) unsupported.push('environment variables: replace them first');
  return { name, request: values, isPaused, unsupported };
}

function gatusTarget({ url, method, headers, body, dns }: GatusEndpoint): Record<string, unknown> | null {
  if (dns != null) {
    return { type: 'dns', host: dns['query-name'].replace(/\.$/, ''), record: dns['query-type'] };
  }
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/i.exec(url ?? '') ?? [];
  switch (scheme.toLowerCase()) {
    case 'http':
    case 'https':
      return {
        type: 'http',
        url,
        method: method ?? undefined,
        headers: headers ?? undefined,
        body: body ?? undefined,
      };
    case 'tcp':
    case 'tls':
      return { type: scheme.toLowerCase(), host: rest.replace(/\/$/, '') };
    default:
      return null;
  }
}

function termOf(condition: string, type: string): Record<string, unknown> | null {
  const [, subject = '', sign = '', value = ''] =
    /^(\[\S+?\]\S*)\s*(==|<=|>=|<|>)\s*(.+)$/.exec(condition.trim()) ?? [];
  if (subject === '[CONNECTED]') return sign === '==' && value === 'true' ? {} : null;
  if (subject === '[DNS_RCODE]') return sign === '==' && value === 'NOERROR' ? {} : null;
  if (subject === '[RESPONSE_TIME]' && sign.startsWith('<')) return { slow_ms: Number(value) };
  if (subject === '[CERTIFICATE_EXPIRATION]' && sign.startsWith('>')) {
    const seconds = secondsOf(value);
    return seconds === undefined ? null : { certificate_days: Math.ceil(seconds / 86_400) };
  }
  if (subject === '[STATUS]') return statusTerm(sign, value);
  if (subject === '[BODY]' && sign === '==' && type === 'dns') return { answers: value };
  if (subject === '[BODY]' && sign === '==') {
    const [, part] = /^pat\(\*([^*]+)\*\)$/.exec(value) ?? [];
    return part === undefined ? null : { contains: part };
  }
  const [, path] = /^\[BODY\]\.([\w-]+(?:\.[\w-]+)*)$/.exec(subject) ?? [];
  if (path === undefined || sign !== '==' || /^(?:pat|any|len|has)\(/.test(value)) return null;
  return { json_path: `/${path.replaceAll('.', '/')}`, json_value: value };
}

function statusTerm(sign: string, value: string): Record<string, unknown> | null {
  const code = Number(value);
  if (sign === '==') {
    const [, any] = /^any\(([\d,\s]+)\)$/.exec(value) ?? [];
    const codes = any ?? value;
    return /^[\d,\s]+$/.test(codes) ? { status: codes.replaceAll(/\s/g, '') } : null;
  }
  if (!Number.isInteger(code) || !sign.startsWith('<')) return null;
  return { status: `100-${sign === '<' ? code - 1 : code}` };
}

function fromExternal({ name, group, enabled, heartbeat }: GatusEndpoint): ForeignMonitor {
  const interval = secondsOf(heartbeat?.interval);
  const isPaused = enabled === false;
  if (interval === undefined) {
    return { name, request: null, isPaused, unsupported: ['an external endpoint needs heartbeat.interval'] };
  }
  const request = { type: 'heartbeat', name, group: group ?? undefined, interval };
  return { name, request, isPaused, unsupported: ['its token: a heartbeat has a URL of its own'] };
}

/** Of Go, such as `1m30s`; a number alone has no unit and is refused. */
function secondsOf(duration: string | null | undefined): number | undefined {
  const units = { ms: 0.001, s: 1, m: 60, h: 3_600 } as const;
  if (duration == null || !/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(duration)) return undefined;
  const matches = duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  const seconds = [...matches].reduce(
    (sum, [, n, unit]) => sum + Number(n) * units[unit as keyof typeof units],
    0,
  );
  return Math.max(1, Math.round(seconds));
}

function fromKuma(monitor: KumaMonitor, groups: ReadonlyMap<unknown, string>): ForeignMonitor {
  const { name, type, active, maxretries, tags, parent } = monitor;
  const isPaused = active === false || active === 0;
  const target = kumaTarget(monitor);
  if (typeof target === 'string') return { name, request: null, isPaused, unsupported: [target] };
  const unsupported = [
    monitor.upsideDown ? 'upside down mode' : null,
    monitor.ignoreTls ? 'ignored TLS errors' : null,
    Object.keys((monitor['notificationIDList'] as object | undefined) ?? {}).length > 0
      ? 'notifications'
      : null,
    type === 'json-query' ? 'the JSON query' : null,
    type === 'push' ? 'its push URL: a heartbeat has a URL of its own' : null,
    (maxretries ?? 0) > 9 ? `${formatCount(maxretries ?? 0)} retries: 9 at most` : null,
  ].filter((each) => each !== null);
  const request = {
    name,
    ...target,
    interval: monitor.interval ?? undefined,
    timeout: monitor.timeout ? Math.min(30, Math.max(1, Math.round(monitor.timeout))) : undefined,
    confirmations: maxretries == null ? undefined : Math.min(10, maxretries + 1),
    group: groups.get(parent ?? undefined),
    tags: tags?.map((each) => each.name),
  };
  return { name, request: type === 'push' ? withoutChecks(request) : request, isPaused, unsupported };
}

/** A heartbeat is called: it has no timeout and no retries. */
function withoutChecks<Asked extends { readonly timeout: unknown; readonly confirmations: unknown }>(
  request: Asked,
) {
  const { timeout: _timeout, confirmations: _confirmations, ...rest } = request;
  return rest;
}

/** Or why it cannot be taken over. */
function kumaTarget(monitor: KumaMonitor): Record<string, unknown> | string {
  const { type, url, method, headers, body, hostname: host, port, keyword } = monitor;
  const statuses = monitor.accepted_statuscodes;
  const sent = headersOf(headers);
  if (sent === null) return 'its headers are not JSON';
  const http = {
    url,
    method: method ?? undefined,
    headers: sent,
    body: body || undefined,
    status: statuses == null || statuses.length === 0 ? undefined : statuses.join(','),
  };
  switch (type) {
    case 'http':
    case 'json-query':
      return { type: 'http', ...http };
    case 'keyword':
      return monitor.invertKeyword
        ? { type: 'http', ...http, lacks: keyword }
        : { type: 'keyword', ...http, contains: keyword };
    case 'port':
      return { type: 'tcp', host, port };
    case 'dns':
      return { type: 'dns', host, record: monitor.dns_resolve_type ?? 'A' };
    case 'push':
      return { type: 'heartbeat' };
    default:
      return `type ${type}`;
  }
}

function headersOf(text: string | null | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return null;
  }
}
