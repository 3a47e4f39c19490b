// Runs the route table on the WordPress engine: credential, limit, body, arguments, handler, answer, in that order (D-10).

import type { IncomingMessage } from 'node:http';
import type { Dialect } from '../../../schemas/dialect.ts';
import type { Json } from '../../../schemas/event.ts';
import { forbidden, RestError, unauthorized } from '../../core/errors.ts';
import { dialectArguments } from '../../dialect/apply.ts';
import { type PhpValue, toPlain } from '../../wordpress/php/values.ts';
import { argsFromZod } from '../../wordpress/request/args-from-zod.ts';
import type { Arguments, HandlerDefinition, RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RouteDefinition } from '../../wordpress/request/route-table.ts';
import { RestResponse } from '../../wordpress/response/rest-response.ts';
import { peekDsn } from '../bodies/peek-dsn.ts';
import { replayBody } from '../bodies/replay-body.ts';
import { failureOf, openQuota, type Quota } from '../limits/envelope-quota.ts';
import type { LimitHeaders } from '../limits/headers.ts';
import { holdBack } from '../limits/hold-back.ts';
import type { Limiters, LimitSubject } from '../limits/rate-limit.ts';
import { type Authenticate, type Caller, headerCount, type PresentedCredentials } from './authenticate.ts';
import { heavyBodyOf } from './check-heavy.ts';
import { countedMark, lossMark } from './count-refusals.ts';
import { sentryDoorMark } from './namespace.ts';
import { plainParameters } from './plain-parameters.ts';
import type { ApiRequest, ApiResponse, Route } from './route.ts';

export interface MountContext {
  readonly authenticate: Authenticate;
  readonly limiters: Limiters;
  clientAddress(incoming: IncomingMessage): string;
  now(): number;
  /** The public address of a route string. */
  restUrl(route: string): string;
  readonly dialect?: Dialect;
}

const namespace = 'notifier/v1';
const quotaMark = 'quota';
const defaultBodyBytesMax = 1_048_576;
/** The engine's definition of one route of the table. */
export function restRoute(route: Route, context: MountContext): RouteDefinition {
  const handler: HandlerDefinition = {
    methods: [route.method],
    args: argumentsFor(route, context),
    permission: (request) => permitted(route, request, context),
    before: (request) => withinLimits(route, request, context),
    body: bodyPolicy(route, context),
    bodyBytesMax: route.bodyBytesMax ?? defaultBodyBytesMax,
    inflatedBytesMax: route.inflatedBytesMax ?? route.bodyBytesMax ?? defaultBodyBytesMax,
    hidden: route.hidden ?? false,
    readsAside: route.readsHeavyBody ?? false,
    callback: (request) => answer(route, request, context),
  };
  return { namespace, path: route.path, handlers: [handler] };
}

/** A dialect's arguments are of the body: a handler that reads the body itself then gets it again afterwards. */
function bodyPolicy(route: Route, context: MountContext): 'wordpress' | 'bytes' | 'stream' {
  if (route.body === 'stream' && isReadForDialect(route, context)) return 'bytes';
  return ({ json: 'wordpress', event: 'bytes', stream: 'stream' } as const)[route.body ?? 'json'];
}

/** Bodies over this are streamed to disk, and no dialect makes us keep them in memory. */
const dialectBodyBytesMax = 16 * 1_048_576;

function isReadForDialect(route: Route, context: MountContext): boolean {
  const declared = dialectArguments(context.dialect, route.method, route.path);
  if (declared === null || Object.keys(declared).length === 0) return false;
  return (route.bodyBytesMax ?? defaultBodyBytesMax) <= dialectBodyBytesMax;
}

/** The dialect's arguments where it declares any, else those of the route's schema. */
function argumentsFor(route: Route, context: MountContext): Arguments {
  const declared = dialectArguments(context.dialect, route.method, route.path);
  if (declared !== null && bodyPolicy(route, context) !== 'stream') return declared;
  return route.schema === undefined ? {} : argsFromZod(route.schema);
}

/** True, or the refusal. Asked again for the header `Allow`, so what was found is kept with the request. */
async function permitted(route: Route, request: RestRequest, context: MountContext): Promise<true> {
  const caller = await callerOf(route, request, context);
  if (caller !== null) {
    const category = lossCategory(route);
    if (category !== null) request.state.set(lossMark, { projectId: caller.project.id, category });
    return true;
  }
  if (request.method !== 'OPTIONS' && request.incoming !== null && !request.state.has('counted')) {
    request.state.set('counted', true);
    const address = context.clientAddress(request.incoming);
    const category = route.credential === 'event' ? 'error' : undefined;
    const verdict = await context.limiters.consumeBadCredential(address, category);
    if (verdict.refusal !== null) {
      request.responseHeaders.push(...verdict.headers);
      throw verdict.refusal;
    }
  }
  throw unauthorized();
}

