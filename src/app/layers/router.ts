// The API as one Express layer: the WordPress namespace, and Sentry's API for its command line tools.

import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type RequestHandler, Router } from 'express';
import { heartbeatRoutes } from '../../../routes/heartbeats.ts';
import { notifierRoutes } from '../../../routes/index.ts';
import { openApiDocument, openApiRoute } from '../../../routes/openapi/openapi.ts';
import { sentryApi } from '../../../routes/sentry-cli.ts';
import type { Deps } from '../../core/deps.ts';
import type { LimitStore } from '../../core/ports/limit-store.ts';
import { createProjectQuotas } from '../../core/retention/project-quotas.ts';
import { createCallerFinder } from '../../http/api/authenticate.ts';
import {
  createIngestionRouteMatcher,
  createRootRewriter,
  type RootOwnership,
} from '../../http/api/ingestion.ts';
import { withRefusalLog } from '../../http/api/log-refusals.ts';
import {
  type MountContext,
  namespace as namespaceName,
  toRestRoute,
  toUnauthenticatedRestRoute,
} from '../../http/api/rest-route.ts';
import { type BeforeRead, createNotifierRestServer } from '../../http/api/rest-server.ts';
import type { UnauthenticatedRoute } from '../../http/api/route.ts';
import { createClientAddressReader } from '../../http/limits/client-address.ts';
import { createLimiters, limitUnauthenticated } from '../../http/limits/rate-limit.ts';
import { handleSentryErrors } from '../../http/sentry-cli/middleware.ts';
import type { RestServer } from '../../wordpress/rest/server.ts';
import { programVersion } from './version.ts';

export interface ApiRouter {
  readonly layer: Layer;
  /** The namespace without Express, also for parser errors and a wrong mount. */
  readonly answers: Pick<RestServer, 'handle' | 'refuse'>;
  readonly tools: RequestHandler;
  /** Template of an ingestion route (events or feedback with a public key); null for others. */
  readonly ingestionRoute: (route: string) => string | null;
}

export interface CallerContext extends Pick<MountContext, 'findCaller' | 'limiters' | 'clientAddress'> {
  readonly limitStore?: LimitStore | undefined;
}

export function openCallerContext(deps: Deps): CallerContext {
  const { measures: meter, random, now, limitStore } = deps;
  const rooms = createProjectQuotas(deps);
  return {
    limitStore,
    findCaller: createCallerFinder(deps),
    limiters: createLimiters(deps.config.rateLimits, now, {
      meter,
      random,
      limitWindows: rooms,
      store: limitStore,
    }),
    clientAddress: createClientAddressReader(deps.config.trustProxy, deps.log),
  };
}

/** `receive` is called for each of our requests before its body is read, and may refuse it. */
export function createRouter(
  deps: Deps,
  baseUrl: string,
  counting: CallerContext,
  receive?: BeforeRead,
  root: RootOwnership = 'all',
): ApiRouter {
  const { limiters, clientAddress } = counting;
  const routes = notifierRoutes(deps);
  const rewrite = createRootRewriter(`${deps.config.wpPath}/wp-json/${namespaceName}`, root, routes);
  const namespace = createNotifierRestServer(
    deps,
    baseUrl,
    limitUnauthenticated(limiters, clientAddress),
    receive,
    rewrite,
  );
  const context: MountContext = {
    ...counting,
    restUrl: namespace.restUrl,
    now: deps.now,
    dialect: deps.dialect,
  };
  for (const route of routes) namespace.register(toRestRoute(route, context));
  const serverUrl = namespace.restUrl(`/${namespaceName}`);
  const open: UnauthenticatedRoute[] = [
    ...heartbeatRoutes(deps),
    openApiRoute(() => openApiDocument({ routes, open, version: programVersion(), serverUrl })),
  ];
  for (const route of open) namespace.register(toUnauthenticatedRestRoute(route, context));
  const answers = withRefusalLog(deps, namespace);
  const tools = Router();
  tools.use('/api/0', atRoot, sentryTools(deps, sentryApi(deps, context, baseUrl), receive));
  return {
    answers,
    tools,
    ingestionRoute: createIngestionRouteMatcher(namespaceName, routes),
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
function sentryTools(deps: Deps, api: RequestHandler, receive: BeforeRead = () => null): Express {
  const app = plainExpress();
  app.use(async (request, response, next) => next((await receive(request, response)) ?? undefined));
  app.use(api);
  app.use(handleSentryErrors(deps));
  return app;
}

export function plainExpress(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  return app;
}

export const answerNotFound: RequestHandler = (_request, response) => {
  response.status(404).type('text/plain').send('Not found.\n');
};

/** Express middleware, or any chain of Node's requests and responses. */
export type Layer = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Created by the first start, else null: shown only this once. */
export interface FirstKeys {
  readonly publicKey: string | null;
  readonly secretKey: string | null;
  readonly adminToken: string | null;
}

export interface Notifier {
  /** `app.use(notifier.router)` or `app.use('/blog', notifier.router)`; other requests go to `next`. */
  readonly router: Layer;
  readonly firstKeys: FirstKeys | null;
  /** Refuses new requests (503), waits up to 8 s for running ones, then closes everything. Idempotent. */
  close(): Promise<void>;
}
