// Registers the route table with the REST server: guard, body, arguments, handler, answer.

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { CompatibilityProfile } from '../../../schemas/compatibility-profile.ts';
import type { Json } from '../../../schemas/event.ts';
import { profileArgumentsOf } from '../../compatibility/profile-lookup.ts';
import { keySource } from '../../core/audit/audit.ts';
import { createForbiddenError, createUnauthorizedError } from '../../core/errors.ts';
import { type PhpValue, toPlain } from '../../wordpress/php/values.ts';
import { argsFromZod } from '../../wordpress/request/args-from-zod.ts';
import type { BodyPolicy } from '../../wordpress/request/body-policy.ts';
import type { Arguments, HandlerDefinition, RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RouteDefinition } from '../../wordpress/request/route-table.ts';
import { RestResponse } from '../../wordpress/response/rest-response.ts';
import { readBodyStart } from '../bodies/read-chunks.ts';
import { chargeFailure } from '../limits/envelope-quota.ts';
import { limitUnauthenticated } from '../limits/rate-limit.ts';
import { findCallerRefusal, findRequestCaller, type GuardContext, guard } from './guard.ts';
import { getDeferredBody } from './large-bodies.ts';
import { refuseUnknownArguments, toPlainParameters } from './plain-parameters.ts';
import { getRequestState } from './request-state.ts';
import type { ApiResponse, BodyKind, Caller, RequestParts, Route, UnauthenticatedRoute } from './route.ts';

export interface MountContext extends GuardContext {
  now(): number;
  restUrl(route: string): string;
  readonly dialect?: CompatibilityProfile | undefined;
}

export const namespace = 'notifier/v1';
const defaultBodyBytesMax = 1_048_576;

export function toRestRoute(route: Route, context: MountContext): RouteDefinition {
  const handler: HandlerDefinition = {
    methods: [route.method],
    args: argumentsFor(route, context),
    permission(request) {
      const caller = findRequestCaller(route, request, context);
      const may = (found: Caller | null): boolean =>
        found !== null && findCallerRefusal(found, route, undefined) === null;
      return caller instanceof Promise ? caller.then(may, () => false) : may(caller);
    },
    guard: (request) => guard(route, request, context),
    body: bodyPolicy(route, context),
    bodyBytesMax: route.bodyBytesMax ?? defaultBodyBytesMax,
    inflatedBytesMax: route.inflatedBytesMax ?? route.bodyBytesMax ?? defaultBodyBytesMax,
    takesBase64: route.takesBase64 ?? false,
    hidden: route.hidden ?? false,
    readsInWorker: route.readsInWorker,
    callback: (request) => answer(route, request, context),
  };
  return { namespace, path: route.path, handlers: [handler] };
}

/** A route without a key; the address is charged first. */
export function toUnauthenticatedRestRoute(
  { methods, path, handler }: UnauthenticatedRoute,
  { limiters, clientAddress }: Pick<MountContext, 'limiters' | 'clientAddress'>,
): RouteDefinition {
  const definition: HandlerDefinition = {
    methods,
    permission: () => true,
    guard: limitUnauthenticated(limiters, clientAddress),
    body: 'stream',
    hidden: true,
    callback: async (request) => {
      const { incoming, method, parameters } = request;
      const beginning = async (bytesMax: number): Promise<Buffer> =>
        incoming === null || method !== 'POST' ? Buffer.alloc(0) : readBodyStart(incoming, bytesMax);
      return restResponse(await handler(textsOf(parameters.URL), beginning, (name) => request.header(name)));
    },
  };
  return { namespace, path, handlers: [definition] };
}

/** A profile's arguments are in the body, so a stream is read first and replayed for the handler. */
function bodyPolicy(route: Route, context: MountContext): BodyPolicy {
  if (route.body === 'stream' && isReadForProfile(route, context)) return 'bytes';
  return bodyPolicies[route.body ?? 'json'];
}

const bodyPolicies: { readonly [Kind in BodyKind]: BodyPolicy } = {
  json: 'wordpress',
  bytes: 'bytes',
  event: 'lenient-bytes',
  stream: 'stream',
};

/** Larger bodies are streamed to disk, even with a profile. */
const profileBodyBytesMax = 16 * 1_048_576;

function isReadForProfile(route: Route, context: MountContext): boolean {
  const declared = profileArgumentsOf(context.dialect, route.method, route.path);
  if (declared === null || Object.keys(declared).length === 0) return false;
  return (route.bodyBytesMax ?? defaultBodyBytesMax) <= profileBodyBytesMax;
}

