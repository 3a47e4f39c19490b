// WordPress's REST server (core's serve_request): from an HTTP request to the answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PhpValue } from '../php/values.ts';
import { type FormBody, type FormLimits, readForm } from '../request/form-body.ts';
import { notStringError, ParameterTypeError, toParameterError } from '../request/parameter-error.ts';
import { readPlainBody } from '../request/read-body.ts';
import { type ParsedTarget, parseTarget, resolveTarget } from '../request/resolve-target.ts';
import { RestRequest, readHeaders } from '../request/rest-request.ts';
import { noRouteError, type RouteDefinition, type RouteMatch, RouteTable } from '../request/route-table.ts';
import { setBodyFromBytes, setBodyFromForm } from '../request/set-body.ts';
import { toErrorResponse, WpError } from '../response/wp-error.ts';
import { registerBatch } from './batch.ts';
import { type Dispatcher, finishResponse, respond, validateAndSanitize } from './dispatch.ts';
import type { RestServerOptions } from './options.ts';
import {
  beginResponse,
  type PendingResponse,
  sendError,
  sendResponse,
  sendThrown,
  sendWpDie,
} from './send-response.ts';
import { registerNamespaceIndex, registerSiteIndex } from './site-index.ts';
import type { Exchange } from './write-response.ts';

export type RestServer = {
  /** The first route of a namespace also registers the namespace index. */
  register(route: RouteDefinition): void;
  /** False, with nothing touched, when the URL is not of the API. Never rejects. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean>;
  /** Answers with an error at once, for requests that could not be parsed. */
  refuse(incoming: IncomingMessage, outgoing: ServerResponse, error: WpError): void;
  restUrl(route: string): string;
};

const mebibyte = 1_048_576;

/** Has WordPress's own index and batch routes; add others with `register`. */
export function createRestServer(options: RestServerOptions): RestServer {
  const home = options.baseUrl.replace(/\/$/, '') + (options.wpPath ?? '').replace(/\/$/, '');
  const restUrl = (route: string): string => `${home}/wp-json/${route.replace(/^\//, '')}`;
  const table = new RouteTable();
  const apiRoot = restUrl('/');
  const dispatcher = dispatcherOf(options, table, restUrl);
  const server: Server = { options, apiRoot, dispatcher };
  registerSiteIndex(dispatcher, { name: '', description: '', url: home, home, ...options.site });
  registerBatch(dispatcher);
  return {
    register(route) {
      const isNew = route.namespace !== '' && !table.namespaces.has(route.namespace);
      if (isNew) registerNamespaceIndex(dispatcher, route.namespace);
      table.add(route);
    },
    handle: (incoming, outgoing) =>
      handle(server, incoming, outgoing).catch((thrown: unknown) => {
        outgoing.destroy();
        reportThrown(options, thrown, incoming);
        return true;
      }),
    refuse(incoming, outgoing, error) {
      const query = new Map<string, PhpValue>();
      sendError({ options, incoming, outgoing, query, apiRoot }, error);
    },
    restUrl,
  };
}

type Server = {
  readonly options: RestServerOptions;
  readonly apiRoot: string;
  readonly dispatcher: Dispatcher;
};

