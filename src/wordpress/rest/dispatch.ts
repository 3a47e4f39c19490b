import type { PhpValue } from '../php/values.ts';
import { checkParameters, sanitizeParameters } from '../request/check-parameters.ts';
import type { Handler, RestRequest } from '../request/rest-request.ts';
import { noRouteError, type RouteMatch, type RouteTable } from '../request/route-table.ts';
import { RestResponse } from '../response/rest-response.ts';
import { toErrorResponse, WpError } from '../response/wp-error.ts';
import { describeRoute } from './describe-routes.ts';
import { filterFields } from './filter-fields.ts';

export type Dispatcher = {
  readonly table: RouteTable;
  /** See `RestServerOptions.order`. */
  readonly order: 'wordpress' | 'permission-first' | 'arguments-first';
  readonly filterResponse?: ((request: RestRequest, response: RestResponse) => void) | undefined;
  readonly beforeOpen?: ((request: RestRequest) => void | Promise<void>) | undefined;
  /** 401, or 403 when somebody is signed in. */
  readonly refusalStatus: (request: RestRequest) => number;
  readonly restUrl: (route: string) => string;
  /** Reads the body once the route is known, unless it was read before. */
  readonly readBody: (request: RestRequest, match: RouteMatch) => Promise<void>;
  /** Checks the parameters; for a body set aside, in a worker. */
  readonly check: (request: RestRequest, match: RouteMatch) => Promise<true | WpError>;
  /** The error of the API for a thrown value; null for a fault. */
  readonly errorOf: (thrown: unknown) => WpError | null;
};

/** Match, permission, body, checks, callback; for a `checked` request of a batch only permission and callback. Errors of
 * the API become responses, faults are thrown on. */
export async function respond(
  server: Dispatcher,
  request: RestRequest,
  checked: RouteMatch | null = null,
): Promise<RestResponse> {
  try {
    if (checked === null) return await dispatch(server, request);
    await admit(request, checked, server);
    return answerOf(await checked.handler.callback(request));
  } catch (thrown) {
    const error = server.errorOf(thrown);
    if (error === null) throw thrown;
    return toErrorResponse(error);
  }
}

async function dispatch(server: Dispatcher, request: RestRequest): Promise<RestResponse> {
  if (request.method === 'OPTIONS') return describeForOptions(server, request);
  const match = server.table.match(request.method, request.route);
  if (match === null) throw noRouteError();
  applyMatch(request, match);
  if (isOpen(match)) await server.beforeOpen?.(request);
  const asksFirst = server.order === 'permission-first';
  if (asksFirst) await admit(request, match, server);
  await server.readBody(request, match);
  const checked = await server.check(request, match);
  if (checked !== true) throw checked;
  if (!asksFirst) await admit(request, match, server);
  return answerOf(await match.handler.callback(request));
}

/** Adds `Allow` and applies `_fields`, as WordPress does for all responses including errors. */
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

export function applyMatch(request: RestRequest, match: RouteMatch): void {
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

export function validateAndSanitize(request: RestRequest): true | WpError {
  const checked = checkParameters(request);
  return checked === true ? sanitizeParameters(request) : checked;
}

function isOpen({ handler }: RouteMatch): boolean {
  return handler.permission === undefined && handler.guard === undefined;
}

async function admit(request: RestRequest, { handler }: RouteMatch, server: Dispatcher): Promise<void> {
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

/** Computed once per request. A thrown error becomes a rejected promise. */
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

/** The `Allow` header: methods whose permission is exactly true. Empty when no route matched. */
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
