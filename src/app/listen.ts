import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Config } from '../core/config/config.ts';
import type { Deps } from '../core/deps.ts';
import { createServer } from '../wordpress/rest/write-response.ts';
import { type App, createApp } from './app.ts';
import { type ActivatedSocket, bind } from './bind.ts';
import { openProcessLoad } from './metrics/process-load.ts';
import { bindMetricsAddress } from './metrics-endpoint.ts';

export type RunningServer = ReturnType<Awaited<ReturnType<typeof bindAddresses>>['serve']>;

export const drainTimeoutMs = 8_000;
/** Keep-alive connections get `Connection: close` first; closed at once, a request in flight is reset. */
const reuseMs = 500;
/** Then, the interval at which idle connections are closed. */
const idleCheckMs = 50;
/** Longer than proxies' keep-alive (nginx: 60 s), so that no connection is closed during a request. */
const keepAliveMs = 75_000;
const headersMs = 10_000;
/** Upper limit of a whole request; src/http/bodies/body-timeouts.ts limits bodies more closely. */
const requestMs = 20 * 60_000;
/** Interval at which Node checks these limits; its default is 30 s. */
const connectionsCheckMs = 2_000;
/** highWaterMark of sockets. Reads are up to 64 KiB, so a paused body has one chunk in memory, not two. */
const aheadBytes = 16 * 1024;
/** Hard limit above the app's own, which chooses which connection to close. */
const socketsMax = 10_240;

/** Listen backlog; the system drops more, and clients retry after a second. */
const waitingMax = 4_096;

/** Binds HOST and PORT (or takes the passed socket) and METRICS_PORT. @throws {ConfigError} */
export async function bindAddresses(
  config: Pick<Config, 'host' | 'port' | 'metrics'>,
  socket: ActivatedSocket | null = null,
) {
  const { host, port } = config;
  const server = createServer({
    maxHeaderSize: 16_384,
    connectionsCheckingInterval: connectionsCheckMs,
    highWaterMark: aheadBytes,
  });
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.maxConnections = socketsMax;
  const metricsAddress = config.metrics === null ? null : await bindMetricsAddress(config.metrics);
  const bound = await bind(server, { host, port, backlog: waitingMax, socket }).catch((error: unknown) => {
    metricsAddress?.close();
    throw error;
  });
  return {
    // HOST is shown as it was configured.
    host: socket === null ? host : bound.host,
    port: bound.port,
    metricsPort: metricsAddress?.port ?? null,
    /** Starts answering, held requests first. */
    serve(deps: Deps) {
      // After the bind, because with PORT=0 the public URL is known only now.
      const { enabled, memoryLimitBytes } = deps.config.overload;
      const pressure = enabled ? openProcessLoad(deps.store, memoryLimitBytes) : null;
      const app = createApp(deps, {
        port: bound.port,
        ...(pressure === null ? {} : { pressure: pressure.read }),
      });
      app.attach(server);
      metricsAddress?.serve(app.observability.paths);
      bound.release();
      return {
        port: bound.port,
        observability: app.observability,
        /** Stops accepting, waits for running requests, and cuts what is left after `drainTimeoutMs`. */
        async drain() {
          await drain(server, app);
          pressure?.close();
          metricsAddress?.close();
        },
      };
    },
    leave() {
      metricsAddress?.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function drain(server: Server, app: App): Promise<void> {
  app.stop();
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  let idleTimer: NodeJS.Timeout | undefined;
  const hangUpTimer = setTimeout(() => {
    app.closeIdle();
    idleTimer = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  }, reuseMs);
  const force = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  await closed;
  for (const timer of [hangUpTimer, idleTimer, force]) clearTimeout(timer);
}
