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

/** The namespace's address, without a slash at the end. */
export function namespaceUrl(config: Config, port = config.port): string {
  return `${baseUrlOf(config, port)}${config.wpPath}/wp-json/notifier/v1`;
}

/**
 * The DSN that a Sentry SDK takes (D-16), or null when the key holds a dash, which those SDKs refuse. `port`
 * as above.
 */
export function dsnOf(
  config: Config,
  publicKey: string,
  projectId: number,
  port = config.port,
): string | null {
  return dsnAt({ apiUrl: namespaceUrl(config, port), publicKey, projectId });
}

/** The same for an API at `apiUrl`, its namespace's address without a slash at the end. */
export function dsnAt({ apiUrl, publicKey, projectId }: DsnParts): string | null {
  if (!/^\w+$/.test(publicKey)) return null;
  const url = new URL(apiUrl);
  return `${url.protocol}//${publicKey}@${url.host}${url.pathname}/${projectId}`;
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