function callerOf(route: Route, request: RestRequest, context: MountContext): Promise<Caller | null> {
  const name = `caller:${route.credential}`;
  const known = request.state.get(name) as Promise<Caller | null> | undefined;
  if (known !== undefined) return known;
  const caller = context
    .authenticate(route.credential, presentedBy(route, request))
    .catch((error: unknown) => {
      if (error instanceof RestError) return null;
      throw error;
    });
  request.state.set(name, caller);
  return caller;
}

function presentedBy(route: Route, request: RestRequest): PresentedCredentials {
  const incoming = request.incoming;
  const sentryKey = request.parameters.GET.get('sentry_key');
  const project = request.parameters.URL.get('project');
  return {
    header: (name) => request.header(name),
    authorizationCount: () => headerCount('authorization', incoming?.rawHeaders ?? []),
    sentryKey: sentryKey === undefined || typeof sentryKey === 'string' ? sentryKey : null,
    pathProject: typeof project === 'string' ? project : null,
    // Only an envelope has a header to name a DSN in.
    dsn: async () => (incoming !== null && isEnvelope(route, request) ? peekDsn(incoming) : null),
  };
}

/** What is lost when the route refuses: an event, a bug report, or nothing that anybody counts. */
function lossCategory(route: Route): 'error' | 'feedback' | null {
  if (route.credential === 'event') return 'error';
  return route.limit === 'feedback' ? 'feedback' : null;
}

function isEnvelope(route: Route, request: RestRequest): boolean {
  return route.credential === 'event' && route.body === 'stream' && request.method === route.method;
}

async function withinLimits(route: Route, request: RestRequest, context: MountContext): Promise<void> {
  if (route.sentryDoor === true) request.state.set(sentryDoorMark, true);
  if (route.limit === null || request.incoming === null) return;
  const caller = await callerOf(route, request, context);
  if (caller === null) throw unauthorized();
  const subject: LimitSubject = {
    address: context.clientAddress(request.incoming),
    keyId: caller.key.id,
    projectId: caller.project.id,
    resourceId: String(request.parameters.URL.get('id') ?? ''),
  };
  const tell = (headers: LimitHeaders): void => void request.responseHeaders.push(...headers);
  if (route.limitedByHandler === true) {
    request.state.set(quotaMark, await openQuota(context.limiters, subject, tell));
    return;
  }
  const verdict = await context.limiters.consume(route.limit, subject);
  tell(verdict.headers);
  if (verdict.refusal !== null) throw verdict.refusal;
}

function quotaOf(request: RestRequest): Quota | null {
  return (request.state.get(quotaMark) as Quota | undefined) ?? null;
}

async function answer(route: Route, request: RestRequest, context: MountContext): Promise<RestResponse> {
  const caller = await callerOf(route, request, context);
  if (caller === null || request.incoming === null) throw unauthorized();
  const quota = quotaOf(request);
  try {
    refuseForeignOrigin(caller, request);
    return restResponse(await route.handler(apiRequest(route, request, caller, context, request.incoming)));
  } catch (failure) {
    throw quota === null ? failure : await failureOf(quota, failure);
  }
}

/**
 * A key's allowed origins filter browsers. Anybody else can leave Origin out, so its absence refuses nothing.
 */
function refuseForeignOrigin(caller: Caller, request: RestRequest): void {
  const origin = request.header('origin');
  const allowed = caller.key.allowedOrigins;
  if (origin === undefined || origin === '' || allowed.length === 0) return;
  if (!allowed.includes(origin.toLowerCase())) throw forbidden('origin_not_allowed');
}

function apiRequest(
  route: Route,
  request: RestRequest,
  caller: Caller,
  context: MountContext,
  incoming: IncomingMessage,
): ApiRequest {
  const isDialects = dialectArguments(context.dialect, route.method, route.path) !== null;
  return {
    project: caller.project,
    key: caller.key,
    method: request.method,
    path: textsOf(request.parameters.URL),
    params: plainParameters(request, isDialects, route.body === 'event'),
    heavyBody: route.readsHeavyBody === true ? heavyBodyOf(request, isDialects) : null,
    query: toPlain(request.parameters.GET) as Record<string, Json>,
    files: request.files,
    header: (name) => request.header(name),
    bodyBytes: request.body,
    clientAddress: context.clientAddress(incoming),
    receivedAtMs: context.now(),
    restUrl: (path) => context.restUrl(`/${namespace}${path}`),
    quota: quotaOf(request),
    holdsBack: (categories) => holdBack(request, categories),
    lossesAreCounted: () => request.state.set(countedMark, true),
    incoming:
      route.body === 'stream' && isReadForDialect(route, context)
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
    const filename = response.raw.filename.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 100) || 'file';
    answered.header('Content-Disposition', `attachment; filename="${filename}"`);
  }
  return answered;
}
