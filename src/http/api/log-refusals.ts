// At LOG_LEVEL=debug one line for each refusal: which route, which status, why, and whose key, never what was
// sent. Below that level a refusal costs one closure.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Deps } from '../../core/deps.ts';
import { isImportable, maskedKey, shownPrefix } from '../../core/projects/keys.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RestResponse } from '../../wordpress/response/rest-response.ts';
import type { RestServer } from '../../wordpress/rest/server.ts';
import { routeTemplate } from '../sight/route-of.ts';
import type { Caller } from './authenticate.ts';
import { callOf } from './call.ts';
import { wordsOfRefusal } from './count-refusals.ts';

type Answers = Pick<RestServer, 'handle' | 'refuse'>;

/** What whoever refuses knows of it. */
export interface RefusalFacts {
  /** The route as the table has it, `/issues/{id}`; null where no route matched. */
  readonly route: string | null;
  readonly status: number;
  /** One of our words, `rest_forbidden`; null where there is none. */
  readonly code: string | null;
  /** One of our words beside the code, `unknown_domain`. */
  readonly reason: string | null;
  /** Who asked, once that is known. */
  readonly caller: Promise<Caller | null> | null;
}

/** Kept with the request until its answer has gone, and looked at only where a line is written about it. */
const facts = new WeakMap<IncomingMessage, () => RefusalFacts>();

/** Remembers how to tell what a refusal was, for the line about it. */
export function noteRefusal(incoming: IncomingMessage, tell: () => RefusalFacts): void {
  facts.set(incoming, tell);
}

/** Remembers an answer of the API, where it is a refusal. */
export function noteApiRefusal(request: RestRequest, response: RestResponse): void {
  if (request.incoming === null || response.status < 400) return;
  noteRefusal(request.incoming, () => ({
    route: request.matchedRoute === null ? null : routeTemplate(request.matchedRoute),
    status: response.status,
    ...wordsOfRefusal(response),
    caller: callerIn(request),
  }));
}

/** The API's answers; at `debug` with a line for each refusal, whatever else answers the request after it. */
export function withRefusalLog(deps: Pick<Deps, 'config' | 'log'>, server: Answers): Answers {
  if (deps.config.logLevel !== 'debug') return server;
  const watch = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    outgoing.once('close', () => {
      if (outgoing.headersSent) void logRefusal(deps, incoming, outgoing.statusCode);
    });
  };
  return {
    handle(incoming, outgoing) {
      watch(incoming, outgoing);
      return server.handle(incoming, outgoing);
    },
    refuse(incoming, outgoing, error) {
      watch(incoming, outgoing);
      noteRefusal(incoming, () => ({
        route: null,
        status: 400,
        code: error.firstCode(),
        reason: null,
        caller: null,
      }));
      server.refuse(incoming, outgoing, error);
    },
  };
}

/** `sent` is the status that went out: with `_envelope` it is 200, and the refusal stands in the body. */
async function logRefusal(deps: Pick<Deps, 'log'>, incoming: IncomingMessage, sent: number): Promise<void> {
  const known = facts.get(incoming)?.();
  const status = known?.status ?? sent;
  if (status < 400) return;
  const caller = (await known?.caller?.catch(() => null)) ?? null;
  deps.log.debug(
    {
      method: incoming.method,
      route: known?.route ?? null,
      status,
      code: known?.code ?? null,
      ...(typeof known?.reason === 'string' ? { reason: known.reason } : {}),
      key: caller === null ? presentedPrefix(incoming) : maskedKey(caller.key),
      ...(caller === null ? {} : { projectId: caller.project.id }),
    },
    'refused',
  );
}

/** Whom the guard found; the first that was looked for is the one that the route wants. */
function callerIn(request: RestRequest): Promise<Caller | null> | null {
  const [first] = callOf(request).callers.values();
  return first === undefined ? null : Promise.resolve(first);
}

/** The first characters of the key in a request, where what stands there could be one. */
function presentedPrefix({ headers, url = '' }: IncomingMessage): string | null {
  const texts = [
    headers['x-notifier-key'],
    /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1],
    /\bsentry_key=([\w-]+)/.exec(String(headers['x-sentry-auth'] ?? headers.authorization ?? ''))?.[1],
    /[?&]sentry_key=([\w-]+)/.exec(url.slice(0, 8192))?.[1],
  ];
  const text = texts.find((each) => typeof each === 'string');
  return typeof text === 'string' && isImportable(text) ? `${shownPrefix(text)}…` : null;
}
