// A line for each refusal: which route, which status, why, and whose key, never what was sent. What is taken
// costs a look.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Deps } from '../../core/deps.ts';
import { isImportable, maskedKey, shownPrefix } from '../../core/projects/keys.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RestResponse } from '../../wordpress/response/rest-response.ts';
import type { RestServer } from '../../wordpress/rest/server.ts';
import { requestNames } from '../sight/request-names.ts';
import { routeOf, routeTemplate } from '../sight/route-of.ts';
import { sampledLines } from '../sight/sampled.ts';
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
    route: request.matchedRoute === null ? known(request.incoming) : routeTemplate(request.matchedRoute),
    status: response.status,
    ...reasonedWords(request, response),
    caller: callerIn(request),
  }));
}

/**
 * The API's answers, with a line for each refusal, whatever else answers the request after it: at `debug` all
 * of them, at `info` and `warn` ten a minute of each reason and then how many more there were.
 */
export function withRefusalLog(deps: Pick<Deps, 'config' | 'log'>, server: Answers): Answers {
  const { logLevel } = deps.config;
  if (logLevel === 'error' || logLevel === 'silent') return server;
  const tell = logLevel === 'debug' ? everyLine(deps) : someLines(deps);
  const whenGone = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    outgoing.once('close', () => {
      if (outgoing.headersSent) tell(incoming, outgoing.statusCode);
    });
  };
  return {
    async handle(incoming, outgoing) {
      const handled = await server.handle(incoming, outgoing);
      if (!handled && !outgoing.closed) whenGone(incoming, outgoing);
      else if (outgoing.headersSent) tell(incoming, outgoing.statusCode);
      return handled;
    },
    refuse(incoming, outgoing, error) {
      noteRefusal(incoming, () => ({
        route: null,
        status: 400,
        code: error.firstCode(),
        reason: null,
        caller: null,
      }));
      server.refuse(incoming, outgoing, error);
      tell(incoming, outgoing.statusCode);
    },
  };
}

/** `sent` is the status that went out: with `_envelope` it is 200, and the refusal stands in the body. */
type Tell = (incoming: IncomingMessage, sent: number) => void;

function everyLine({ log }: Pick<Deps, 'log'>): Tell {
  return (incoming, sent) => {
    const refusal = refusalOf(incoming, sent);
    if (refusal === null) return;
    void fieldsOf(incoming, refusal).then((fields) => log.debug(fields, 'refused'));
  };
}

/** Who sends what is refused decides neither how long the log grows nor how fast. */
function someLines({ log }: Pick<Deps, 'log'>): Tell {
  const lines = sampledLines((kind, more) => {
    log.warn({ refusal: kind, more, seconds: 60 }, 'more were refused');
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

/** Null for what was no refusal. */
function refusalOf(incoming: IncomingMessage, sent: number): RefusalFacts | null {
  const known = facts.get(incoming)?.();
  if (known === undefined && sent < 400) return null;
  const said = known ?? { route: null, status: sent, code: null, reason: null, caller: null };
  return said.status < 400 ? null : said;
}

async function fieldsOf(incoming: IncomingMessage, refusal: RefusalFacts): Promise<object> {
  const caller = (await refusal.caller?.catch(() => null)) ?? null;
  return {
    method: incoming.method,
    route: refusal.route,
    status: refusal.status,
    code: refusal.code,
    ...(refusal.reason === null ? {} : { reason: refusal.reason }),
    key: caller === null ? presentedPrefix(incoming) : maskedKey(caller.key),
    ...(caller === null ? {} : { projectId: caller.project.id }),
    ...requestNames(incoming),
  };
}

/** The words of a refusal; of one for its key alone the reason too, which the answer does not tell. */
function reasonedWords(request: RestRequest, response: RestResponse): Pick<RefusalFacts, 'code' | 'reason'> {
  const { code, reason } = wordsOfRefusal(response);
  return { code, reason: response.status === 401 ? callOf(request).keyFault : reason };
}

/** Where a request was turned away before its route was looked for. */
function known(incoming: IncomingMessage | null): string | null {
  const route = incoming === null ? null : routeOf(incoming);
  return route === 'none' ? null : route;
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
