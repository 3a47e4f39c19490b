// Logs refusals: route, status, reason and key prefix, never the content.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Deps } from '../../core/deps.ts';
import { readLimitReason } from '../../core/errors.ts';
import { getDisplayPrefix, isImportableKey, maskKey } from '../../core/projects/keys.ts';
import type { Outcome } from '../../core/store/counts.ts';
import { getMember } from '../../wordpress/php/values.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RestResponse } from '../../wordpress/response/rest-response.ts';
import type { RestServer } from '../../wordpress/rest/server.ts';
import { readRequestIds } from '../logging/request-ids.ts';
import { getRouteTemplate, toRouteTemplate } from '../logging/route-template.ts';
import { getRequestState } from './request-state.ts';
import type { Caller } from './route.ts';

type Answers = Pick<RestServer, 'handle' | 'refuse'>;

interface RefusalFacts {
  /** E.g. `/issues/{id}`; null if no route matched. */
  readonly route: string | null;
  readonly status: number;
  readonly code: string | null;
  /** E.g. `unknown_domain`. */
  readonly reason: string | null;
  /** Set once authentication has run. */
  readonly caller: Promise<Caller | null> | null;
}

const facts = new WeakMap<IncomingMessage, () => RefusalFacts>();

/** Records a refusal for the log line; `getFacts` runs only if one is written. */
export function recordRefusal(incoming: IncomingMessage, getFacts: () => RefusalFacts): void {
  facts.set(incoming, getFacts);
}

export function recordApiRefusal(request: RestRequest, response: RestResponse): void {
  if (request.incoming === null || response.status < 400) return;
  recordRefusal(request.incoming, () => ({
    route: request.matchedRoute === null ? known(request.incoming) : toRouteTemplate(request.matchedRoute),
    status: response.status,
    ...reasonedWords(request, response),
    caller: callerIn(request),
  }));
}

/** Logs all refusals at `debug`; at `info` and `warn` ten a minute per reason and the number of the rest. */
export function withRefusalLog(deps: Pick<Deps, 'config' | 'log'>, server: Answers): Answers {
  const { logLevel } = deps.config;
  if (logLevel === 'error' || logLevel === 'silent') return server;
  const logRefusal = logLevel === 'debug' ? logEvery(deps) : logSampled(deps);
  const whenGone = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    outgoing.once('close', () => {
      if (outgoing.headersSent) logRefusal(incoming, outgoing.statusCode);
    });
  };
  return {
    async handle(incoming, outgoing) {
      const handled = await server.handle(incoming, outgoing);
      if (!handled && !outgoing.closed) whenGone(incoming, outgoing);
      else if (outgoing.headersSent) logRefusal(incoming, outgoing.statusCode);
      return handled;
    },
    refuse(incoming, outgoing, error) {
      recordRefusal(incoming, () => ({
        route: null,
        status: 400,
        code: error.firstCode(),
        reason: null,
        caller: null,
      }));
      server.refuse(incoming, outgoing, error);
      logRefusal(incoming, outgoing.statusCode);
    },
  };
}

/** `sent` is the HTTP status; with `_envelope` it is 200 and the refusal is in the body. */
type LogRefusal = (incoming: IncomingMessage, sent: number) => void;

function logEvery({ log }: Pick<Deps, 'log'>): LogRefusal {
  return (incoming, sent) => {
    const refusal = refusalOf(incoming, sent);
    if (refusal === null) return;
    void fieldsOf(incoming, refusal).then((fields) => log.debug(fields, 'refused'));
  };
}

/** Sampled, so that clients cannot flood the log. */
function logSampled({ log }: Pick<Deps, 'log'>): LogRefusal {
  const lines = createLogSampler((kind, more) => {
    log.warn({ refusal: kind, more, seconds: 60 }, 'more requests were refused');
  });
  return (incoming, sent) => {
    const refusal = refusalOf(incoming, sent);
    if (refusal === null) return;
    const { status, code, reason } = refusal;
    if (!lines.mayWrite([status, code, reason].filter((word) => word !== null).join(' '))) return;
    const level = status >= 500 ? 'warn' : 'info';
    void fieldsOf(incoming, refusal).then((fields) => log[level](fields, 'refused'));
  };
}

function refusalOf(incoming: IncomingMessage, sent: number): RefusalFacts | null {
  const known = facts.get(incoming)?.();
  if (known === undefined && sent < 400) return null;
  const refusal = known ?? { route: null, status: sent, code: null, reason: null, caller: null };
  return refusal.status < 400 ? null : refusal;
}

