// The public addresses of a configuration: what is printed must work when pasted.
import type { Config } from './config.ts';

/**
 * The public origin: BASE_URL, else the socket's. `port` is the port that was really bound, where PORT is 0.
 */
export function baseUrlOf(config: Config, port = config.port): string {
  return config.baseUrl ?? listeningOrigin(config, port);
}

/** Where the socket itself is reached from this machine, whatever its public address is. */
export function listeningOrigin(config: Pick<Config, 'host' | 'port'>, port = config.port): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const reachable = ['0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable}:${port}`;
}

/** Where links of messages lead; null where there are no pages. `port` as above. */
export function linksOf(config: Config, port = config.port): string | null {
  return config.pages ? pagesUrlOf(config, port) : null;
}

const namespacePath = '/wp-json/notifier/v1';

/** The namespace's address, without a slash at the end. */
export function namespaceUrl(config: Config, port = config.port): string {
  return `${baseUrlOf(config, port)}${config.wpPath}${namespacePath}`;
}

/** Both forms of the DSN of one key (D-16); where the site is in a folder there is the long one alone. */
export interface Dsns {
  /** What is shown first: `https://KEY@HOST/PROJECT`, for a server that has a host of its own. */
  readonly dsn: string;
  /** With the namespace's address in it, for a server that stands behind a WordPress site. */
  readonly longDsn: string;
}

/**
 * The DSNs that a Sentry SDK takes (D-16), or null when the key holds a dash, which those SDKs refuse. `port`
 * as above.
 */
export function dsnsOf(
  config: Config,
  publicKey: string,
  projectId: number,
  port = config.port,
): Dsns | null {
  return dsnsAt({ apiUrl: namespaceUrl(config, port), publicKey, projectId });
}

/** The same for an API at `apiUrl`, its namespace's address without a slash at the end. */
export function dsnsAt({ apiUrl, publicKey, projectId }: DsnParts): Dsns | null {
  if (!/^\w+$/.test(publicKey)) return null;
  const { protocol, host, pathname } = new URL(apiUrl);
  const start = `${protocol}//${publicKey}@${host}`;
  const longDsn = `${start}${pathname}/${projectId}`;
  const isInFolder = pathname !== namespacePath;
  return { dsn: isInFolder ? longDsn : `${start}/${projectId}`, longDsn };
}

/** Whether the two are different. */
export function hasTwoForms(dsns: Dsns | null): dsns is Dsns {
  return dsns !== null && dsns.dsn !== dsns.longDsn;
}

export interface DsnParts {
  readonly apiUrl: string;
  readonly publicKey: string;
  readonly projectId: number;
}

/**
 * Where people find the workspace, without a slash at the end: PAGES_URL, else the socket's own address;
 * where that is every one of the machine, BASE_URL says the one by which others know it. `port` as above.
 */
export function pagesUrlOf(config: Config, port = config.port): string {
  if (config.pagesUrl !== null) return config.pagesUrl.origin + config.pagesUrl.base;
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::';
  return isEverywhere ? baseUrlOf(config, port) : listeningOrigin(config, port);
}
