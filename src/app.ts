// createApp(deps): the order in which a request meets what is here. No endpoints and no rules of their own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import helmet from 'helmet';
import { notifierRoutes } from '../routes/index.ts';
import { sentryApi } from '../routes/sentry-api.ts';
import { baseUrlOf } from './cli/addresses.ts';
import type { Deps } from './core/deps.ts';
import { authenticator } from './http/authenticate.ts';
import { clientAddressReader } from './http/client-address.ts';
import { healthz, type Readiness, readyz } from './http/health.ts';
import { lingerOnClose } from './http/linger.ts';
import { restRoute } from './http/mount.ts';
import { createNamespace } from './http/namespace.ts';
import { createLimiters } from './http/rate-limit.ts';
import { clientErrorAnswerer } from './wordpress/client-error.ts';

export interface App {
  /** For `http.createServer`. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** For the server's `clientError`: what Node's parser refuses is answered as the API would (D-12). */
  readonly clientError: ReturnType<typeof clientErrorAnswerer>;
  /** From now on /readyz says 503 and every answer closes its connection. */
  stop(): void;
}

/**
 * The whole program as an Express app over `deps`. `port` is the one that was bound, for addresses when BASE_URL is
 * absent. Nothing is listened to and nothing is started here.
 */
export function createApp(deps: Deps, options: { port?: number } = {}): App {
  const readiness: Readiness = { draining: false };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const baseUrl = baseUrlOf(deps.config, options.port);
  const namespace = createNamespace(deps, baseUrl);
  const context = {
    restUrl: namespace.restUrl,
    authenticate: authenticator(deps),
    limiters: createLimiters(deps.config.rateLimits, deps.now),
    clientAddress: clientAddressReader(deps.config.trustProxy, deps.log),
    now: deps.now,
    ...(deps.dialect === undefined ? {} : { dialect: deps.dialect }),
  };
  for (const route of notifierRoutes(deps)) namespace.register(restRoute(route, context));
  app.use('/api/0', sentryApi(deps, context, baseUrl));
  app.use(pageHeaders());
  app.get('/healthz', healthz);
  app.get('/readyz', readyz(deps, readiness));
  app.use((_request, response) => {
    response.status(404).type('text/plain').send('Not found.\n');
  });
  return {
    handle(request, response) {
      if (readiness.draining) response.setHeader('Connection', 'close');
      lingerOnClose(request);
      // The namespace comes before Express: what it answers needs nothing of it, and pays nothing for it.
      namespace
        .handle(request, response)
        .then((handled) => {
          if (!handled) app(request, response);
        })
        .catch((fault: unknown) => {
          deps.log.error({ error: String(fault) }, 'a request could not be answered');
          response.destroy();
        });
    },
    clientError: clientErrorAnswerer(namespace),
    stop() {
      readiness.draining = true;
    },
  };
}

/** helmet for what lies outside the namespace (D-27): pages of ours load from here and nowhere else. */
function pageHeaders(): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
}
