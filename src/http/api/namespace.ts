// The WordPress engine as this program runs it: our headers, our order of checks, our errors in WordPress's
// words.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Deps } from '../../core/deps.ts';
import { type RestError, refusalIn } from '../../core/errors.ts';
import { cutText } from '../../core/reading/cut-text.ts';
import { isRecord, own } from '../../core/reading/lenient.ts';
import { scrubRefusal } from '../../core/scrub/record.ts';
import { dialectOptions } from '../../dialect/apply.ts';
import type { PhpValue } from '../../wordpress/php/values.ts';
import type { BodyReader } from '../../wordpress/request/read-body.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RestResponse } from '../../wordpress/response/rest-response.ts';
import { WpError } from '../../wordpress/response/wp-error.ts';
import { createRestServer, type RestServer } from '../../wordpress/rest/server.ts';
import { readRequestBody } from '../bodies/body-bytes.ts';
import { ClientAborted, lifeOf } from '../bodies/body-life.ts';
import { BodyStalled } from '../bodies/body-patience.ts';
import { letGoBy } from '../bodies/let-go.ts';
import { sayWhatToHoldBack } from '../limits/hold-back.ts';
import { requestNames } from '../sight/request-names.ts';
import { noteRoute, routeOf, routeTemplate } from '../sight/route-of.ts';
import { callOf } from './call.ts';
import { heavyBodies } from './check-heavy.ts';
import { countRefusal } from './count-refusals.ts';
import { noteApiRefusal } from './log-refusals.ts';
import { isBearerRead } from './no-cache.ts';

const exposedHeaders = ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Sentry-Rate-Limits'];
const allowedHeaders = [
  ...['X-Notifier-Key', 'X-Notifier-Explain', 'X-Sentry-Auth', 'Content-Encoding'],
  // What SDKs and OpenTelemetry add to every request of a page, those to us among them.
  ...['Baggage', 'Sentry-Trace', 'Traceparent', 'Tracestate'],
];
const crossOrigin = { exposedHeaders, allowedHeaders, appOrigins: true, allowCredentials: false };
const trailing = [['Cross-Origin-Resource-Policy', 'cross-origin']] as const;
const trailingOfOptions = [['Access-Control-Max-Age', '600'], ...trailing] as const;
const jsonDepthMax = 100;
const order = 'permission-first';

/** Told of a request that is ours before anything of it is read; may let it wait; a refusal answers it. */
export type Receive = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  /** What WordPress would take it for; absent where it is none of the namespace's. */
  asked?: Pick<RestRequest, 'method' | 'route'>,
) => RestError | null | Promise<RestError | null>;

/**
 * A REST server without routes, for this program. `baseUrl` is the public origin; `beforeOpen` limits what
 * needs no credential; `receive` comes before everything; `rewriteTarget` says what an address stands for.
 */
export function createNamespace(
  deps: Deps,
  baseUrl: string,
  beforeOpen: (request: RestRequest) => void | Promise<void> = () => {},
  receive: Receive = () => null,
  rewriteTarget?: (target: string) => string,
): RestServer {
  const refused = new WeakSet<IncomingMessage>();
  const noted = (incoming: IncomingMessage) => (refusal: RestError | null) => {
    if (refusal !== null && isReadOn(incoming)) refused.add(incoming);
    return turnedAway(refusal);
  };
  const dialect = deps.dialect === undefined ? undefined : dialectOptions(deps.dialect);
  const { heavy } = deps;
  const takePlace = (dialect?.order ?? order) === 'permission-first' ? heavy?.takePlaceAside : undefined;
  return createRestServer({
    baseUrl,
    wpPath: deps.config.wpPath,
    rewriteTarget,
    order,
    jsonDepth: jsonDepthMax,
    heavy: heavy === undefined ? undefined : heavyBodies(heavy, dialect?.order ?? order),
    readBody: bodyReader(takePlace),
    ...crossOrigin,
    checkNonce: false,
    guardWrites: true,
    sendsNoCache: isBearerRead,
    beforeOpen,
    receive(incoming, outgoing, asked) {
      const received = receive(incoming, outgoing, asked);
      return received instanceof Promise ? received.then(noted(incoming)) : noted(incoming)(received);
    },
    readOn(incoming) {
      if (!refused.has(incoming)) return false;
      // Node would throw the pieces away for the collector to find, who then looks through all of the heap
      // for each 64 MiB of them (D-186).
      letGoBy(incoming);
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
      // A refusal may quote what was sent: a name, a file, a key.
      if (response.status >= 400) response.data = scrubRefusal(response.data);
      sayAsSentry(request, response);
      sayWhatToHoldBack(callOf(request).heldBack, response);
      dialect?.filterResponse(request, response);
      noteApiRefusal(request, response);
      noteApiRoute(request);
    },
  });
}

