// The layer that a program of somebody else mounts: it finds out on which address it is asked, and has a
// router for each (D-100). What is answered there is router.ts's.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { baseUrlOf } from '../../core/config/addresses.ts';
import { isFolder } from '../../core/config/config.ts';
import type { Deps } from '../../core/deps.ts';
import type { OwnAtRoot } from '../../http/api/ingestion.ts';
import type { Receive } from '../../http/api/namespace.ts';
import { readAddress, targetOf } from '../../wordpress/request/address.ts';
import { WpError } from '../../wordpress/response/wp-error.ts';
import type { Layer } from './mounting.ts';
import { type ApiRouter, createRouter, openCounting } from './router.ts';

/** What of its address was said by whoever mounts it; the rest is as the request says. */
export interface SaidAddress {
  readonly port: boolean;
  readonly wpPath: boolean;
}

/** Routers that are kept; one on another address is made anew, which takes milliseconds. */
const routersMax = 8;

/** The layer over `deps`. `receive` is told of each request that is ours, before anything of it is read. */
export function createMountedLayer(deps: Deps, said: SaidAddress, receive: Receive): Layer {
  const counting = openCounting(deps);
  const routers = new Map<string, ApiRouter>();
  function routerAt(baseUrl: string, wpPath: string, root: OwnAtRoot): ApiRouter {
    const name = `${root} ${baseUrl}${wpPath}`;
    const router =
      routers.get(name) ??
      createRouter({ ...deps, config: { ...deps.config, wpPath } }, baseUrl, counting, receive, root);
    // The one that was not asked for longest is the first.
    routers.delete(name);
    routers.set(name, router);
    const [oldest] = routers.keys();
    if (routers.size > routersMax && oldest !== undefined) routers.delete(oldest);
    return router;
  }
  return (request, response, next) => {
    const mount = mountOf(request);
    const { config } = deps;
    const port = said.port ? config.port : request.socket.localPort;
    const wpPath = said.wpPath ? config.wpPath : mount;
    const router = routerAt(baseUrlOf(config, port), wpPath, mount === '' ? 'routes' : 'nothing');
    const fault = mountFault(mount, wpPath);
    if (fault === null) router.layer(request, response, next);
    else if (!isOurs(request)) next();
    else refuse(deps, router, fault, request, response);
  };
}

/** The path that Express took away from the address before it asked us; empty at the root. */
function mountOf(request: IncomingMessage & { readonly baseUrl?: string }): string {
  return request.baseUrl ?? '';
}

/** Why no address below `mount` can be one below `wpPath`; null where one can. */
function mountFault(mount: string, wpPath: string): string | null {
  // Express takes no notice of upper and lower case, and other than in `wpPath` that is nobody's fault.
  const isAbove = `${wpPath}/`.toLowerCase().startsWith(`${mount}/`.toLowerCase());
  if (!isAbove) {
    return `wpPath is "${wpPath === '' ? '/' : wpPath}", and the router is mounted at "${mount}". Make them the same, or omit wpPath.`;
  }
  if (wpPath === '' || isFolder(wpPath)) return null;
  return `The router is mounted at "${mount}", which is not a folder of a site. Mount it, for example, at "/blog".`;
}

/** Whether the rest of the address looks like the API's. */
function isOurs(request: IncomingMessage): boolean {
  return targetOf(readAddress(request.url ?? '', ''), null).kind === 'route';
}

function refuse(
  { log }: Deps,
  { answers }: ApiRouter,
  fault: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  log.error({}, fault);
  answers.refuse(request, response, new WpError('notifier_wrong_mount', fault, { status: 500 }));
}
