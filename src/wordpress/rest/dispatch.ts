// From a request to an answer: OPTIONS, match, checks, permission, callback, and what is added to every answer.
// No addresses, no network.

import type { PhpValue } from '../php/values.ts';
import { checkParameters, sanitizeParameters } from '../request/check-parameters.ts';
import type { Handler, RestRequest } from '../request/rest-request.ts';
import { type Match, noRoute, type RouteTable } from '../request/route-table.ts';
import { RestResponse } from '../response/rest-response.ts';
import { errorResponse, WpError } from '../response/wp-error.ts';
import { describeRoute } from './describe-routes.ts';
import { filterFields } from './filter-fields.ts';

/** What dispatching needs to know of the server. */
export type Dispatcher = {
  readonly table: RouteTable;
  /** `wordpress`: arguments first, as core does; `permission-first`: nothing of the body is read before the permission. */
  readonly order: 'wordpress' | 'permission-first' | 'arguments-first';
  readonly filterResponse?: ((request: RestRequest, response: RestResponse) => void) | undefined;
  readonly beforeOpen?: ((request: RestRequest) => void | Promise<void>) | undefined;
  /** 401, or 403 for whom the server takes to be signed in. */
  readonly refusalStatus: (request: RestRequest) => number;
  readonly restUrl: (route: string) => string;
  /** Reads the body into the request once the route is known; does nothing where it was read before. */
  readonly readBody: (request: RestRequest, match: Match) => Promise<void>;
  /**
   * The checks of what was sent, for a body that was read so; one that was set aside is read and checked
   * where the program says.
   */
  readonly check: (request: RestRequest, match: Match) => Promise<true | WpError>;
  /** A thrown value as an error of the API, or null when it is a fault. */
  readonly errorOf: (thrown: unknown) => WpError | null;
};

/** Answers a request up to its matched route; faults are thrown. `finishResponse` adds what every answer gets. */
export async function dispatch(server: Dispatcher, request: RestRequest): Promise<RestResponse> {
  if (request.method === 'OPTIONS') return describeForOptions(server, request);
  const match = server.table.match(request.method, request.route);
  if (match === null) return errorResponse(noRoute());
  adoptMatch(request, match);
  if (match.handler.permission === undefined && server.beforeOpen !== undefined) {
    const refusal = await ask(server, request, server.beforeOpen);
    if (refusal instanceof WpError) return answerOf(server, request, match, async () => refusal);
  }
  if (server.order === 'wordpress') return respond(server, request, match, checkAll(request));
  return server.order === 'arguments-first'
    ? respondArgumentsFirst(server, request, match)
    : respondPermissionFirst(server, request, match);
}

/** Core's order from the permission on; `checked` is the outcome of the checks before it. */
export async function respond(
  server: Dispatcher,
  request: RestRequest,
  match: Match,
  checked: true | WpError,
): Promise<RestResponse> {
  return answerOf(server, request, match, async () => {
    if (checked !== true) return checked;
    const refusal = await refusalOf(server, request, match);
    if (refusal !== null) return refusal;
    await match.handler.before?.(request);
    return callHandler(request, match);
  });
}

/** `Allow` and `_fields`: what WordPress adds to every answer, errors included. */
export async function finishResponse(
  server: Dispatcher,
  request: RestRequest,
  response: RestResponse,
): Promise<RestResponse> {
  for (const [name, value] of request.responseHeaders) response.header(name, value);
  server.filterResponse?.(request, response);
  const allow = await allowedMethods(server, request, response.matchedRoute);
  if (allow !== '') response.header('Allow', allow);
  filterFields(response, request);
  return response;
}

/** Gives the request the path parameters, arguments and defaults of the route that matched. */
export function adoptMatch(request: RestRequest, match: Match): void {
  request.handler = match.handler;
  request.matchedRoute = match.route.pattern;
  request.parameters.URL = match.path;
  request.parameters.defaults = new Map(defaultsOf(match.handler));
}

const defaultsByHandler = new WeakMap<Handler, ReadonlyMap<string, PhpValue>>();

function defaultsOf(handler: Handler): ReadonlyMap<string, PhpValue> {
  const known = defaultsByHandler.get(handler);
  if (known !== undefined) return known;
  const defaults = new Map<string, PhpValue>();
  for (const [name, argument] of Object.entries(handler.args)) {
    const value = argument['default'];
    if (value !== undefined && value !== null) defaults.set(name, value as PhpValue);
  }
  defaultsByHandler.set(handler, defaults);
  return defaults;
}

