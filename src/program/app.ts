// createApp(deps): the order in which a request meets what is here. No endpoints and no rules of their own.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import express from 'express';
import helmet from 'helmet';
import { notifierRoutes } from '../../routes/index.ts';
import { sentryApi } from '../../routes/sentry-cli.ts';
import { baseUrlOf } from '../core/config/addresses.ts';
import { proxyList } from '../core/config/config.ts';
import type { Deps } from '../core/deps.ts';
import { callerFinder } from '../http/api/authenticate.ts';
import { clientAddressReader, countedAddress, isListed, socketAddress } from '../http/api/client-address.ts';
import { withRefusalLog } from '../http/api/log-refusals.ts';
import { restRoute } from '../http/api/mount.ts';
import { createNamespace } from '../http/api/namespace.ts';
import { bodyPatience } from '../http/bodies/body-patience.ts';
import { openLimit } from '../http/limits/open-limit.ts';
import { pageLimit } from '../http/limits/page-limit.ts';
import { createLimiters } from '../http/limits/rate-limit.ts';
import { type ConnectionLimits, type Connections, watchConnections } from '../http/server/connections.ts';
import { healthz, type Readiness, readyz } from '../http/server/health.ts';
import { closeGently } from '../http/server/linger.ts';
import { clientErrorAnswerer } from '../wordpress/rest/client-error.ts';

export interface App {
  /** Serves a server: its connections, its requests, and what its parser refuses (D-12); until it is closed. */
  attach(server: Server): void;
  /** From now on /readyz says 503 and every answer closes its connection. */
  stop(): void;
  /** Hangs up on connections that nothing is asked on. */
  closeIdle(): void;
}

export interface AppOptions {
  /** The port that was bound, for addresses when BASE_URL is absent. */
  readonly port?: number;
  /** Of connections and bodies, where they are not those of the program. */
  readonly limits?: Partial<ConnectionLimits>;
}

/** How often bodies are looked at that may be overdue. */
const lookMs = 1_000;

/** The whole program as an Express app over `deps`. Nothing is listened to and nothing is started here. */
export function createApp(deps: Deps, options: AppOptions = {}): App {
  const readiness: Readiness = { draining: false };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const baseUrl = baseUrlOf(deps.config, options.port);
  const { rateLimits, trustProxy } = deps.config;
  const limiters = createLimiters(rateLimits, deps.now);
  const clientAddress = clientAddressReader(trustProxy, deps.log);
  const namespace = createNamespace(deps, baseUrl, openLimit(limiters, clientAddress));
  const answers = withRefusalLog(deps, namespace);
  const context = {
    restUrl: namespace.restUrl,
    findCaller: callerFinder(deps),
    limiters,
    clientAddress,
    now: deps.now,
    dialect: deps.dialect,
  };
  for (const route of notifierRoutes(deps)) namespace.register(restRoute(route, context));
  app.use('/api/0', sentryApi(deps, context, baseUrl));
  app.use(pageHeaders());
  app.get('/healthz', healthz);
  app.get('/readyz', readyz(deps, readiness));
  app.use(pageLimit(rateLimits, clientAddress, deps.now));
  app.use((_request, response) => {
    response.status(404).type('text/plain').send('Not found.\n');
  });
  const connections = connectionsOf(deps, context.clientAddress, options.limits);
  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (readiness.draining) response.setHeader('Connection', 'close');
    connections.began(request, response);
    // The namespace comes before Express: what it answers needs nothing of it, and pays nothing for it.
    void answers.handle(request, response).then((handled) => {
      if (!handled) app(request, response);
    });
  }
  const clientError = clientErrorAnswerer(answers, {
    broke: (socket) => connections.broke(socket),
    close: (socket) => closeGently(socket, null),
  });
  return {
    attach(server) {
      const timer = setInterval(() => connections.look(), lookMs).unref();
      server.on('connection', connections.opened).on('request', handle).on('clientError', clientError);
      // An expectation that Node does not know is passed over (RFC 9110, section 10.1.1): its own answer is unwatched.
      server.on('checkExpectation', handle);
      server.once('close', () => clearInterval(timer));
    },
    stop() {
      readiness.draining = true;
    },
    closeIdle: () => connections.closeIdle(),
  };
}

/** All together, and the share of one address, which `RATE_LIMITS=off` lifts (D-20). */
const connectionsMax = 8_192;
const shareOfAddress = { connectionsMax: 1_024, unfinishedMax: 256 };

function connectionsOf(
  deps: Deps,
  clientAddress: (incoming: IncomingMessage) => string,
  limits: Partial<ConnectionLimits> = {},
): Connections {
  const ofAddress = deps.config.rateLimits.enabled ? shareOfAddress : null;
  const proxies = proxyList(deps.config.trustProxy);
  return watchConnections({
    limits: { patience: bodyPatience, connectionsMax, ofAddress, ...limits },
    ofSocket(socket) {
      const address = socketAddress(socket);
      return { address: countedAddress(address), isProxy: isListed(proxies, address) };
    },
    ofRequest: (incoming) => countedAddress(clientAddress(incoming)),
    clock: () => performance.now(),
  });
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
