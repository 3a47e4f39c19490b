// The API as one layer of Express: the namespace with the doors of the Sentry protocol in it, and the part of
// Sentry's API that its tools call. Whatever else is asked goes on to who comes next, untouched.
import express, { type RequestHandler, Router } from 'express';
import { heartbeatRoutes } from '../../../routes/heartbeats.ts';
import { notifierRoutes } from '../../../routes/index.ts';
import { sentryApi } from '../../../routes/sentry-cli.ts';
import type { Deps } from '../../core/deps.ts';
import type { LimitStore } from '../../core/ports/limit-store.ts';
import { createProjectRooms } from '../../core/retention/room.ts';
import { callerFinder } from '../../http/api/authenticate.ts';
import { ingestionRoutes, type OwnAtRoot, rootAddresses } from '../../http/api/ingestion.ts';
import { withRefusalLog } from '../../http/api/log-refusals.ts';
import {
  type MountContext,
  namespace as namespaceName,
  openRestRoute,
  restRoute,
} from '../../http/api/mount.ts';
import { createNamespace, type Receive } from '../../http/api/namespace.ts';
import { clientAddressReader } from '../../http/limits/client-address.ts';
import { openLimit } from '../../http/limits/open-limit.ts';
import { createLimiters } from '../../http/limits/rate-limit.ts';
import { sentryErrors } from '../../http/sentry-cli/gate.ts';
import type { RestServer } from '../../wordpress/rest/server.ts';
import type { Layer } from './mounting.ts';

export interface ApiRouter {
  readonly layer: Layer;
  /** The namespace alone: it answers what Node's parser refuses, and a wrong mount, without the layer. */
  readonly answers: Pick<RestServer, 'handle' | 'refuse'>;
  /** What of the layer comes behind the namespace. */
  readonly tools: RequestHandler;
  /** The template of a route string that brings events or bug reports with a public key; null for others. */
  readonly ingestionRoute: (route: string) => string | null;
}

/** What is known of a caller, and what is counted: one for all routers of an installation. */
export interface Counting extends Pick<MountContext, 'findCaller' | 'limiters' | 'clientAddress'> {
  /** Where rate limits are counted; where it is absent, each by itself. */
  readonly limitStore?: LimitStore | undefined;
}

/** Counts in this process, or with others in Redis. */
export function openCounting(deps: Deps): Counting {
  const { measures: meter, random, now, limitStore } = deps;
  const rooms = createProjectRooms(deps);
  return {
    limitStore,
    findCaller: callerFinder(deps),
    limiters: createLimiters(deps.config.rateLimits, now, { meter, random, rooms, store: limitStore }),
    clientAddress: clientAddressReader(deps.config.trustProxy, deps.log),
  };
}

/**
 * The router of a site whose public origin is `baseUrl` and whose folder is the configuration's. `receive` is
 * told of each request that is ours before anything of it is read, and may refuse it; `root` says what is
 * ours at the root of the host.
 */
export function createRouter(
  deps: Deps,
  baseUrl: string,
  counting: Counting,
  receive?: Receive,
  root: OwnAtRoot = 'all',
): ApiRouter {
  const { limiters, clientAddress } = counting;
  const routes = notifierRoutes(deps);
  const rewrite = rootAddresses(`${deps.config.wpPath}/wp-json/${namespaceName}`, root, routes);
  const namespace = createNamespace(deps, baseUrl, openLimit(limiters, clientAddress), receive, rewrite);
  const context: MountContext = {
    ...counting,
    restUrl: namespace.restUrl,
    now: deps.now,
    dialect: deps.dialect,
  };
  for (const route of routes) namespace.register(restRoute(route, context));
  for (const route of heartbeatRoutes(deps)) namespace.register(openRestRoute(route, context));
  const answers = withRefusalLog(deps, namespace);
  const tools = Router();
  tools.use('/api/0', atRoot, sentryTools(deps, sentryApi(deps, context, baseUrl), receive));
  return {
    answers,
    tools,
    ingestionRoute: ingestionRoutes(namespaceName, routes),
    layer(request, response, next) {
      // First the namespace, which is most of what is asked and needs nothing of Express.
      void answers.handle(request, response).then((handled) => {
        if (!handled) tools(request as express.Request, response as express.Response, next);
      });
    },
  };
}

/**
 * Sentry's tools take no address with a folder (D-94): what looks like theirs below one is somebody else's.
 */
const atRoot: RequestHandler = (request, _response, next) =>
  request.baseUrl.toLowerCase() === '/api/0' ? next() : next('router');

/** An app of its own, so that the settings of the one around it do not change our answers. */
function sentryTools(deps: Deps, api: RequestHandler, receive: Receive = () => null): express.Application {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(async (request, response, next) => next((await receive(request, response)) ?? undefined));
  app.use(api);
  app.use(sentryErrors(deps));
  return app;
}