function argumentsFor(route: Route, context: MountContext): Arguments {
  const declared = profileArgumentsOf(context.dialect, route.method, route.path);
  if (declared !== null && bodyPolicy(route, context) !== 'stream') return declared;
  return route.schema === undefined ? {} : argumentsOfSchema(route.schema);
}

/** Cached per schema, since it is most of the cost of a router. */
const argumentsBySchema = new WeakMap<NonNullable<Route['schema']>, Arguments>();

function argumentsOfSchema(schema: NonNullable<Route['schema']>): Arguments {
  const known = argumentsBySchema.get(schema);
  if (known !== undefined) return known;
  const args = argsFromZod(schema);
  argumentsBySchema.set(schema, args);
  return args;
}

async function answer(route: Route, request: RestRequest, context: MountContext): Promise<RestResponse> {
  const caller = await findRequestCaller(route, request, context);
  if (caller === null || request.incoming === null) throw createUnauthorizedError();
  const { quota } = getRequestState(request);
  if (route.refusesUnknown === true) refuseUnknownArguments(route, request);
  try {
    return restResponse(
      await callHandler(route, caller, requestParts(route, request, context, request.incoming)),
    );
  } catch (failure) {
    throw quota === null ? failure : await chargeFailure(quota, failure);
  }
}

/** The guard has found a caller that fits the route. */
function callHandler(
  route: Route,
  { project, key, member }: Caller,
  request: RequestParts,
): Promise<ApiResponse> {
  const { clientAddress } = request;
  if (route.credential === 'personal') {
    if (member === null) throw createForbiddenError('personal_token');
    return route.handler({ ...request, key, member, by: keySource({ key, member, clientAddress }) });
  }
  if (project === null) throw createUnauthorizedError();
  return route.handler({
    ...request,
    project,
    key,
    member,
    // Made when it is read: storing an event needs none.
    get by() {
      return keySource({ key, member, clientAddress });
    },
  });
}

function requestParts(
  route: Route,
  request: RestRequest,
  context: MountContext,
  incoming: IncomingMessage,
): RequestParts {
  const isDialects = profileArgumentsOf(context.dialect, route.method, route.path) !== null;
  const call = getRequestState(request);
  return {
    method: request.method,
    path: textsOf(request.parameters.URL),
    params: toPlainParameters(request, isDialects, route.body === 'event'),
    replacedAt: request.replacedAt,
    bodyInWorker: route.readsInWorker !== undefined ? getDeferredBody(request, isDialects) : null,
    query: toPlain(request.parameters.GET) as Record<string, Json>,
    files: request.files,
    header: (name) => request.header(name),
    clientAddress: context.clientAddress(incoming),
    receivedAtMs: context.now(),
    restUrl: (path) => context.restUrl(`/${namespace}${path}`),
    quota: call.quota,
    holdsBack(categories) {
      call.heldBack = categories;
    },
    discardsAreCounted() {
      call.discardsAreCounted = true;
    },
    incoming:
      route.body === 'stream' && isReadForProfile(route, context)
        ? replayBody(incoming, request.body)
        : incoming,
  };
}

function textsOf(parameters: Map<string, PhpValue>): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, value] of parameters) texts[name] = String(value);
  return texts;
}

function restResponse(response: ApiResponse): RestResponse {
  const answered = new RestResponse(response.body as PhpValue, response.status, response.headers ?? []);
  if (response.raw !== undefined) {
    answered.raw = response.raw;
    if (response.raw.filename === undefined) return answered;
    const filename = response.raw.filename.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 100) || 'file';
    answered.header('Content-Disposition', `attachment; filename="${filename}"`);
  }
  return answered;
}

/** The request with decompressed bytes as its body, for handlers that read the request themselves. */
function replayBody(incoming: IncomingMessage, bytes: Buffer): IncomingMessage {
  const { 'content-encoding': _inflated, ...headers } = incoming.headers;
  const stream = Readable.from([bytes], { objectMode: false });
  return Object.assign(stream, {
    headers: { ...headers, 'content-length': String(bytes.length) },
    rawHeaders: incoming.rawHeaders,
    headersDistinct: incoming.headersDistinct,
    method: incoming.method,
    url: incoming.url,
    socket: incoming.socket,
    complete: true,
  }) as unknown as IncomingMessage;
}
