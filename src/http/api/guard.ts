// Authentication, scope and rate limits, before the body is read (except for the `dsn` of an envelope).
import type { IncomingMessage } from 'node:http';
import { createForbiddenError, createUnauthorizedError, RestError } from '../../core/errors.ts';
import { permissions, roleIncludes } from '../../core/members/permissions.ts';
import type { MaybePromise } from '../../core/parsing/per-tick-cache.ts';
import { hasScope, isOriginAllowed } from '../../core/projects/keys.ts';
import type { Member, PersonalToken, Role, TokenScope } from '../../core/store/members.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import { chargedBytes, getBodyState } from '../bodies/body-state.ts';
import { peekDsn } from '../bodies/peek-envelope.ts';
import { openQuota } from '../limits/envelope-quota.ts';
import { joinHeaders, type LimitHeaders } from '../limits/headers.ts';
import type { LimitName } from '../limits/limit-store.ts';
import type { Limiters, LimitSubject } from '../limits/rate-limit.ts';
import { type FindCaller, headerCount, type PresentedCredentials } from './authenticate.ts';
import { getRequestState } from './request-state.ts';
import { type Caller, type Credential, limitIdOf, type Route } from './route.ts';
import { wantsExplanation } from './store-event.ts';

export interface GuardContext {
  readonly findCaller: FindCaller;
  readonly limiters: Limiters;
  clientAddress(incoming: IncomingMessage): string;
}

/** Throws 401 for the credential, 403 for scope or origin, 429 for a limit; sets the headers. */
export async function guard(route: Route, request: RestRequest, context: GuardContext): Promise<void> {
  const caller = await callerOrRefusal(route, request, context);
  const call = getRequestState(request);
  if (caller === null) {
    const refused = createUnauthorizedError(wantsExplanation(request) ? call.keyFault : null);
    throw await refusalOf(refused, route, request, context);
  }
  const category = lossCategory(route);
  if (category !== null && caller.project !== null) call.loss = { projectId: caller.project.id, category };
  call.isOfSentryProtocol = route.isOfSentryProtocol === true;
  const unfit = findCallerRefusal(caller, route, request.header('origin'));
  if (unfit !== null) throw await refusalOf(unfit, route, request, context);
  await withinLimit(route, request, caller, context);
}

/** A token that names no project of its member is refused as a bad credential is. */
async function callerOrRefusal(
  route: Route,
  request: RestRequest,
  context: GuardContext,
): Promise<Caller | null> {
  try {
    return await findRequestCaller(route, request, context);
  } catch (error) {
    throw error instanceof RestError ? await refusalOf(error, route, request, context) : error;
  }
}

/** Looked up once per request; null if the credential is invalid. */
export function findRequestCaller(
  route: Route,
  request: RestRequest,
  { findCaller }: Pick<GuardContext, 'findCaller'>,
): MaybePromise<Caller | null> {
  const call = getRequestState(request);
  const { callers } = call;
  const known = callers.get(route.credential);
  if (known !== undefined) return known;
  const caller = findCaller(route.credential, presentedBy(route, request), (fault) => {
    call.keyFault = fault;
  });
  callers.set(route.credential, caller);
  if (!(caller instanceof Promise)) return caller;
  return caller.then(
    (found) => {
      callers.set(route.credential, found);
      return found;
    },
    (error: unknown) => {
      callers.set(route.credential, null);
      throw error;
    },
  );
}

function presentedBy(route: Route, request: RestRequest): PresentedCredentials {
  const { incoming } = request;
  const sentryKey = request.parameters.GET.get('sentry_key');
  const { URL: path } = request.parameters;
  const [project, pathKey] = [path.get('project'), path.get('sentry_key')];
  return {
    header: (name) => request.header(name),
    authorizationCount: () => headerCount('authorization', incoming?.rawHeaders ?? []),
    sentryKey: sentryKey === undefined || typeof sentryKey === 'string' ? sentryKey : null,
    pathKey: typeof pathKey === 'string' ? pathKey : null,
    pathProject: typeof project === 'string' ? project : null,
    dsn: async () => (incoming !== null && isEnvelope(route, request) ? peekDsn(incoming) : null),
  };
}

function isEnvelope({ credential, method, path }: Route, request: RestRequest): boolean {
  return credential === 'event' && /\/envelope$/.test(path) && request.method === method;
}

/** 403 for a missing scope, role, a key where a token is needed, or a browser origin that is not allowed, else null. */
export function findCallerRefusal(
  caller: Caller,
  route: TokenRoute,
  origin: string | undefined,
): RestError | null {
  if (caller.member !== null) return findTokenRefusal(caller, route);
  if (route.credential === 'personal') return createForbiddenError('personal_token');
  const { scope, alsoScope = scope } = route;
  if (!hasScope(caller.key, scope) && !hasScope(caller.key, alsoScope)) {
    return createForbiddenError('scope', { scope });
  }
  return isOriginAllowed(caller.key, origin) ? null : createForbiddenError('origin_not_allowed');
}

/** 429 after too many failed credentials. Charges the address, since the key's limits are its owner's. */
async function refusalOf(
  refused: RestError,
  { credential }: Route,
  { incoming, responseHeaders }: RestRequest,
  { limiters, clientAddress }: GuardContext,
): Promise<RestError> {
  // Internal requests (`_embed`) have no address.
  if (incoming === null) return refused;
  const isOfEvents = credential === 'event';
  const { refusal, headers } = await limiters.consumeBadCredential(clientAddress(incoming), isOfEvents);
  if (refusal === null) return refused;
  responseHeaders.push(...headers);
  return refusal;
}