/** Reads bodies as they are packed; `takePlace` finds a place aside for those that may go there. */
function bodyReader(takePlace: Parameters<typeof readRequestBody>[2]): BodyReader {
  return (incoming, { bodyBytesMax, inflatedBytesMax, takesBase64 = false, mayGoAside }) =>
    readRequestBody(
      incoming,
      { sentBytesMax: bodyBytesMax, inflatedBytesMax, takesBase64 },
      mayGoAside === true ? takePlace : undefined,
    );
}

/** An address that no route matched is counted as such, whatever it was. */
function noteApiRoute({ incoming, matchedRoute }: RestRequest): void {
  if (incoming === null || routeOf(incoming) !== null) return;
  noteRoute(incoming, matchedRoute === null ? 'none' : routeTemplate(matchedRoute));
}

/**
 * What clients of the Sentry protocol expect: every success is 200 with `id` first (D-11), since those of
 * Java, .NET and Dart send again what is answered otherwise; they count an event as lost only when they are
 * told 413 (D-16), and know a body that stalled by 408 (D-18).
 */
function sayAsSentry(request: RestRequest, response: RestResponse): void {
  if (!callOf(request).isOfSentryProtocol) return;
  const body = response.data;
  if (response.status < 300) {
    response.status = 200;
    if (isRecord(body) && own(body, 'id') !== undefined) {
      response.data = { id: body['id'], ...body } as unknown as PhpValue;
    }
    return;
  }
  if (!(body instanceof Map)) return;
  const isStalled = request.incoming !== null && lifeOf(request.incoming).broken instanceof BodyStalled;
  const status = body.get('code') === 'rest_payload_too_large' ? 413 : isStalled ? 408 : null;
  if (status === null) return;
  response.status = status;
  const data = body.get('data');
  if (data instanceof Map) data.set('status', status);
}

/** A body that is thrown away while it comes costs less than the connection that would be opened anew. */
const readOnBytesMax = 1_048_576;

function isReadOn({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) <= readOnBytesMax;
}

/**
 * The same for who is turned away before everything: without looking at where the error is made, which would
 * be a good part of what that costs.
 */
function turnedAway(refusal: RestError | null): WpError | null {
  if (refusal === null) return null;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return toWpError(refusal);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A refusal of ours as WordPress carries it; null for anything that is no refusal but a fault. */
function toWpError(thrown: unknown): WpError | null {
  const refusal = refusalIn(thrown);
  if (refusal === null) return null;
  const data = new Map<string, PhpValue>([['status', refusal.status]]);
  for (const [name, value] of Object.entries(refusal.extra)) data.set(name, value as PhpValue);
  const error = new WpError(refusal.code, refusal.message, data);
  error.headers.push(...refusal.headers);
  return error;
}

/** The address that a heartbeat is called by is its credential. */
const secretInPath = /(\/heartbeats\/)[^/]+/i;

/** Logged whole, once; a client that went away in the middle is nobody's fault. */
function logFault(deps: Deps, error: unknown, incoming: IncomingMessage): void {
  if (error instanceof ClientAborted || incoming.errored !== null) {
    deps.log.debug(requestNames(incoming), 'a client went away in the middle of a request');
    return;
  }
  const path = cutText((incoming.url ?? '').split('?')[0] ?? '', 200).replace(secretInPath, '$1…');
  const fault =
    error instanceof Error
      ? { name: error.name, message: error.message, stack: error.stack }
      : { message: String(error) };
  const names = requestNames(incoming);
  deps.log.error({ path, method: incoming.method, ...names, fault }, 'a request failed by a fault of ours');
}
