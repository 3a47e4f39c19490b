// Reads and validates the configuration. Nothing else reads the environment.
import { BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import { type MonitoringSettings, readMonitoringSettings } from './metrics-and-overload.ts';
import {
  ConfigError,
  type Env,
  findNearestName,
  isAddressOrBlock,
  maskUrl,
  readBooleanSetting,
  readChoiceSetting,
  readIntegerSetting,
  readTextSetting,
  readUrlSetting,
  splitCommaList,
  toPrintable,
} from './parse-values.ts';
import {
  type ConfiguredDomain,
  readAdminToken,
  readConfiguredKeys,
  readDomainList,
  readProjectName,
} from './project.ts';
import { type RateLimits, readRateLimits, readRedisUrl } from './rate-limits.ts';
import { type LogLevel, logLevels, secretSettingNames, settingNames } from './settings.ts';
import { readSignInConfig, type SignInConfig } from './sign-in.ts';

const statementNamings = ['auto', 'named', 'unnamed'] as const;

export { ConfigError } from './parse-values.ts';
export type { ConfiguredDomain } from './project.ts';
export type { RateLimits } from './rate-limits.ts';
export type { LogLevel } from './settings.ts';

export interface Config extends DatabaseSettings, MonitoringSettings, OutSettings {
  readonly port: number;
  readonly host: string;
  /** Without a trailing slash; null for `http://HOST:PORT` of the bound socket. */
  readonly baseUrl: string | null;
  /** Folder of the WordPress installation: empty, or `/blog`. */
  readonly wpPath: string;
  readonly pages: boolean;
  /** Null: pages are at the root of every host. */
  readonly pagesUrl: { readonly origin: string; readonly base: string } | null;
  readonly demo: boolean;
  /** True if search engines may index the demo. */
  readonly securityContacts: readonly string[];
  readonly demoIndex: boolean;
  readonly redisUrl: string | null;
  /** Proxies (addresses, CIDR blocks) whose X-Forwarded-For and X-Forwarded-Proto are trusted. */
  readonly trustProxy: readonly string[];
  readonly projectName: string | null;
  readonly publicKey: string | null;
  readonly secretKey: string | null;
  readonly domains: readonly ConfiguredDomain[] | null;
  readonly adminToken: string | null;
  readonly signIn: SignInConfig;
  readonly rateLimits: RateLimits;
  /** 0 means no limit. */
  readonly retention: { readonly days: number; readonly events: number; readonly bytes: number };
  readonly dnsServers: readonly string[];
  /** DNS label of the TXT record that verifies a domain. */
  readonly challengeLabel: string;
  readonly fetchAllowPrivate: boolean;
  readonly dialectPath: string | null;
  readonly logLevel: LogLevel;
  readonly warnings: readonly string[];
}

/** Default of RETENTION_BYTES_PER_PROJECT; a quarter of the disk if that is less. */
const quotaBytesMax = 10 * 1024 ** 3;

/** Read by clients from the same .env (`npm run send`, docs/ci.md). */
const clientNames = ['NOTIFIER_URL'];

/** An empty variable counts as absent. `readFile` reads the file of a `NAME_FILE`. Throws ConfigError. */
export function loadConfig(env: Env, readFile: (path: string) => string): Config {
  const source = withFiles(env, readFile);
  const warnings = unknownNames(env);
  // Some hosting platforms set it for every program.
  if (Number(readTextSetting(source, 'WEB_CONCURRENCY') ?? 1) > 1) {
    warnings.push(
      'WEB_CONCURRENCY is no longer used: the server is one process. To use more cores, run several servers with one PostgreSQL database.',
    );
  }
  const fetchAllowPrivate = readBooleanSetting(source, 'NOTIFIER_FETCH_ALLOW_PRIVATE');
  if (fetchAllowPrivate) {
    if (env['NODE_ENV'] === 'production') {
      throw new ConfigError(
        'NOTIFIER_FETCH_ALLOW_PRIVATE is not allowed when NODE_ENV is production: domain checks would reach your internal network.',
      );
    }
    warnings.push(
      'NOTIFIER_FETCH_ALLOW_PRIVATE is on: domain checks may reach private addresses. Do not use this in production.',
    );
  }
  const outbound = outSettings(source);
  return {
    port: readIntegerSetting(source, 'PORT', 8787, 0, 65_535),
    host: hostName(readTextSetting(source, 'HOST') ?? '127.0.0.1'),
    baseUrl: origin(readTextSetting(source, 'BASE_URL')),
    wpPath: wordpressPath(readTextSetting(source, 'WP_PATH')),
    pages: readTextSetting(source, 'PAGES') === undefined || readBooleanSetting(source, 'PAGES'),
    pagesUrl: pagesUrl(readTextSetting(source, 'PAGES_URL')),
    demo: readTextSetting(source, 'DEMO') === undefined || readBooleanSetting(source, 'DEMO'),
    securityContacts: securityContacts(source),
    demoIndex: readBooleanSetting(source, 'DEMO_INDEX'),
    ...databaseSettings(source),
    redisUrl: readRedisUrl(source),
    trustProxy: addressList(source, 'TRUST_PROXY'),
    projectName: readProjectName(readTextSetting(source, 'NOTIFIER_PROJECT')),
    ...readConfiguredKeys(source),
    domains: readDomainList(readTextSetting(source, 'NOTIFIER_DOMAINS')),
    adminToken: readAdminToken(readTextSetting(source, 'NOTIFIER_ADMIN_TOKEN')),
    signIn: readSignInConfig(source, outbound.fetchAllow),
    rateLimits: readRateLimits(source),
    retention: {
      days: readIntegerSetting(source, 'RETENTION_DAYS', 90, 0, 36_500),
      events: readIntegerSetting(source, 'RETENTION_EVENTS_PER_PROJECT', 1_000_000, 0, 1e12),
      bytes: readIntegerSetting(source, 'RETENTION_BYTES_PER_PROJECT', quotaBytesMax, 0, 1e15),
    },
    dnsServers: dnsServers(source),
    challengeLabel: challengeLabel(readTextSetting(source, 'NOTIFIER_CHALLENGE_LABEL')),
    fetchAllowPrivate,
    ...outbound,
    dialectPath: readTextSetting(source, 'NOTIFIER_DIALECT') ?? null,
    logLevel: readChoiceSetting(source, 'LOG_LEVEL', logLevels, 'info'),
    ...readMonitoringSettings(source),
    warnings,
  };
}

function withFiles(env: Env, readFile: (path: string) => string): Env {
  const merged: Record<string, string | undefined> = { ...env };
  for (const name of secretSettingNames) {
    const path = readTextSetting(env, `${name}_FILE`);
    if (path === undefined) continue;
    if (readTextSetting(env, name) !== undefined) {
      throw new ConfigError(`${name} and ${name}_FILE are both set. Remove one of them.`);
    }
    merged[name] = lineOf(`${name}_FILE`, path, readFile);
  }
  return merged;
}

/** Refuses an empty file: a secret would silently be generated instead. */
function lineOf(name: string, path: string, readFile: (path: string) => string): string {
  const createError = (words: string, options?: ErrorOptions): ConfigError =>
    new ConfigError(
      `${name} is "${toPrintable(path)}": ${words}. Set it to a file that contains only the value.`,
      options,
    );
  let line: string;
  try {
    line = readFile(path).trim();
  } catch (error) {
    throw createError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  if (line === '') throw createError('it is empty');
  if (/[\r\n]/.test(line)) throw createError('it contains more than one line');
  return line;
}

function unknownNames(env: Env): string[] {
  const known: string[] = [
    ...settingNames.filter((name) => name.startsWith('NOTIFIER_')),
    ...secretSettingNames.map((name) => `${name}_FILE`),
  ];
  return Object.keys(env)
    .filter((name) => name.startsWith('NOTIFIER_') && ![...known, ...clientNames].includes(name))
    .sort()
    .map((name) => `${name} is not a setting of Notifier. Did you mean ${findNearestName(name, known)}?`);
}

function hostName(value: string): string {
  if (isIP(value) === 0 && !/^[A-Za-z0-9.-]{1,253}$/.test(value)) {
    throw new ConfigError(`HOST must be an IP address or a hostname without a port, not "${value}".`);
  }
  return value;
}

function origin(value: string | undefined): string | null {
  if (value === undefined) return null;
  const url = URL.parse(value);
  const plain =
    url !== null && url.username === '' && url.search === '' && url.hash === '' && url.pathname === '/';
  if (!plain || !['http:', 'https:'].includes(url.protocol)) {
    throw new ConfigError(
      `BASE_URL must be an origin without a path (set that in WP_PATH), for example https://shop.example, not "${value}".`,
    );
  }
  return url.origin;
}

function wordpressPath(value: string | undefined): string {
  if (value === undefined || value === '/') return '';
  const path = value.replace(/\/$/, '');
  if (!isFolderPath(path)) {
    throw new ConfigError(`WP_PATH must be a path, for example /blog, not "${value}".`);
  }
  return path;
}

/** An origin with an optional folder: `https://shop.example/errors`. */
function pagesUrl(value: string | undefined): Config['pagesUrl'] {
  if (value === undefined) return null;
  const url = URL.parse(value);
  const base = url?.pathname.replace(/\/$/, '') ?? '';
  const plain = url !== null && url.username === '' && url.search === '' && url.hash === '';
  if (!plain || !['http:', 'https:'].includes(url.protocol) || (base !== '' && !isFolderPath(base))) {
    throw new ConfigError(
      `PAGES_URL must be a URL, for example https://errors.shop.example or https://shop.example/errors, not "${maskUrl(value)}".`,
    );
  }
  return { origin: url.origin, base };
}

/** True for a path such as `/blog`, without a trailing slash. */
export function isFolderPath(path: string): boolean {
  return /^(\/[A-Za-z0-9._~-]+)+$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path);
}

function addressList(env: Env, name: string): string[] {
  return splitCommaList(readTextSetting(env, name)).map((each) => {
    if (isAddressOrBlock(each)) return each;
    throw new ConfigError(
      `${name} must be a comma-separated list of IP addresses or CIDR blocks; "${each}" is neither.`,
    );
  });
}

export function createProxyBlockList(trustProxy: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of trustProxy) {
    const [address = '', bits] = each.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** The leading underscore prevents a clash with host names. */
function challengeLabel(value = '_notifier-challenge'): string {
  if (/^_[a-z0-9-]{0,61}[a-z0-9]$/i.test(value)) return value.toLowerCase();
  throw new ConfigError(
    `NOTIFIER_CHALLENGE_LABEL must be one label that starts with an underscore, for example _notifier-challenge, not "${value}".`,
  );
}

function dnsServers(env: Env): string[] {
  const servers = splitCommaList(readTextSetting(env, 'NOTIFIER_DNS_SERVERS'));
  if (servers.length > 2) throw new ConfigError('NOTIFIER_DNS_SERVERS must contain one or two DNS servers.');
  for (const each of servers) {
    const [, named, port] = /^(.+):(\d{1,5})$/.exec(isIP(each) === 0 ? each : '') ?? [null, each, '53'];
    const address = named?.replace(/^\[(.+)\]$/, '$1') ?? '';
    if (isIP(address) === 0 || Number(port) < 1 || Number(port) > 65_535) {
      throw new ConfigError(
        `NOTIFIER_DNS_SERVERS must contain IP addresses, optionally with a port; "${each}" is not one.`,
      );
    }
  }
  return servers;
}

type OutSettings = ReturnType<typeof outSettings>;

function outSettings(env: Env) {
  return {
    /** Private hosts, addresses and CIDR blocks that alert channels may connect to. */
    fetchAllow: splitCommaList(readTextSetting(env, 'NOTIFIER_FETCH_ALLOW')).map(allowedEntry),
    smtpUrl: readUrlSetting(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    /** Null: derived from the server's address. */
    smtpFrom: mailbox(readTextSetting(env, 'SMTP_FROM')),
  };
}

function allowedEntry(entry: string): string {
  const isHost = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})$/.test(entry);
  if (isHost || isAddressOrBlock(entry)) return entry;
  throw new ConfigError(
    `NOTIFIER_FETCH_ALLOW must be a comma-separated list of hostnames, IP addresses or CIDR blocks; "${entry}" is none of them.`,
  );
}

/** As RFC 9116 has them: web pages with https, `mailto:`, `tel:`; a bare e-mail address is completed. */
function securityContacts(env: Env): string[] {
  return splitCommaList(readTextSetting(env, 'SECURITY_CONTACT')).map((each) => {
    if (/^[^<>@:\s]+@[^<>@:\s]+$/.test(each)) return `mailto:${each}`;
    if (/^(?:https:\/\/[^\s/]|mailto:[^\s@]+@|tel:\+?\d)\S*$/.test(each)) return each;
    throw new ConfigError(
      `SECURITY_CONTACT must be a comma-separated list of e-mail addresses and https: URLs; "${each}" is neither.`,
    );
  });
}

function mailbox(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (/^[^<>\r\n]{0,200}<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(value)) return value;
  throw new ConfigError(
    `SMTP_FROM must be an e-mail address, for example notifier@shop.example, not "${value}".`,
  );
}

type DatabaseSettings = ReturnType<typeof databaseSettings>;

function databaseSettings(env: Env) {
  const folder = readTextSetting(env, 'NOTIFIER_DATA') ?? 'data/local';
  return {
    databaseUrl: databaseUrl(readTextSetting(env, 'DATABASE_URL') ?? `sqlite:${join(folder, 'notifier.db')}`),
    databasePoolMax: readIntegerSetting(env, 'DATABASE_POOL_MAX', 10, 2, 1000),
    /** `auto` uses named prepared statements unless there is a connection pooler. */
    databaseStatements: readChoiceSetting(env, 'DATABASE_STATEMENTS', statementNamings, 'auto'),
  };
}

function databaseUrl(value: string): string {
  const named = `DATABASE_URL is "${maskUrl(value)}"`;
  if (/^sqlite:\/\/[^/]/.test(value)) {
    throw new ConfigError(
      `${named}: a path must not start with two slashes. Use sqlite:data/x.db for a relative path, or sqlite:/data/x.db for an absolute one.`,
    );
  }
  // Only a shell expands these, and only at the start of a word.
  const ofShell = /^sqlite:(~[^/]*|\$\w+|\$\{\w+\})/.exec(value)?.[1];
  if (ofShell !== undefined) {
    throw new ConfigError(
      `${named}: ${toPrintable(ofShell)} is only expanded by a shell. Use the full path, for example sqlite:/home/ann/x.db, or sqlite:./${toPrintable(ofShell)}/x.db if that is the name of the folder.`,
    );
  }
  if (/^sqlite:./.test(value)) return value;
  if (/^postgres(ql)?:\/\/./.test(value)) {
    if (URL.parse(value) !== null) return value;
    throw new ConfigError(
      `${named}: it is not a valid URL. Special characters in the password must be percent-encoded (# is %23, / is %2F, @ is %40).`,
    );
  }
  throw new ConfigError(
    `${named}: it must start with sqlite: (a path, or sqlite::memory:) or with postgres://.`,
  );
}
