import type { Config } from './config.ts';

/** The public origin: BASE_URL, else the socket's. `port` is the bound port, since PORT may be 0. */
export function getBaseUrl(config: Config, port = config.port): string {
  return config.baseUrl ?? getSocketOrigin(config, port);
}

/** The origin of the socket itself, as seen from this machine. */
export function getSocketOrigin(config: Pick<Config, 'host' | 'port'>, port = config.port): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const reachable = ['0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable}:${port}`;
}

/** Base of links in messages; null without pages. */
export function getLinkBaseUrl(config: Config, port = config.port): string | null {
  return config.pages ? getPagesUrl(config, port) : null;
}

const namespacePath = '/wp-json/notifier/v1';

export function getNamespaceUrl(config: Config, port = config.port): string {
  return `${getBaseUrl(config, port)}${config.wpPath}${namespacePath}`;
}

/** Both forms of a key's DSN; below a folder only the long one works. */
export interface DsnForms {
  /** `https://KEY@HOST/PROJECT`, for a server with its own host; shown first. */
  readonly dsn: string;
  /** With the namespace's path, for a server behind a WordPress site. */
  readonly longDsn: string;
}

/** The DSNs of a key; null if it contains a dash, which Sentry SDKs refuse. */
export function createDsns(
  config: Config,
  publicKey: string,
  projectId: number,
  port = config.port,
): DsnForms | null {
  return createDsnsForApi({ apiUrl: getNamespaceUrl(config, port), publicKey, projectId });
}

/** The same for an `apiUrl` without a trailing slash. */
export function createDsnsForApi({ apiUrl, publicKey, projectId }: DsnParts): DsnForms | null {
  if (!/^\w+$/.test(publicKey)) return null;
  const { protocol, host, pathname } = new URL(apiUrl);
  const start = `${protocol}//${publicKey}@${host}`;
  const longDsn = `${start}${pathname}/${projectId}`;
  const isInFolder = pathname !== namespacePath;
  return { dsn: isInFolder ? longDsn : `${start}/${projectId}`, longDsn };
}

export function hasDistinctDsns(dsns: DsnForms | null): dsns is DsnForms {
  return dsns !== null && dsns.dsn !== dsns.longDsn;
}

export interface DsnParts {
  readonly apiUrl: string;
  readonly publicKey: string;
  readonly projectId: number;
}

/** Without a trailing slash: PAGES_URL, else the socket, or BASE_URL if it listens on all interfaces. */
export function getPagesUrl(config: Config, port = config.port): string {
  if (config.pagesUrl !== null) return config.pagesUrl.origin + config.pagesUrl.base;
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::';
  return isEverywhere ? getBaseUrl(config, port) : getSocketOrigin(config, port);
}
