// createApp(deps): the Express app, with all layers in the order in which requests pass them.

import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Express, RequestHandler } from 'express';
import { batchPerTick } from '../core/batch-queue.ts';
import { getBaseUrl } from '../core/config/public-urls.ts';
import type { Deps } from '../core/deps.ts';
import { dayMs } from '../core/parsing/durations.ts';
import { createMcpEndpoint } from '../http/mcp/endpoint.ts';
import { pageHeaders } from '../http/pages/send-text.ts';
import { type AdmissionLimits, admissionLimits } from '../http/server/admission.ts';
import type { ConnectionLimits } from '../http/server/connections.ts';
import { runPipelined } from '../http/server/connections.ts';
import { allowHalfClosedClients, closeGently } from '../http/server/lingering-close.ts';
import { createClientErrorHandler } from '../wordpress/rest/client-error.ts';
import { createConnections } from './connection-limits.ts';
import { lazyLayer, type StoppableLayer } from './layers/lazy-layer.ts';
import {
  type ApiRouter,
  answerNotFound,
  type CallerContext,
  createRouter,
  openCallerContext,
  plainExpress,
} from './layers/router.ts';
import { createStatusPagesLayer } from './layers/status.ts';
import { programVersion } from './layers/version.ts';
import { createObservability, type Observability } from './metrics/observability.ts';
import type { ProcessLoad } from './metrics/process-load.ts';
import { requireMetricsToken } from './metrics-endpoint.ts';

export type App = ReturnType<typeof createApp>;

export interface AppOptions {
  /** The bound port, for URLs if BASE_URL is not set. */
  readonly port?: number;
  readonly limits?: Partial<ConnectionLimits>;
  /** Without it, no load is shed. */
  readonly pressure?: () => ProcessLoad;
  readonly admission?: Partial<AdmissionLimits>;
}

/** A new host of a status page is served after at most this long. */
const statusCheckMs = 15_000;

const notHandled = async (): Promise<boolean> => false;

function pagesOf(deps: Deps, counting: CallerContext): StoppableLayer | null {
  if (!deps.config.pages && !deps.config.demo) return null;
  return lazyLayer(async () => {
    const { createPagesLayer } = await import('./layers/pages.ts');
    return createPagesLayer(deps, { counting, version: programVersion() });
  });
}

export function createApp(opened: Deps, options: AppOptions = {}) {
  // URLs need the bound port, which with PORT=0 is known only now.
  const deps = { ...opened, config: { ...opened.config, port: options.port ?? opened.config.port } };
  const counting = openCallerContext(deps);
  const observability = createObservability(deps, {
    pressure: options.pressure,
    limits: { ...admissionLimits, ...options.admission },
    version: programVersion(),
    ingestionRoute: (route) => router.ingestionRoute(route),
    clientAddress: counting.clientAddress,
  });
  const router: ApiRouter = createRouter(deps, getBaseUrl(deps.config), counting, observability.receive);
  const pages = pagesOf(deps, counting);
  const status = createStatusPagesLayer(deps, { version: programVersion(), counting });
  // First: the host of a status page serves nothing else.
  const app = plainExpress().use(status.layer).use(router.tools).use(pageHeaders());
  addEndpoints(app, deps, counting, observability);
  if (pages !== null) app.use(pages.layer);
  app.use(answerNotFound);
  const connections = createConnections(deps.config, counting.clientAddress, options.limits);
  function handle(request: IncomingMessage, response: ServerResponse): void {
    // Requests that were parsed in one chunk are still emitted after the socket was closed.
    if (request.socket.destroyed) return;
    if (observability.readiness.draining) response.setHeader('Connection', 'close');
    connections.onRequest(request, response);
    begin([request, response]);
  }
  function answer(request: IncomingMessage, response: ServerResponse): void {
    // The API namespace first: it gets most requests and does not need Express.
    const first = status.isOwnHost(request) ? notHandled : router.answers.handle;
    void observability.seen(request, response, first).then((handled) => {
      if (!handled) app(request, response);
    });
  }
  const begin = batchPerTick<[IncomingMessage, ServerResponse]>(([request, response]) => {
    if (!response.closed) runPipelined(request, response, answer);
  });
  const onClientError = createClientErrorHandler(router.answers, {
    broke: (socket) => connections.onClientError(socket),
    close: (socket) => closeGently(socket, null),
  });
  return {
    /** Serves connections, requests and the parser's errors of a server, until it is closed. */
    attach(server: Server) {
      const connectionTimer = connections.watch();
      const statusTimer = setInterval(() => void status.refresh(), statusCheckMs).unref();
      void status.refresh();
      allowHalfClosedClients(server);
      server.on('connection', (socket) => connections.onConnection(socket));
      server.on('request', handle).on('clientError', onClientError);
      // Ignores unknown Expect headers (RFC 9110, 10.1.1): Node's own answer would bypass the metrics.
      server.on('checkExpectation', handle);
      observability.start();
      server.once('close', () => {
        clearInterval(connectionTimer);
        clearInterval(statusTimer);
        observability.stop();
      });
    },
    /** From now on /readyz is 503, answers close their connections, and streams end. */
    stop() {
      observability.readiness.draining = true;
      pages?.stop();
    },
    closeIdle: () => connections.closeIdle(),
    observability,
  };
}

function addEndpoints(app: Express, deps: Deps, counting: CallerContext, { health, metrics }: Observability) {
  const files = { ...health, ...createRootFiles(deps) };
  for (const [path, handler] of Object.entries(files)) app.get(path, handler);
  if (metrics !== null) app.get('/metrics', requireMetricsToken(deps, counting), metrics);
  app.all('/mcp', createMcpEndpoint(deps, { ...counting, version: programVersion() }));
}

// What browsers, crawlers and researchers look for at the root of a host: robots.txt, favicon.ico, security.txt. Behind
// the proxy of a site these are the site's own: it hands on the API's addresses alone.

const icon = join(import.meta.dirname, '..', 'web', 'assets', 'favicon.svg');
const maxAgeSeconds = 86_400;
/** RFC 9116 advises less than a year; the file is made anew for every request. */
const expiresMs = 180 * dayMs;

/** Handlers by path; /.well-known/security.txt is there if the settings name a contact. */
function createRootFiles({ config, now }: Pick<Deps, 'config' | 'now'>): Record<string, RequestHandler> {
  const { securityContacts, baseUrl, demo, demoIndex } = config;
  const text =
    (make: () => string): RequestHandler =>
    (_request, response) => {
      response
        .set('Cache-Control', `max-age=${maxAgeSeconds}`)
        .type('text/plain; charset=utf-8')
        .send(make());
    };
  const open = ['/status/', ...(demo && demoIndex ? ['/demo'] : [])].map((path) => `Allow: ${path}\n`);
  const robots = `User-agent: *\n${open.join('')}Disallow: /\n`;
  const files: Record<string, RequestHandler> = {
    '/robots.txt': text(() => robots),
    '/favicon.ico': (_request, response) => {
      const bytes = readFileSync(icon);
      response.set('Cache-Control', `max-age=${maxAgeSeconds}`).type('image/svg+xml').send(bytes);
    },
  };
  if (securityContacts.length > 0) {
    files['/.well-known/security.txt'] = text(() => {
      const contacts = securityContacts.map((uri) => `Contact: ${uri}\n`).join('');
      const expires = new Date(Math.floor((now() + expiresMs) / dayMs) * dayMs).toISOString();
      const canonical = baseUrl === null ? '' : `Canonical: ${baseUrl}/.well-known/security.txt\n`;
      return `${contacts}Expires: ${expires}\n${canonical}`;
    });
  }
  return files;
}
