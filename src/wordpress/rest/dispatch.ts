// From a request to an answer: OPTIONS, match, permission, body, checks, callback, and what is added to every
// answer. Errors of the API are thrown on the way and become answers in one place. No addresses, no network.

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
  /**
   * `wordpress`: arguments first, as core does; `permission-first`: nothing of the body is read before the
   * permission.
   */
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

/**
 * Answers a request as its route does. An error of the API, whoever throws it on the way, becomes an answer
 * here and nowhere else; what is no error of the API is thrown on.
 */
export async function respond(server: Dispatcher, request: RestRequest): Promise<RestResponse> {
  try {
    return await dispatch(server, request);
  } catch (thrown) {
    return errorAnswer(server, thrown);
  }
}

/**
 * The same for a request whose match and arguments were looked at before, as a batch does for all at once.
 */
export async function respondChecked(
  server: Dispatcher,
  request: RestRequest,
  match: Match,
): Promise<RestResponse> {
  try {
    await admit(request, match, server);
    return answerOf(await match.handler.callback(request));
  } catch (thrown) {
    return errorAnswer(server, thrown);
  }
}

function errorAnswer(server: Dispatcher, thrown: unknown): RestResponse {
  const error = server.errorOf(thrown);
  if (error === null) throw thrown;
  return errorResponse(error);
}

/**
 * From a request to what its route's callback answers: match, permission, body, arguments. Refusals are
 * thrown.
 */
async function dispatch(server: Dispatcher, request: RestRequest): Promise<RestResponse> {
  if (request.method === 'OPTIONS') return describeForOptions(server, request);
  const match = server.table.match(request.method, request.route);
  if (match === null) throw noRoute();
  adoptMatch(request, match);
  if (isOpen(match)) await server.beforeOpen?.(request);
  const asksFirst = server.order === 'permission-first';
  if (asksFirst) await admit(request, match, server);
  await server.readBody(request, match);
  const checked = await server.check(request, match);
  if (checked !== true) throw checked;
  if (!asksFirst) await admit(request, match, server);
  return answerOf(await match.handler.callback(request));
}

/** `Allow` and `_fields`: what WordPress adds to every answer, errors included. */
export async function finishResponse(
  server: Dispatcher,
  request: RestRequest,
  response: RestResponse,
): Promise<RestResponse> {
  for (const [name, value] of request.responseHeaders) response.header(name, value);
  server.filterResponse?.(request, response);
  const allow = await allowedMethods(server, request);
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

function isOpen({ handler }: Match): boolean {
  return handler.permission === undefined && handler.guard === undefined;
}

/** Throws the refusal of whom the route does not admit: its guard's, else its permission's. */
async function admit(request: RestRequest, { handler }: Match, server: Dispatcher): Promise<void> {
  if (handler.guard !== undefined) return handler.guard(request);
  if (handler.permission === undefined) return;
  const verdict = await permissionOf(request, handler.permission);
  if (verdict instanceof WpError) throw verdict;
  if (verdict !== false && verdict !== null && verdict !== undefined) return;
  const status = server.refusalStatus(request);
  throw new WpError('rest_forbidden', 'Sorry, you are not allowed to do that.', { status });
}

function answerOf(outcome: unknown): RestResponse {
  if (outcome instanceof RestResponse) return outcome;
  if (outcome instanceof WpError) throw outcome;
  return new RestResponse((outcome ?? null) as PhpValue);
}

type Permission = (request: RestRequest) => unknown;

/**
 * What a permission says, or the promise of it; asked once a request however often it is needed. What it
 * throws becomes a promise that rejects.
 */
function permissionOf(request: RestRequest, permission: Permission): unknown {
  if (request.permissionVerdicts.has(permission)) return request.permissionVerdicts.get(permission);
  let verdict: unknown;
  try {
    verdict = permission(request);
  } catch (thrown) {
    verdict = Promise.reject(thrown);
  }
  request.permissionVerdicts.set(permission, verdict);
  return verdict;
}

/**
 * The methods of the request's route whose permission is exactly true for this request, as `Allow` lists
 * them; empty where no route matched.
 */
export async function allowedMethods(server: Dispatcher, request: RestRequest): Promise<string> {
  const route = request.matchedRoute === null ? undefined : server.table.routes.get(request.matchedRoute);
  if (route === undefined) return '';
  const allowed = new Map<string, boolean>();
  for (const { methods, permission } of route.handlers) {
    const verdict = permission === undefined || permissionOf(request, permission);
    const isAllowed = verdict instanceof Promise ? await permits(server, verdict) : verdict === true;
    for (const method of methods) allowed.set(method, isAllowed);
  }
  return [...allowed.keys()].filter((method) => allowed.get(method)).join(', ');
}

async function permits(server: Dispatcher, verdict: Promise<unknown>): Promise<boolean> {
  try {
    return (await verdict) === true;
  } catch (thrown) {
    if (server.errorOf(thrown) === null) throw thrown;
    return false;
  }
}

function describeForOptions(server: Dispatcher, request: RestRequest): RestResponse {
  const found = server.table.matchAnyMethod(request.route);
  if (found === null) return new RestResponse([]);
  request.parameters.URL = found.path;
  request.handler = found.route.handlers.at(-1) ?? null;
  request.matchedRoute = found.route.pattern;
  return new RestResponse(describeRoute(found.route, 'help', server.restUrl));
}
