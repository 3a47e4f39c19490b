import type { IncomingMessage, ServerResponse } from 'node:http';
import { profileServerOptions } from '../../compatibility/apply-profile.ts';
import type { Deps } from '../../core/deps.ts';
import { type RestError, toRestError } from '../../core/errors.ts';
import { cutText } from '../../core/parsing/cut-text.ts';
import { getOwn, isJsonObject } from '../../core/parsing/unknown-values.ts';
import { scrubErrorBody } from '../../core/scrub/record.ts';
import type { PhpValue } from '../../wordpress/php/values.ts';
import type { BodyReader } from '../../wordpress/request/read-body.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RestResponse } from '../../wordpress/response/rest-response.ts';
import { WpError } from '../../wordpress/response/wp-error.ts';
import { createRestServer, type RestServer } from '../../wordpress/rest/server.ts';
import { ClientAborted, getBodyState } from '../bodies/body-state.ts';
import { BodyStalled } from '../bodies/body-timeouts.ts';
import { discardBody } from '../bodies/free-buffer.ts';
import { readRequestBody } from '../bodies/read-body.ts';
import { addSentryRateLimits } from '../limits/headers.ts';
import { readRequestIds } from '../logging/request-ids.ts';
import { getRouteTemplate, setRouteTemplate, toRouteTemplate } from '../logging/route-template.ts';
import { isBearerRead } from './caching.ts';
import { deferLargeBodies } from './large-bodies.ts';
import { countRefusal, recordApiRefusal } from './log-refusals.ts';
import { getRequestState } from './request-state.ts';

const exposedHeaders = ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Sentry-Rate-Limits'];
const allowedHeaders = [
  ...['X-Notifier-Key', 'X-Notifier-Explain', 'X-Sentry-Auth', 'Content-Encoding'],
  // SDKs and OpenTelemetry add these to all requests of a page.
  ...['Baggage', 'Sentry-Trace', 'Traceparent', 'Tracestate'],
];
const crossOrigin = { exposedHeaders, allowedHeaders, appOrigins: true, allowCredentials: false };
const trailing = [['Cross-Origin-Resource-Policy', 'cross-origin']] as const;
const trailingOfOptions = [['Access-Control-Max-Age', '600'], ...trailing] as const;
const jsonDepthMax = 100;
const order = 'permission-first';

/** Runs before anything of the request is read; may delay or refuse it. */
export type BeforeRead = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  /** Absent for routes outside the namespace. */
  restRequest?: Pick<RestRequest, 'method' | 'route'>,
) => RestError | null | Promise<RestError | null>;

export function createNotifierRestServer(
  deps: Deps,
  baseUrl: string,
  beforeOpen: (request: RestRequest) => void | Promise<void> = () => {},
  receive: BeforeRead = () => null,
  rewriteTarget?: (target: string) => string,
): RestServer {
  const refused = new WeakSet<IncomingMessage>();
  const noted = (incoming: IncomingMessage) => (refusal: RestError | null) => {
    if (refusal !== null && isCheapToDiscard(incoming)) refused.add(incoming);
    return toWpErrorWithoutStack(refusal);
  };
  const dialect = deps.dialect === undefined ? undefined : profileServerOptions(deps.dialect);
  const { largeBodyReader } = deps;
  const bodyOrder = dialect?.order ?? order;
  return createRestServer({
    baseUrl,
    wpPath: deps.config.wpPath,
    rewriteTarget,
    order,
    jsonDepth: jsonDepthMax,
    largeBodies: deferLargeBodies(largeBodyReader, bodyOrder),
    readBody: bodyReader(bodyOrder === 'permission-first' ? largeBodyReader.reserveWorker : undefined),
    ...crossOrigin,
    checkNonce: false,
    guardWrites: true,
    sendsNoCache: isBearerRead,
    beforeOpen,
    receive(incoming, outgoing, restRequest) {
      const received = receive(incoming, outgoing, restRequest);
      return received instanceof Promise ? received.then(noted(incoming)) : noted(incoming)(received);
    },
    readOn(incoming) {
      if (!refused.has(incoming)) return false;
      // Otherwise Node leaves the pieces to the garbage collector, a full scan for each 64 MiB.
      discardBody(incoming);
      return true;
    },
    trailingHeaders: (method) => (method === 'OPTIONS' ? trailingOfOptions : trailing),
    toWpError,
    onFault: (error, incoming) => logFault(deps, error, incoming),
    faults: 'error',
    faultMessage: 'The server could not answer this request.',
    ...dialect,
    filterResponse(request, response) {
      countRefusal(deps, request, response);
      // A refusal may quote personal data that was sent.
      if (response.status >= 400) response.data = scrubErrorBody(response.data);
      answerAsSentry(request, response);
      addSentryRateLimits(getRequestState(request).heldBack, response);
      dialect?.filterResponse(request, response);
      recordApiRefusal(request, response);
      noteApiRoute(request);
    },
  });
}

