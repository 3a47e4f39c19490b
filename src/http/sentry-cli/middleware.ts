// Middleware of the sentry-cli API: bearer key, rate limits, JSON bodies, errors in Sentry's format.
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Deps } from '../../core/deps.ts';
import { createUnauthorizedError, RestError, toRestError } from '../../core/errors.ts';
import { isLargeJson, parseItemJson } from '../../core/parsing/item-json.ts';
import { scrubErrorBody } from '../../core/scrub/record.ts';
import { headerCount, type KeyFault } from '../api/authenticate.ts';
import { findCallerRefusal, type GuardContext, type TokenRoute } from '../api/guard.ts';
import { recordRefusal } from '../api/log-refusals.ts';
import { type Caller, limitIdOf, type ProjectCaller } from '../api/route.ts';
import { wantsExplanation } from '../api/store-event.ts';
import { ClientAborted } from '../bodies/body-state.ts';
import { BodyStalled } from '../bodies/body-timeouts.ts';
import { readRequestBody } from '../bodies/read-body.ts';
import type { LimitName } from '../limits/limit-store.ts';

export type SentryCaller = ProjectCaller & { readonly clientAddress: string };

/** Returns the body of the answer; undefined for none. */
export type SentryHandler = (
  deps: Deps,
  request: Request,
  caller: SentryCaller,
  response: Response,
) => Promise<unknown>;

interface SentryRights {
  /** The route of our own API that does the same: its scopes and roles are needed here too. */
  readonly as: TokenRoute;
  readonly limit?: LimitName;
  readonly ofAllProjects?: boolean;
}

/** Authenticates, checks scope and role and charges the limit; sets `response.locals.caller`. */
export function requireSentryKey(context: GuardContext, rights: SentryRights): RequestHandler {
  const { limit = 'server' } = rights;
  return async (request, response, next) => {
    const clientAddress = context.clientAddress(request);
    const caller = { ...(await callerOf(context, rights, request, response)), clientAddress };
    const subject = {
      address: clientAddress,
      keyId: limitIdOf(caller),
      projectId: caller.project.id,
      resourceId: '',
    };
    const verdict = await context.limiters.consume(limit, subject);
    for (const [name, value] of verdict.headers) response.setHeader(name, value);
    if (verdict.refusal !== null) throw verdict.refusal;
    response.locals['caller'] = caller;
    next();
  };
}

/** Answers with what the handler returns, as JSON. */
export function sentryAnswer(deps: Deps, handler: SentryHandler): RequestHandler {
  return async (request, response) => {
    const body = await handler(deps, request, response.locals['caller'] as SentryCaller, response);
    if (body === undefined) response.end();
    else response.json(body);
  };
}

