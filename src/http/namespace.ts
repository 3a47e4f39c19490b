// The WordPress engine as this program runs it: our headers, our order of checks, our errors in WordPress's words.
import type { IncomingMessage } from 'node:http';
import type { Deps } from '../core/deps.ts';
import { overloaded, RestError, unavailable } from '../core/errors.ts';
import { StoreBusy, StoreUnavailable } from '../core/store.ts';
import type { PhpValue } from '../wordpress/php-values.ts';
import { createRestServer, type RestServer } from '../wordpress/server.ts';
import { WpError } from '../wordpress/wp-error.ts';
import { dialectOptions } from './apply-dialect.ts';
import { countRefusal } from './count-refusals.ts';
import { ClientAborted, readRequestBody } from './inflate.ts';

/** Requests that came by the doors of the Sentry protocol: there a body that is too large is 413 (D-16). */
const sentryDoors = new WeakSet<IncomingMessage>();

const exposedHeaders = ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Sentry-Rate-Limits'];
const allowedHeaders = ['X-Notifier-Key', 'X-Notifier-Explain', 'X-Sentry-Auth', 'Content-Encoding'];
const jsonDepthMax = 100;

/** A REST server without routes, for this program. `baseUrl` is the public origin. */
export function createNamespace(deps: Deps, baseUrl: string): RestServer {
  const dialect = deps.dialect === undefined ? undefined : dialectOptions(deps.dialect);
  return createRestServer({
    baseUrl,
    wpPath: deps.config.wpPath,
    order: 'permission-first',
    jsonDepth: jsonDepthMax,
    readBody: readSentryBody,
    exposedHeaders,
    allowedHeaders,
    allowCredentials: false,
    checkNonce: false,
    trailingHeaders: (method) => [
      ...(method === 'OPTIONS' ? [['Access-Control-Max-Age', '600'] as const] : []),
      ['Cross-Origin-Resource-Policy', 'cross-origin'],
    ],
    toWpError,
    onFault: (error, incoming) => logFault(deps, error, incoming),
    faults: 'error',
    faultMessage: 'The server could not answer this request.',
    ...dialect,
    filterResponse(request, response) {
      countRefusal(deps, request, response);
      dialect?.filterResponse(request, response);
    },
  });
}

/** Remembers that a request came by a Sentry door. */
export function markSentryDoor(incoming: IncomingMessage): void {
  sentryDoors.add(incoming);
}

/**
 * The body of a request, inflated within limits. Throws as `readRequestBody` does, with 413 in place of 400 where the
 * request came by a Sentry door.
 */
export async function readSentryBody(
  incoming: IncomingMessage,
  limits: { bodyBytesMax: number; inflatedBytesMax: number },
): Promise<Buffer> {
  try {
    return await readRequestBody(incoming, {
      sentBytesMax: limits.bodyBytesMax,
      inflatedBytesMax: limits.inflatedBytesMax,
    });
  } catch (error) {
    const isTooLarge = error instanceof RestError && error.code === 'rest_payload_too_large';
    if (!isTooLarge || !sentryDoors.has(incoming)) throw error;
    throw new RestError(error.code, error.message, 413, error.extra, error.headers);
  }
}

/** A refusal of ours as WordPress carries it; null for anything that is no refusal but a fault. */
function toWpError(thrown: unknown): WpError | null {
  if (thrown instanceof StoreBusy) return toWpError(overloaded());
  if (thrown instanceof StoreUnavailable) return toWpError(unavailable());
  if (!(thrown instanceof RestError)) return null;
  const data = new Map<string, PhpValue>([['status', thrown.status]]);
  for (const [name, value] of Object.entries(thrown.extra)) data.set(name, value as PhpValue);
  const error = new WpError(thrown.code, thrown.message, data);
  error.headers.push(...thrown.headers.map(([name, value]): [string, string] => [name, value]));
  return error;
}

/** Logged whole, once; a client that went away in the middle is nobody's fault. */
function logFault(deps: Deps, error: unknown, incoming: IncomingMessage): void {
  if (error instanceof ClientAborted || incoming.errored !== null) {
    deps.log.debug({}, 'a client went away in the middle of a request');
    return;
  }
  const path = (incoming.url ?? '').split('?')[0]?.slice(0, 200);
  const fault =
    error instanceof Error
      ? { name: error.name, message: error.message, stack: error.stack }
      : { message: String(error) };
  deps.log.error({ path, method: incoming.method, fault }, 'a request failed by a fault of ours');
}
