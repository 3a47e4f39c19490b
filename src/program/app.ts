// createApp(deps): the order in which a request meets what is here. No endpoints and no rules of their own.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import express from 'express';
import { baseUrlOf } from '../core/config/addresses.ts';
import type { Deps } from '../core/deps.ts';
import { inStep } from '../core/in-step.ts';
import { pageHeaders } from '../http/pages/answer.ts';
import { type AdmissionLimits, admissionLimits } from '../http/server/admission.ts';
import type { ConnectionLimits } from '../http/server/connections.ts';
import { inLine } from '../http/server/in-line.ts';
import { answerHalfClosed, closeGently } from '../http/server/linger.ts';
import type { StatusLayer } from '../http/status/layer.ts';
import { clientErrorAnswerer } from '../wordpress/rest/client-error.ts';
import { connectionsOf, lookMs } from './connection-limits.ts';
import { lateLayer, type StoppableLayer } from './layers/late-layer.ts';
import { type ApiRouter, type Counting, createRouter, openCounting } from './layers/router.ts';
import { createStatus } from './layers/status.ts';
import type { WorkspaceOptions } from './layers/workspace.ts';
import { metricsGate } from './sight/metrics-door.ts';
import type { Pressure } from './sight/pressure.ts';
import { createWatch, type Watch } from './sight/watch.ts';
import { programVersion } from './version.ts';

export interface App {
  /**
   * Serves a server: its connections, its requests, and what its parser refuses (D-12); until it is closed.
   */
  attach(server: Server): void;
  /** From now on /readyz says 503, every answer closes its connection, and streams end. */
  stop(): void;
  /** Hangs up on connections that nothing is asked on. */
  closeIdle(): void;
  /** What METRICS_PORT answers, by its paths; and what was counted. */
  readonly watched: Pick<Watch, 'paths' | 'sight'>;
}

export interface AppOptions {
  /** The port that was bound, for addresses when BASE_URL is absent. */
  readonly port?: number;
  /** Of connections and bodies, where they are not those of the program. */
  readonly limits?: Partial<ConnectionLimits>;
  /** How the process stands; absent: nothing waits, and nothing is refused for want of room. */
  readonly pressure?: () => Pressure;
  /** Of admission, where they are not those of the program. */
  readonly admission?: Partial<AdmissionLimits>;
}

type Begin = (request: IncomingMessage, response: ServerResponse) => void;

/** A host that a status page is given is its own after so long. */
const statusLookMs = 15_000;

/** For a request that is not the API's. */
const leftAlone = async (): Promise<boolean> => false;

/** Express, without what it would add to answers. */
function plainExpress(): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  return app;
}

/** What is looked at, loaded when somebody does; null where there are neither pages nor a demo. */
function pagesOf(deps: Deps, options: WorkspaceOptions): StoppableLayer | null {
  if (!deps.config.pages && !deps.config.demo) return null;
  return lateLayer(async () => {
    const { createPagesLayer } = await import('./layers/pages.ts');
    return createPagesLayer(deps, options);
  });
}

/** The whole program as an Express app over `deps`. Nothing is listened to and nothing is started here. */
export function createApp(deps: Deps, options: AppOptions = {}): App {
  const counting = openCounting(deps);
  const watch = createWatch(deps, {
    pressure: options.pressure,
    limits: { ...admissionLimits, ...options.admission },
    version: programVersion(),
    ingestionRoute: (route) => router.ingestionRoute(route),
    clientAddress: counting.clientAddress,
  });
  const { readiness } = watch;
  const router: ApiRouter = createRouter(deps, baseUrlOf(deps.config, options.port), counting, watch.receive);
  const pages = pagesOf(deps, { port: options.port, counting, version: programVersion() });
  const status = createStatus(deps, { port: options.port, version: programVersion() });
  const app = layersOf(deps, { counting, watch, router, pages, status });
  const connections = connectionsOf(deps.config, counting.clientAddress, options.limits);
  function handle(request: IncomingMessage, response: ServerResponse): void {
    // What came in one piece with what closed its connection is still being told of.
    if (request.socket.destroyed) return;
    if (readiness.draining) response.setHeader('Connection', 'close');
    connections.began(request, response);
    beginSoon(request, response);
  }
  const beginSoon = begunTogether(begin);
  function begin(request: IncomingMessage, response: ServerResponse): void {
    // First the API's namespace, which is most of what is asked and needs nothing of Express.
    const first = status.isOwnHost(request) ? leftAlone : router.answers.handle;
    void watch.seen(request, response, first).then((handled) => {
      if (!handled) app(request, response);
    });
  }
  const clientError = clientErrorAnswerer(router.answers, {
    broke: (socket) => connections.broke(socket),
    close: (socket) => closeGently(socket, null),
  });
  return {
    attach(server) {
      const endLooks = beginLooks(connections, status);
      answerHalfClosed(server);
      server.on('connection', connections.opened).on('request', handle).on('clientError', clientError);
      // An expectation that Node does not know is passed over (RFC 9110, section 10.1.1): its own answer is
      // unwatched.
      server.on('checkExpectation', handle);
      watch.start();
      server.once('close', () => {
        endLooks();
        watch.stop();
      });
    },
    stop() {
      readiness.draining = true;
      pages?.stop();
    },
    closeIdle: () => connections.closeIdle(),
    watched: watch,
  };
}

/** Begins requests that came together one behind the other (D-231), each in the line of its connection. */
function begunTogether(begin: Begin): Begin {
  const soon = inStep<Parameters<Begin>>(([request, response]) => {
    // Who has gone by now tells so no more.
    if (!response.closed) inLine(request, response, begin);
  });
  return (request, response) => soon([request, response]);
}

/** What is looked at again and again while the server listens. Answers what ends it. */
function beginLooks(connections: ReturnType<typeof connectionsOf>, status: StatusLayer): () => void {
  const closing = setInterval(() => connections.look(), lookMs).unref();
  const looking = setInterval(() => void status.look(), statusLookMs).unref();
  void status.look();
  return () => {
    clearInterval(closing);
    clearInterval(looking);
  };
}

interface LayersParts {
  readonly counting: Counting;
  readonly watch: Watch;
  readonly router: ApiRouter;
  readonly pages: StoppableLayer | null;
  readonly status: StatusLayer;
}

/** All that comes behind the API's namespace, in its order. */
function layersOf(deps: Deps, { counting, watch, router, pages, status }: LayersParts): express.Express {
  const app = plainExpress();
  // Before all else: at a host of a status page there is nothing but that page.
  app.use(status.layer);
  app.use(router.tools);
  app.use(pageHeaders());
  for (const [path, handler] of Object.entries(watch.health)) app.get(path, handler);
  if (watch.metrics !== null) app.get('/metrics', metricsGate(deps, counting), watch.metrics);
  if (pages !== null) app.use(pages.layer);
  app.use((_request, response) => {
    response.status(404).type('text/plain').send('Not found.\n');
  });
  return app;
}