/** The category that is counted if the route refuses; null for none. */
function lossCategory({ credential, limit }: Route): 'error' | 'feedback' | null {
  if (credential === 'event') return 'error';
  return limit === 'feedback' ? 'feedback' : null;
}

/** Charges the route's limit, or opens the quota for handlers that charge it themselves. */
async function withinLimit(
  route: Route,
  request: RestRequest,
  caller: Caller,
  { limiters, clientAddress }: GuardContext,
): Promise<void> {
  const { limit, credential } = route;
  if (limit === null || request.incoming === null) return;
  const subject: LimitSubject = {
    address: clientAddress(request.incoming),
    keyId: limitIdOf(caller),
    projectId: caller.project?.id ?? 0,
    resourceId: String(request.parameters.URL.get('id') ?? ''),
  };
  const addHeaders = (headers: LimitHeaders): void => void request.responseHeaders.push(...headers);
  if (route.limitedByHandler === true) {
    const bodyState = getBodyState(request.incoming);
    getRequestState(request).quota = await openQuota(limiters, subject, addHeaders, () =>
      chargedBytes(bodyState),
    );
    return;
  }
  if (credential === 'public' || credential === 'event') {
    return withinBytes({ limit, credential }, request.incoming, limiters, subject, addHeaders);
  }
  const { headers, refusal } = await limiters.consume(limit, subject);
  addHeaders(headers);
  if (refusal !== null) throw refusal;
}

/** With a public key the body's bytes are checked now and charged after reading. */
async function withinBytes(
  { limit, credential }: { readonly limit: LimitName; readonly credential: Credential },
  incoming: IncomingMessage,
  limiters: Limiters,
  subject: LimitSubject,
  addHeaders: (headers: LimitHeaders) => void,
): Promise<void> {
  const heldBack = (): readonly string[] => (credential === 'event' ? ['error'] : []);
  const bodyState = getBodyState(incoming);
  // Usually 0 here; a compatibility profile may have read the body before.
  const [limitVerdict, bytes] = await limiters.consumeEach(
    [
      [limit, 1],
      ['bytes', chargedBytes(bodyState), heldBack],
    ],
    subject,
  );
  const refusal = limitVerdict?.refusal ?? bytes?.refusal ?? null;
  addHeaders(
    joinHeaders([
      ...(limitVerdict?.headers ?? []),
      ...(bytes?.refusal === null ? [] : (bytes?.headers ?? [])),
    ]),
  );
  if (refusal !== null) throw refusal;
  bodyState.charge = async (read) => {
    const [verdict] = await limiters.consumeEach([['bytes', read, heldBack]], subject);
    if (verdict === undefined || verdict.refusal === null) return null;
    addHeaders(joinHeaders([...(limitVerdict?.headers ?? []), ...verdict.headers]));
    return verdict.refusal;
  };
}

// Routes need a scope of the token and a role of its member. Changing routes not named here are for admins.

export type TokenRoute = Pick<Route, 'method' | 'path' | 'scope' | 'alsoScope'> &
  Partial<Pick<Route, 'credential'>>;

/** Viewers or members do these on the pages too. */
const ofMembers: ReadonlyArray<readonly [route: RegExp, permission: keyof typeof permissions]> = [
  [/^POST \/issues(\/|$)|^DELETE \/issues\/\{id\}\//, 'issues'],
  [/^(POST|DELETE) \/(saved-views|members\/me)(\/|$)/, 'self'],
  [/^POST \/feedback(\/|$)/, 'feedback'],
  [/^POST \/monitors(\/|$)/, 'monitors'],
  [/^POST \/incidents(\/|$)/, 'incidents'],
  [/^(POST|DELETE) \/maintenance-windows(\/|$)/, 'incidents'],
  [/^POST \/reports$/, 'reports'],
  [/^(POST|DELETE) \/quarantine(\/|$)/, 'tests'],
  [/^DELETE \/artifacts(\/|$)/, 'files'],
];

/** Reading that the pages leave to admins: data of persons, and secrets. */
const adminReadRoutes: ReadonlyArray<readonly [route: RegExp, permission: keyof typeof permissions]> = [
  [/^GET \/users\/\{user_hash\}\/export$/, 'personalData'],
  [/^GET \/ownership$/, 'projects'],
  [/^GET \/domain-verifications(\/|$)/, 'projects'],
];

export function tokenNeeds({ method, path, scope, alsoScope }: TokenRoute): {
  readonly scopes: readonly TokenScope[];
  readonly role: Role;
} {
  const route = `${method} ${path}`;
  if (scope === 'ci') return { scopes: ['ci'], role: permissions.files.needs };
  if (scope === 'read') {
    const right = adminReadRoutes.find(([pattern]) => pattern.test(route))?.[1] ?? 'look';
    return { scopes: alsoScope ? ['read', alsoScope] : ['read'], role: permissions[right].needs };
  }
  const right = ofMembers.find(([pattern]) => pattern.test(route))?.[1] ?? 'projects';
  const isOfIssues = right === 'issues' || right === 'self';
  return { scopes: isOfIssues ? ['issues', 'admin'] : ['admin'], role: permissions[right].needs };
}

/** 403 for a missing scope of the token or role of its member, else null. */
function findTokenRefusal(
  { key, member }: { readonly key: PersonalToken; readonly member: Member },
  route: TokenRoute,
): RestError | null {
  const { scopes, role } = tokenNeeds(route);
  if (route.scope === 'ingest' || !scopes.some((scope) => key.scopes.includes(scope))) {
    return createForbiddenError('scope', { scope: scopes[0] });
  }
  return roleIncludes(member.role, role) ? null : createForbiddenError('role', { role });
}
