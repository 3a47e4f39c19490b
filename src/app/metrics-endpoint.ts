// /metrics needs the workspace token on the server's port, and no credential on METRICS_PORT.
import type { RequestHandler, Response } from 'express';
import { type Config, ConfigError } from '../core/config/config.ts';
import type { Deps } from '../core/deps.ts';
import { isWorkspaceToken } from '../core/members/sessions.ts';
import { createServer } from '../wordpress/rest/write-response.ts';
import { holdRequests, listen } from './bind.ts';
import { answerNotFound, type CallerContext, plainExpress } from './layers/router.ts';

/** Failed tokens count as failed credentials for rate limiting. */
export function requireMetricsToken(deps: Deps, { limiters, clientAddress }: CallerContext): RequestHandler {
  return async (request, response, next) => {
    const token = /^bearer +([\x21-\x7e]{1,256})$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined && (await isWorkspaceToken(deps, token))) return next();
    const { refusal } = await limiters.consumeBadCredential(clientAddress(request));
    for (const [name, value] of refusal?.headers ?? []) response.set(name, value);
    if (refusal === null) response.set('WWW-Authenticate', 'Bearer');
    refuse(response, refusal?.status ?? 401);
  };
}

function refuse(response: Response, status: number): void {
  const message =
    status === 429
      ? 'Too many requests. Please retry later.'
      : 'Metrics require the workspace token (NOTIFIER_ADMIN_TOKEN) as bearer token, or a request to METRICS_PORT.';
  response.status(status).set('Cache-Control', 'no-store').type('text/plain').send(`${message}\n`);
}

const connectionsMax = 64;

/** Binds METRICS_PORT. @throws {ConfigError} */
export async function bindMetricsAddress(at: NonNullable<Config['metrics']>) {
  const server = createServer({ maxHeaderSize: 8_192 });
  server.maxConnections = connectionsMax;
  server.headersTimeout = 10_000;
  server.requestTimeout = 20_000;
  const release = holdRequests(server);
  await listen(server, at).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `METRICS_PORT is ${at.host}:${at.port}: this program cannot listen there (${error.code}). Set it to an address of this machine and a free port, or remove it.`,
      { cause: error },
    );
  });
  return {
    port: (server.address() as { port: number }).port,
    /** Starts answering `paths`; others are 404. */
    serve(paths: Readonly<Record<string, RequestHandler>>) {
      const app = plainExpress();
      for (const [path, handler] of Object.entries(paths)) app.get(path, handler);
      app.use(answerNotFound);
      server.on('request', app);
      release();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