/** JSON, required parameters, values: all that is checked of what was sent. */
export function checkAll(request: RestRequest): true | WpError {
  const checked = checkParameters(request);
  return checked === true ? sanitizeParameters(request) : checked;
}

function respondPermissionFirst(
  server: Dispatcher,
  request: RestRequest,
  match: Match,
): Promise<RestResponse> {
  return answerOf(server, request, match, async () => {
    const refusal = await refusalOf(server, request, match);
    if (refusal !== null) return refusal;
    await match.handler.before?.(request);
    await server.readBody(request, match);
    const checked = await server.check(request, match);
    return checked === true ? callHandler(request, match) : checked;
  });
}

/** Core's order for a body that is read once its route is known. */
function respondArgumentsFirst(
  server: Dispatcher,
  request: RestRequest,
  match: Match,
): Promise<RestResponse> {
  return answerOf(server, request, match, async () => {
    await server.readBody(request, match);
    const checked = await server.check(request, match);
    if (checked !== true) return checked;
    const refusal = await refusalOf(server, request, match);
    if (refusal !== null) return refusal;
    await match.handler.before?.(request);
    return callHandler(request, match);
  });
}

async function callHandler(request: RestRequest, match: Match): Promise<unknown> {
  const refined = match.handler.refine === undefined ? null : await match.handler.refine(request);
  return refined ?? match.handler.callback(request);
}

/** Runs the steps and makes an answer of what they return or throw. */
async function answerOf(
  server: Dispatcher,
  request: RestRequest,
  match: Match,
  steps: () => Promise<unknown>,
): Promise<RestResponse> {
  let outcome: unknown;
  try {
    outcome = await steps();
  } catch (thrown) {
    outcome = server.errorOf(thrown);
    if (outcome === null) throw thrown;
  }
  const response = ensureResponse(outcome);
  response.matchedRoute = match.route.pattern;
  request.handler = match.handler;
  return response;
}

function ensureResponse(outcome: unknown): RestResponse {
  if (outcome instanceof RestResponse) return outcome;
  if (outcome instanceof WpError) return errorResponse(outcome);
  return new RestResponse((outcome ?? null) as PhpValue);
}

/** What a permission says, asked once a request however often it is needed; a thrown error counts as returned. */
function permissionOf(
  server: Dispatcher,
  request: RestRequest,
  permission: (request: RestRequest) => unknown,
): Promise<unknown> {
  const known = request.permissionVerdicts.get(permission);
  if (known !== undefined) return known;
  const verdict = ask(server, request, permission);
  request.permissionVerdicts.set(permission, verdict);
  return verdict;
}

/** What a function of the program says; an error of the API that it throws counts as returned. */
async function ask(
  server: Dispatcher,
  request: RestRequest,
  question: (request: RestRequest) => unknown,
): Promise<unknown> {
  try {
    return await question(request);
  } catch (thrown) {
    const error = server.errorOf(thrown);
    if (error === null) throw thrown;
    return error;
  }
}

async function refusalOf(server: Dispatcher, request: RestRequest, match: Match): Promise<WpError | null> {
  const { permission } = match.handler;
  if (permission === undefined) return null;
  const verdict = await permissionOf(server, request, permission);
  if (verdict instanceof WpError) return verdict;
  if (verdict !== false && verdict !== null && verdict !== undefined) return null;
  const status = server.refusalStatus(request);
  return new WpError('rest_forbidden', 'Sorry, you are not allowed to do that.', { status });
}

/** The methods of the matched route whose permission is exactly true for this request, as `Allow` lists them. */
export async function allowedMethods(
  server: Dispatcher,
  request: RestRequest,
  pattern: string | null,
): Promise<string> {
  const route = pattern === null ? undefined : server.table.routes.get(pattern);
  if (route === undefined) return '';
  const allowed = new Map<string, boolean>();
  for (const { methods, permission } of route.handlers) {
    const verdict = permission === undefined || (await permissionOf(server, request, permission)) === true;
    for (const method of methods) allowed.set(method, verdict);
  }
  return [...allowed.keys()].filter((method) => allowed.get(method)).join(', ');
}

function describeForOptions(server: Dispatcher, request: RestRequest): RestResponse {
  const found = server.table.matchAnyMethod(request.route);
  if (found === null) return new RestResponse([]);
  request.parameters.URL = found.path;
  request.handler = found.route.handlers.at(-1) ?? null;
  const response = new RestResponse(describeRoute(found.route, 'help', server.restUrl));
  response.matchedRoute = found.route.pattern;
  return response;
}