async function fieldsOf(incoming: IncomingMessage, refusal: RefusalFacts): Promise<object> {
  const caller = (await refusal.caller?.catch(() => null)) ?? null;
  return {
    method: incoming.method,
    route: refusal.route,
    status: refusal.status,
    code: refusal.code,
    ...(refusal.reason === null ? {} : { reason: refusal.reason }),
    key: caller === null ? presentedPrefix(incoming) : maskKey(caller.key),
    ...(caller === null || caller.project === null ? {} : { projectId: caller.project.id }),
    ...readRequestIds(incoming),
  };
}

/** A 401 has a reason here that the answer does not show. */
function reasonedWords(request: RestRequest, response: RestResponse): Pick<RefusalFacts, 'code' | 'reason'> {
  const { code, reason } = readRefusal(response);
  return { code, reason: response.status === 401 ? getRequestState(request).keyFault : reason };
}

function known(incoming: IncomingMessage | null): string | null {
  const route = incoming === null ? null : getRouteTemplate(incoming);
  return route === 'none' ? null : route;
}

/** The first lookup is for the route's own credential. */
function callerIn(request: RestRequest): Promise<Caller | null> | null {
  const [first] = getRequestState(request).callers.values();
  return first === undefined ? null : Promise.resolve(first);
}

function presentedPrefix({ headers, url = '' }: IncomingMessage): string | null {
  const texts = [
    headers['x-notifier-key'],
    /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1],
    /\bsentry_key=([\w-]+)/.exec(String(headers['x-sentry-auth'] ?? headers.authorization ?? ''))?.[1],
    /[?&]sentry_key=([\w-]+)/.exec(url.slice(0, 8192))?.[1],
  ];
  const text = texts.find((each) => typeof each === 'string');
  return typeof text === 'string' && isImportableKey(text) ? `${getDisplayPrefix(text)}…` : null;
}

/** So that accepted and lost add up to what was sent. Does nothing if the handler has counted the loss. */
export function countRefusal(
  deps: Pick<Deps, 'outcomes' | 'now'>,
  request: RestRequest,
  response: RestResponse,
): void {
  const { loss, discardsAreCounted } = getRequestState(request);
  if (loss === null || discardsAreCounted || request.method !== 'POST' || response.status < 400) return;
  deps.outcomes.count({ ...loss, atMs: deps.now(), ...outcomeOf(response), quantity: 1 });
}

function outcomeOf(response: RestResponse): Pick<Outcome, 'outcome' | 'reason'> {
  if (response.status === 429) return { outcome: 'rate_limited', reason: readLimitReason(response.headers) };
  const { code, reason } = readRefusal(response);
  if (response.status === 403 && reason !== null) return { outcome: 'filtered', reason };
  return { outcome: response.status >= 500 ? 'failed' : 'invalid', reason: code ?? '' };
}

function readRefusal({ data }: RestResponse): { code: string | null; reason: string | null } {
  const [code, details] = [getMember(data, 'code'), getMember(data, 'data')];
  const reason = getMember(details ?? null, 'reason');
  return {
    code: typeof code === 'string' ? code : null,
    reason: typeof reason === 'string' ? reason : null,
  };
}

// Samples log lines that clients cause: the first ten a minute of each kind, then the number of the rest.

interface LogSampler {
  mayWrite(kind: string): boolean;
}

const perKindMax = 10;
const windowMs = 60_000;
/** Kinds are our own words; this is a safeguard. */
const kindsMax = 200;
const otherKind = 'other';

/** `more` is called at the end of a minute for each kind with more lines. The default timer is unref'ed. */
export function createLogSampler(
  more: (kind: string, count: number) => void,
  after: (milliseconds: number, then: () => void) => void = (milliseconds, then) =>
    void setTimeout(then, milliseconds).unref(),
): LogSampler {
  let seen = new Map<string, number>();
  const end = (): void => {
    const all = seen;
    seen = new Map();
    for (const [kind, count] of all) if (count > perKindMax) more(kind, count - perKindMax);
  };
  return {
    mayWrite(kind) {
      if (seen.size === 0) after(windowMs, end);
      const known = seen.has(kind) || seen.size < kindsMax ? kind : otherKind;
      const count = (seen.get(known) ?? 0) + 1;
      seen.set(known, count);
      return count <= perKindMax;
    },
  };
}
