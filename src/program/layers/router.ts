// The API as one Express layer: the WordPress namespace with the Sentry ingestion endpoints, and Sentry's API
// for its command line tools. Other requests go to `next`.
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
  /** The namespace without Express, also for parser errors and a wrong mount. */
  readonly answers: Pick<RestServer, 'handle' | 'refuse'>;
  /** Sentry's API for its command line tools. */
  readonly tools: RequestHandler;
  /** Template of an ingestion route (events or feedback with a public key); null for others. */
  readonly ingestionRoute: (route: string) => string | null;
}

/** Authentication and rate limiting, shared by all routers of an installation. */
export interface Counting extends Pick<MountContext, 'findCaller' | 'limiters' | 'clientAddress'> {
  readonly limitStore?: LimitStore | undefined;
}

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

/** `receive` is called for each of our requests before its body is read, and may refuse it. */
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
      // The namespace first: it gets most requests and does not need Express.
      void answers.handle(request, response).then((handled) => {
        if (!handled) tools(request as express.Request, response as express.Response, next);
      });
    },
  };
}

/** Sentry's tools cannot use a base path, so such requests below a folder are not theirs. */
const atRoot: RequestHandler = (request, _response, next) =>
  request.baseUrl.toLowerCase() === '/api/0' ? next() : next('router');

/** A separate app, so that the settings of the surrounding one do not change our answers. */
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