async function handle(server: Server, incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> {
  const { options } = server;
  const target = (incoming as { originalUrl?: string }).originalUrl ?? incoming.url ?? '/';
  const address = parseTarget(options.rewriteTarget?.(target) ?? target, options.wpPath ?? '');
  const exchange: Exchange = {
    options,
    incoming,
    outgoing,
    query: address.query,
    apiRoot: server.apiRoot,
  };
  let early: FormBody | null = null;
  try {
    if (!readsLate(options)) early = await readEarly(options, incoming);
  } catch (thrown) {
    answerUnread(server, exchange, thrown);
    return true;
  }
  const found = resolveTarget(address, early?.form ?? null);
  if (found.kind === 'route') {
    await serve(server, exchange, found.route, address, early);
  } else if (found.kind === 'badType' || found.kind === 'mismatch') {
    sendWpDie(exchange, found.kind);
  } else if (options.fallbackPage === undefined) {
    return false;
  } else {
    const status = found.kind === 'page' ? found.status : 404;
    options.fallbackPage({ status, incoming, outgoing, apiRoot: exchange.apiRoot });
  }
  return true;
}

/** `onFault` itself may be what failed. */
function reportThrown(options: RestServerOptions, thrown: unknown, incoming: IncomingMessage): void {
  try {
    options.onFault?.(thrown, incoming);
  } catch {
    // There is nothing else to report to.
  }
}

function answerUnread(server: Server, exchange: Exchange, thrown: unknown): void {
  const error = server.dispatcher.errorOf(thrown);
  const answer = error === null ? beginResponse(exchange) : null;
  if (error !== null) sendError(exchange, error);
  else if (answer !== null) sendThrown(answer, thrown);
}

async function serve(
  server: Server,
  exchange: Exchange,
  route: string,
  address: ParsedTarget,
  early: FormBody | null,
): Promise<void> {
  const { options, dispatcher } = server;
  const answer = beginResponse(exchange);
  if (answer === null) return;
  try {
    const request = newRequest(options, exchange.incoming, route, address, early);
    answer.overridden = applyMethodOverride(request, address);
    answer.sendCorsLists();
    const received = options.receive?.(exchange.incoming, exchange.outgoing, request) ?? null;
    const refusal =
      (received instanceof Promise ? await received : received) ??
      guardWrites(server, answer, request) ??
      authenticate(options, request);
    if (refusal?.firstCode() === 'rest_cookie_invalid_nonce') answer.noCache = true;
    const response = refusal === null ? await respond(dispatcher, request) : toErrorResponse(refusal);
    await sendResponse(dispatcher, answer, request, await finishResponse(dispatcher, request, response));
  } catch (thrown) {
    sendThrown(answer, thrown);
  }
}

function newRequest(
  options: RestServerOptions,
  incoming: IncomingMessage,
  route: string,
  address: ParsedTarget,
  early: FormBody | null,
): RestRequest {
  const request = new RestRequest(incoming.method ?? 'GET', route, readHeaders(incoming), incoming);
  request.parameters.GET = new Map(address.query);
  request.jsonDepth = options.jsonDepth;
  if (early !== null) setBodyFromForm(request, early);
  return request;
}

/** Applies `?_method=`, else X-HTTP-Method-Override; true if the header was used. */
function applyMethodOverride(request: RestRequest, address: ParsedTarget): boolean {
  const override = address.query.get('_method');
  if (override !== undefined && override !== null) {
    if (typeof override !== 'string') throw notStringError('_method');
    request.method = override.toUpperCase();
    return false;
  }
  const header = request.header('x-http-method-override');
  if (header === undefined) return false;
  request.method = header.toUpperCase();
  return true;
}

const writingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Methods that a browser sends cross-origin without a preflight, and OPTIONS, which is the preflight. */
const safeMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

function guardWrites(server: Server, answer: PendingResponse, request: RestRequest): WpError | null {
  const { options, dispatcher } = server;
  if (options.guardWrites !== true || !writingMethods.has(request.method)) return null;
  if (safeMethods.has(request.incoming?.method)) return noRouteError();
  if (answer.jsonp === null || dispatcher.table.match(request.method, request.route) === null) return null;
  answer.withoutJsonp();
  return new WpError('rest_callback_disabled', 'JSONP support is disabled on this site.', { status: 400 });
}

/** The program's credentials, then WordPress's nonce, which is never valid here. */
function authenticate(options: RestServerOptions, request: RestRequest): WpError | null {
  const refusal = options.authenticate?.(request) ?? null;
  if (refusal !== null || options.checkNonce === false) return refusal;
  if (request.incoming !== null && options.signedIn?.(request.incoming) === true) return null;
  const { POST, GET } = request.parameters;
  const nonce = POST.get('_wpnonce') ?? GET.get('_wpnonce') ?? request.header('x-wp-nonce');
  if (nonce === undefined) return null;
  return new WpError('rest_cookie_invalid_nonce', 'Cookie check failed', { status: 403 });
}

function readsLate({ order }: RestServerOptions): boolean {
  return order === 'permission-first' || order === 'arguments-first';
}

/** Reads a body before the route is known, as PHP does. */
async function readEarly(options: RestServerOptions, incoming: IncomingMessage): Promise<FormBody> {
  const bodyBytesMax = options.bodyBytesMax ?? mebibyte;
  const read = options.readBody ?? readPlainBody;
  const bytes = await read(incoming, { bodyBytesMax, inflatedBytesMax: bodyBytesMax });
  return readForm(incoming, bytes, formLimits(options, 8 * mebibyte));
}

function formLimits(options: RestServerOptions, formBytesMax: number): FormLimits {
  const limit = options.formBytesMax ?? formBytesMax;
  return { formBytesMax: limit, fileBytesMax: options.fileBytesMax ?? limit };
}

async function readLate(options: RestServerOptions, request: RestRequest, match: RouteMatch): Promise<void> {
  const { incoming } = request;
  const { body: policy = 'wordpress', bodyBytesMax, inflatedBytesMax, readsInWorker } = match.handler;
  const { takesBase64 = false } = match.handler;
  if (incoming === null || policy === 'stream' || !readsLate(options)) return;
  const limit = bodyBytesMax ?? options.bodyBytesMax ?? mebibyte;
  const limits = {
    bodyBytesMax: limit,
    inflatedBytesMax: inflatedBytesMax ?? limit,
    takesBase64,
    mayUseWorker: readsInWorker === 'any',
  };
  const bytes = await (options.readBody ?? readPlainBody)(incoming, limits);
  const forms = formLimits(options, limits.inflatedBytesMax);
  const isInWorker = options.largeBodies?.mayUseWorker(bytes, incoming) === true;
  if (isInWorker) request.setWorkerBody(bytes, { policy, limits: forms });
  else setBodyFromBytes(request, incoming, bytes, policy, forms);
}

function dispatcherOf(
  options: RestServerOptions,
  table: RouteTable,
  restUrl: (route: string) => string,
): Dispatcher {
  return {
    table,
    restUrl,
    order: options.order ?? 'wordpress',
    filterResponse: options.filterResponse,
    beforeOpen: options.beforeOpen,
    refusalStatus: ({ incoming }) => (incoming !== null && options.signedIn?.(incoming) === true ? 403 : 401),
    readBody: (request, match) => readLate(options, request, match),
    check: async (request, match) =>
      request.workerBody === null
        ? validateAndSanitize(request)
        : ((await options.largeBodies?.check(request, match)) ?? true),
    errorOf(thrown) {
      if (thrown instanceof WpError) return thrown;
      if (thrown instanceof ParameterTypeError && options.faults !== 'die') return toParameterError(thrown);
      return options.toWpError?.(thrown) ?? null;
    },
  };
}
