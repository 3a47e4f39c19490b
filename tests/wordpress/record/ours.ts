// Our side of the comparison: the program's own REST server, credentials and route table, with handlers that
// tell what they were given. The plugin on the other side has the same handlers in PHP.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { notifierRoutes } from '../../../routes/index.ts';
import { createCallerFinder } from '../../../src/http/api/authenticate.ts';
import { type MountContext, toRestRoute } from '../../../src/http/api/rest-route.ts';
import { createNotifierRestServer } from '../../../src/http/api/rest-server.ts';
import { ok, type ProjectRoute } from '../../../src/http/api/route.ts';
import { createLimiters } from '../../../src/http/limits/rate-limit.ts';
import type { Handler } from '../../../src/wordpress/request/rest-request.ts';
import { RouteTable } from '../../../src/wordpress/request/route-table.ts';
import { createClientErrorHandler } from '../../../src/wordpress/rest/client-error.ts';
import type { TestApp } from '../../support/app.ts';

/** One handler of the table, as both sides declare it. */
export interface RecordedRoute {
  readonly route: ProjectRoute;
  /** Below the namespace, in WordPress's notation. */
  readonly pattern: string;
  readonly handler: Handler;
}

export interface OurServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * The whole route table, each handler telling its method, the path's parameters and, unless it reads the body
 * itself, all of them.
 */
export function recordedRoutes(app: TestApp, baseUrl = app.origin): RecordedRoute[] {
  const context = contextOf(app, baseUrl);
  // The plugin knows no key but those in headers, and no members.
  const declaredRoutes = notifierRoutes(app.deps)
    .filter((route): route is ProjectRoute => route.credential !== 'personal')
    .filter(({ path }) => !path.includes('{sentry_key'));
  return declaredRoutes.map((declared) => {
    const route: ProjectRoute = { ...declared, handler: tell(declared) };
    const table = new RouteTable();
    table.add(toRestRoute(route, context));
    const [registered] = table.routes.values();
    const handler = registered?.handlers[0];
    if (registered === undefined || handler === undefined) throw new Error(`no route: ${declared.path}`);
    return { route, pattern: registered.pattern.replace('/notifier/v1', ''), handler };
  });
}

/** Serves the routes on loopback as if at `baseUrl`. */
export async function startOurs(
  app: TestApp,
  routes: readonly RecordedRoute[],
  baseUrl: string,
): Promise<OurServer> {
  const namespace = createNotifierRestServer(app.deps, baseUrl);
  const context = contextOf(app, baseUrl);
  for (const { route } of routes) namespace.register(toRestRoute(route, context));
  const server = createServer((incoming, outgoing) => {
    void namespace.handle(incoming, outgoing).then((handled) => handled || outgoing.writeHead(404).end());
  });
  server.on('clientError', createClientErrorHandler(namespace));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function contextOf({ deps }: TestApp, baseUrl: string): MountContext {
  return {
    findCaller: createCallerFinder(deps),
    limiters: createLimiters(deps.config.rateLimits, deps.now),
    clientAddress: () => '127.0.0.1',
    now: deps.now,
    restUrl: (route) => `${baseUrl}/wp-json${route}`,
  };
}

function tell(route: ProjectRoute): ProjectRoute['handler'] {
  return async ({ method, path, params }) =>
    ok(route.body === 'stream' ? { method, path } : { method, path, params });
}
