// The HTTP server around the app: where it listens, what it has patience for, and how it ends.
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Config } from '../core/config/config.ts';
import type { Deps } from '../core/deps.ts';
import { createServer } from '../wordpress/rest/node-http.ts';
import { type App, createApp } from './app.ts';
import { bind, type HandedSocket } from './bind.ts';
import { takeMetricsAddress } from './sight/metrics-door.ts';
import { openPressure } from './sight/pressure.ts';

export interface Listening {
  /** The port that was bound. */
  readonly port: number;
  readonly watched: App['watched'];
  /**
   * Takes no new connections, lets requests in flight end, and resolves when the last connection is closed.
   * What is not over after `drainMs` is cut.
   */
  drain(): Promise<void>;
}

/** For requests in flight, before they are cut. */
export const drainMs = 8_000;
/**
 * Connections in use are told `Connection: close` with their next answer; only who has not come back by then
 * is hung up on. Closed at once, a connection that its client is just using again would be reset.
 */
const reuseMs = 500;
/** From then on, how often the idle ones are looked for. */
const idleLookMs = 50;
/** Longer than any proxy's own (nginx: 60 s), so that a connection is never closed under a request. */
const keepAliveMs = 75_000;
const headersMs = 10_000;
/**
 * The last word on a request that is still coming; bodies have a patience of their own
 * (src/http/bodies/body-patience.ts).
 */
const requestMs = 20 * 60_000;
/** How often the two limits above are looked at; Node does so twice a minute. */
const checkingMs = 2_000;
/**
 * What is read of a body, or written of an answer, before somebody asks for more. A read takes what is there,
 * up to 64 KiB: of a body that waits for its turn there is one in memory, and not two.
 */
const aheadBytes = 16 * 1024;
/** Above the app's own limit, which chooses who gives way: here whoever comes is turned away. */
const socketsMax = 10_240;

/** Connections that wait to be taken; more are dropped by the system, and try again after a second. */
const waitingMax = 4_096;

/** An address that is taken; nobody is answered there yet. */
export interface TakenAddress {
  readonly host: string;
  /** The port that was bound. */
  readonly port: number;
  /** That of METRICS_PORT; null where it is not set. */
  readonly metricsPort: number | null;
  /** Answers, those first who have come meanwhile. */
  serve(deps: Deps): Listening;
  /** Gives the address back, and hangs up on who waits. */
  leave(): void;
}

/**
 * Binds HOST and PORT, or takes the socket that was handed over, and METRICS_PORT. Throws ConfigError, which
 * names the one that is wrong.
 */
export async function takeAddress(
  config: Pick<Config, 'host' | 'port' | 'metrics'>,
  socket: HandedSocket | null = null,
): Promise<TakenAddress> {
  const { host, port } = config;
  const server = createServer({
    maxHeaderSize: 16_384,
    connectionsCheckingInterval: checkingMs,
    highWaterMark: aheadBytes,
  });
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.maxConnections = socketsMax;
  const watched = config.metrics === null ? null : await takeMetricsAddress(config.metrics);
  const bound = await bind(server, { host, port, backlog: waitingMax, socket }).catch((error: unknown) => {
    watched?.close();
    throw error;
  });
  return {
    // A name stays as it was given: what is shown is what was asked for.
    host: socket === null ? host : bound.host,
    port: bound.port,
    metricsPort: watched?.port ?? null,
    serve(deps) {
      // The app is made after the bind: with PORT=0 only now is the public address known.
      const { enabled, memoryLimitBytes } = deps.config.overload;
      const pressure = enabled ? openPressure(deps.store, memoryLimitBytes) : null;
      const app = createApp(deps, {
        port: bound.port,
        ...(pressure === null ? {} : { pressure: pressure.read }),
      });
      app.attach(server);
      watched?.serve(app.watched.paths);
      bound.release();
      return {
        port: bound.port,
        watched: app.watched,
        async drain() {
          await drain(server, app);
          pressure?.close();
          watched?.close();
        },
      };
    },
    leave() {
      watched?.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function drain(server: Server, app: App): Promise<void> {
  app.stop();
  // Not the HTTP server's own close, which hangs up on idle connections at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  let looking: NodeJS.Timeout | undefined;
  const hangUp = setTimeout(() => {
    app.closeIdle();
    looking = setInterval(() => server.closeIdleConnections(), idleLookMs);
  }, reuseMs);
  const force = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  for (const timer of [hangUp, looking, force]) clearTimeout(timer);
}
