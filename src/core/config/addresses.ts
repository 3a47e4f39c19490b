import type { Config } from './config.ts';

/** The public origin: BASE_URL, else the socket's. `port` is the bound port, since PORT may be 0. */
export function baseUrlOf(config: Config, port = config.port): string {
  return config.baseUrl ?? listeningOrigin(config, port);
}

/** The origin of the socket itself, as seen from this machine. */
export function listeningOrigin(config: Pick<Config, 'host' | 'port'>, port = config.port): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const reachable = ['0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable}:${port}`;
}

/** Base of links in messages; null without pages. */
export function linksOf(config: Config, port = config.port): string | null {
  return config.pages ? pagesUrlOf(config, port) : null;
}

const namespacePath = '/wp-json/notifier/v1';

export function namespaceUrl(config: Config, port = config.port): string {
  return `${baseUrlOf(config, port)}${config.wpPath}${namespacePath}`;
}

/** Both forms of a key's DSN; below a folder only the long one works. */
export interface Dsns {
  /** `https://KEY@HOST/PROJECT`, for a server with its own host; shown first. */
  readonly dsn: string;
  /** With the namespace's path, for a server behind a WordPress site. */
  readonly longDsn: string;
}

/** The DSNs of a key; null if it contains a dash, which Sentry SDKs refuse. */
export function dsnsOf(
  config: Config,
  publicKey: string,
  projectId: number,
  port = config.port,
): Dsns | null {
  return dsnsAt({ apiUrl: namespaceUrl(config, port), publicKey, projectId });
}

/** The same for an `apiUrl` without a trailing slash. */
export function dsnsAt({ apiUrl, publicKey, projectId }: DsnParts): Dsns | null {
  if (!/^\w+$/.test(publicKey)) return null;
  const { protocol, host, pathname } = new URL(apiUrl);
  const start = `${protocol}//${publicKey}@${host}`;
  const longDsn = `${start}${pathname}/${projectId}`;
  const isInFolder = pathname !== namespacePath;
  return { dsn: isInFolder ? longDsn : `${start}/${projectId}`, longDsn };
}

export function hasTwoForms(dsns: Dsns | null): dsns is Dsns {
  return dsns !== null && dsns.dsn !== dsns.longDsn;
}

export interface DsnParts {
  readonly apiUrl: string;
  readonly publicKey: string;
  readonly projectId: number;
}

/** Without a trailing slash: PAGES_URL, else the socket, or BASE_URL if it listens on all interfaces. */
export function pagesUrlOf(config: Config, port = config.port): string {
  if (config.pagesUrl !== null) return config.pagesUrl.origin + config.pagesUrl.base;
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::';
  return isEverywhere ? baseUrlOf(config, port) : listeningOrigin(config, port);
}