function bodyReader(reserveWorker: Parameters<typeof readRequestBody>[2]): BodyReader {
  return (incoming, { bodyBytesMax, inflatedBytesMax, takesBase64 = false, mayUseWorker }) =>
    readRequestBody(
      incoming,
      { sentBytesMax: bodyBytesMax, inflatedBytesMax, takesBase64 },
      mayUseWorker === true ? reserveWorker : undefined,
    );
}

/** Unmatched URLs are counted as `none`. */
function noteApiRoute({ incoming, matchedRoute }: RestRequest): void {
  if (incoming === null || getRouteTemplate(incoming) !== null) return;
  setRouteTemplate(incoming, matchedRoute === null ? 'none' : toRouteTemplate(matchedRoute));
}

/** Sentry SDKs want 200 with `id` first (some retry others), 413 for lost events, 408 for stalled bodies. */
function answerAsSentry(request: RestRequest, response: RestResponse): void {
  if (!getRequestState(request).isOfSentryProtocol) return;
  const body = response.data;
  if (response.status < 300) {
    response.status = 200;
    if (isJsonObject(body) && getOwn(body, 'id') !== undefined) {
      response.data = { id: body['id'], ...body } as unknown as PhpValue;
    }
    return;
  }
  if (!(body instanceof Map)) return;
  const isStalled = request.incoming !== null && getBodyState(request.incoming).broken instanceof BodyStalled;
  const status = body.get('code') === 'rest_payload_too_large' ? 413 : isStalled ? 408 : null;
  if (status === null) return;
  response.status = status;
  const data = body.get('data');
  if (data instanceof Map) data.set('status', status);
}

/** Discarding up to this much is cheaper than a new connection. */
const discardedBytesMax = 1_048_576;

function isCheapToDiscard({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) <= discardedBytesMax;
}

/** Without a stack trace, which is much of the cost of an early refusal. */
function toWpErrorWithoutStack(refusal: RestError | null): WpError | null {
  if (refusal === null) return null;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return toWpError(refusal);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function toWpError(thrown: unknown): WpError | null {
  const refusal = toRestError(thrown);
  if (refusal === null) return null;
  const data = new Map<string, PhpValue>([['status', refusal.status]]);
  for (const [name, value] of Object.entries(refusal.extra)) data.set(name, value as PhpValue);
  const error = new WpError(refusal.code, refusal.message, data);
  error.headers.push(...refusal.headers);
  return error;
}

/** The heartbeat's path is its credential. */
const secretInPath = /(\/heartbeats\/)[^/]+/i;

function logFault(deps: Deps, error: unknown, incoming: IncomingMessage): void {
  if (error instanceof ClientAborted || incoming.errored !== null) {
    deps.log.debug(readRequestIds(incoming), 'a client closed the connection during a request');
    return;
  }
  const path = cutText((incoming.url ?? '').split('?')[0] ?? '', 200).replace(secretInPath, '$1…');
  const fault =
    error instanceof Error
      ? { name: error.name, message: error.message, stack: error.stack }
      : { message: String(error) };
  const names = readRequestIds(incoming);
  deps.log.error(
    { path, method: incoming.method, ...names, fault },
    'a request failed with an internal error',
  );
}
