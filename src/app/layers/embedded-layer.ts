// The router of an embedded Notifier: finds out at which URL it is mounted and keeps a router for each.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Config, isFolderPath } from '../../core/config/config.ts';
import { getBaseUrl } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import type { RootOwnership } from '../../http/api/ingestion.ts';
import type { BeforeRead } from '../../http/api/rest-server.ts';
import { createMcpEndpoint, hasPersonalToken } from '../../http/mcp/endpoint.ts';
import { parseTarget, resolveTarget } from '../../wordpress/request/resolve-target.ts';
import { WpError } from '../../wordpress/response/wp-error.ts';
import { type ApiRouter, createRouter, type Layer, openCallerContext } from './router.ts';
import { programVersion } from './version.ts';

/** Parts of the URL that were set by options; others are taken from the request. */
export interface ConfiguredAddress {
  readonly port: boolean;
  readonly wpPath: boolean;
}

/** Cached routers; making one takes milliseconds. */
const routersMax = 8;

export function createEmbeddedLayer(deps: Deps, configured: ConfiguredAddress, receive: BeforeRead): Layer {
  const counting = openCallerContext(deps);
  const routers = new Map<string, ApiRouter>();
  const mcp = createMcpEndpoint(deps, { ...counting, version: programVersion(), receive });
  function routerAt(config: Config, root: RootOwnership): ApiRouter {
    const [baseUrl, { wpPath }] = [getBaseUrl(config), config];
    const name = `${root} ${baseUrl}${wpPath}`;
    const router = routers.get(name) ?? createRouter({ ...deps, config }, baseUrl, counting, receive, root);
    // LRU: the first key is the least recently used.
    routers.delete(name);
    routers.set(name, router);
    const [oldest] = routers.keys();
    if (routers.size > routersMax && oldest !== undefined) routers.delete(oldest);
    return router;
  }
  return (request, response, next) => {
    if (/^\/mcp(?:\?|$)/.test(request.url ?? '') && hasPersonalToken(request)) {
      void mcp(request, response);
      return;
    }
    const mount = mountOf(request);
    const { config } = deps;
    const port = configured.port ? config.port : (request.socket.localPort ?? config.port);
    const wpPath = configured.wpPath ? config.wpPath : mount;
    const router = routerAt({ ...config, port, wpPath }, mount === '' ? 'routes' : 'nothing');
    const problem = mountFault(mount, wpPath);
    if (problem === null) router.layer(request, response, next);
    else if (!isOurs(request)) next();
    else refuse(deps, router, problem, request, response);
  };
}

/** The path that Express stripped; empty at the root. */
function mountOf(request: IncomingMessage & { readonly baseUrl?: string }): string {
  return request.baseUrl ?? '';
}

/** Why no URL below `mount` can be below `wpPath`; null where one can. */
function mountFault(mount: string, wpPath: string): string | null {
  // Express matches paths case-insensitively.
  const isAbove = `${wpPath}/`.toLowerCase().startsWith(`${mount}/`.toLowerCase());
  if (!isAbove) {
    return `wpPath is "${wpPath === '' ? '/' : wpPath}", and the router is mounted at "${mount}". Make them the same, or omit wpPath.`;
  }
  if (wpPath === '' || isFolderPath(wpPath)) return null;
  return `The router is mounted at "${mount}", which is not a folder of a site. Mount it, for example, at "/blog".`;
}

function isOurs(request: IncomingMessage): boolean {
  return resolveTarget(parseTarget(request.url ?? '', ''), null).kind === 'route';
}

function refuse(
  { log }: Deps,
  { answers }: ApiRouter,
  problem: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  log.error({}, problem);
  answers.refuse(request, response, new WpError('notifier_wrong_mount', problem, { status: 500 }));
}