export class LargeJson {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** Sets `request.body` to the JSON with any Content-Type: `{}` if empty, `LargeJson` if large. */
export function readSentryJson(bytesMax: number): RequestHandler {
  return async (request, _response, next) => {
    const limits = { sentBytesMax: bytesMax, inflatedBytesMax: bytesMax };
    const bytes = await readRequestBody(request, limits);
    if (isLargeJson(bytes)) request.body = new LargeJson(bytes);
    else request.body = bytes.length === 0 ? {} : parseItemJson(bytes);
    next();
  };
}

/** The body for a schema that needs few values of it. */
export async function readSmallBody(
  deps: Pick<Deps, 'largeBodyReader'>,
  request: Request,
  schema: z.ZodObject,
): Promise<unknown> {
  const body: unknown = request.body;
  return body instanceof LargeJson
    ? deps.largeBodyReader.readJson(body.bytes, Object.keys(schema.shape))
    : body;
}

/** `{"detail": …}`, which sentry-cli prints; internal errors are logged only. */
export function handleSentryErrors(deps: Pick<Deps, 'log'>): ErrorRequestHandler {
  return (error: unknown, request: Request, response: Response, _next) => {
    if (response.headersSent) {
      deps.log.error({ path: request.path, error: String(error) }, 'a response was interrupted');
      return response.destroy();
    }
    if (error instanceof ClientAborted || request.errored !== null) return request.destroy();
    const refusal = error instanceof URIError ? undecodable() : withSentryStatus(toRestError(error));
    recordRefusal(request, () => ({
      route: templateOf(request),
      status: refusal?.status ?? 500,
      code: refusal?.code ?? null,
      reason: reasonOf(refusal, response),
      caller: Promise.resolve((response.locals['caller'] as Caller | undefined) ?? null),
    }));
    if (refusal === null) {
      deps.log.error(
        { path: request.path, error: String((error as Error)?.stack ?? error) },
        'a request failed',
      );
      return response.status(500).json({ detail: 'Internal Error' });
    }
    for (const [name, value] of refusal.headers) response.setHeader(name, value);
    if (!request.complete) response.setHeader('Connection', 'close');
    const explained = refusal.status === 401 && wantsExplanation({ header: (name) => request.get(name) });
    const reason = explained ? { reason: reasonOf(refusal, response) } : {};
    const detail = scrubErrorBody(detailOf(refusal));
    // sentry-cli prints `detail` as the error only where nothing stands beside it.
    response.status(refusal.status).json({ detail, ...reason });
  };
}

/** Express decodes a path before any key is looked at. */
function undecodable(): RestError {
  return new RestError('rest_bad_request', 'The path holds a % that is not the code of a character.', 400);
}

/** For a 401 the reason is not in the answer. */
function reasonOf(refusal: RestError | null, { locals }: Response): string | null {
  if (refusal?.status === 401) return (locals['keyFault'] as KeyFault | undefined) ?? null;
  return typeof refusal?.extra['reason'] === 'string' ? refusal.extra['reason'] : null;
}

/** E.g. `/api/0/organizations/:organisation/releases`; null if no route matched. */
function templateOf(request: Request): string | null {
  const path: unknown = request.route?.path;
  const first: unknown = Array.isArray(path) ? path[0] : path;
  return typeof first === 'string' ? request.baseUrl + first : null;
}

async function callerOf(
  context: GuardContext,
  rights: SentryRights,
  request: Request,
  response: Response,
): Promise<ProjectCaller> {
  const named: unknown = request.params['project'];
  const presented = {
    // A personal token has several projects. A header that is set for every call does not lead past the path.
    header: (name: string) =>
      name === 'x-notifier-project' && typeof named === 'string'
        ? named
        : headerText(request.headers[name.toLowerCase()]),
    authorizationCount: () => headerCount('authorization', request.rawHeaders),
    sentryKey: undefined,
    pathProject: null,
    ofAllProjects: rights.ofAllProjects === true,
    dsn: async () => null,
  };
  const found = await Promise.resolve(
    context.findCaller('secret', presented, (fault) => {
      response.locals['keyFault'] = fault;
    }),
  ).catch((error: unknown) => {
    if (error instanceof RestError) return error;
    throw error;
  });
  const unfit = refusalOf(found, rights.as);
  if (unfit === null) return found as ProjectCaller;
  const { refusal, headers } = await context.limiters.consumeBadCredential(context.clientAddress(request));
  for (const [name, value] of headers) response.setHeader(name, value);
  throw refusal ?? unfit;
}

function refusalOf(found: Caller | RestError | null, route: TokenRoute): RestError | null {
  if (found instanceof RestError) return found;
  if (found === null) return createUnauthorizedError();
  return findCallerRefusal(found, route, undefined);
}

/** Sentry clients expect 413 and 408 for too large and too slow bodies. */
function withSentryStatus(refusal: RestError | null): RestError | null {
  const isTooLarge = refusal?.code === 'rest_payload_too_large';
  if (refusal === null || !(isTooLarge || refusal instanceof BodyStalled)) return refusal;
  return new RestError(refusal.code, refusal.message, isTooLarge ? 413 : 408, refusal.extra);
}

function detailOf(refusal: RestError): string {
  const params = refusal.extra['params'];
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return refusal.message;
  return [refusal.message, ...Object.values(params)].join(' ');
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.at(-1) : value;
}
