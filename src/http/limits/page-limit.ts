// The limits of an address on everything beside the API, and on tries to sign in: express-rate-limit as plain
// Express middleware, over counters that are bounded (its own memory grows by 400 bytes an address for ever).
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { type Store as CounterStore, ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { RateLimits } from '../../core/config/config.ts';
import type { Deps } from '../../core/deps.ts';
import { spreadWait } from '../../core/errors.ts';
import type { LimitStore } from '../../core/ports/limit-store.ts';
import { minuteMs } from '../../core/reading/spans.ts';
import { memoryLimitStore } from './limit-store.ts';

const windowMs = minuteMs;

/** Where addresses are counted; in this thread alone unless said. */
interface PageCounters {
  readonly limitStore?: LimitStore | undefined;
}

type ClientAddress = (incoming: IncomingMessage) => string;

/** Answers in place of a page; `waitSeconds` until the address may ask again. */
export type RefusePage = (
  request: Request,
  response: Response,
  excess: { readonly limit: number; readonly waitSeconds: number },
) => void;

/** Has `refuse` answer an address that asks for too many pages a minute. */
export function pageLimit(
  limits: RateLimits,
  clientAddress: ClientAddress,
  { now, random, limitStore = memoryLimitStore(now) }: Pick<Deps, 'now' | 'random'> & PageCounters,
  refuse: RefusePage,
): RequestHandler {
  if (!limits.enabled) return (_request, _response, next) => next();
  const limit = limits.pagesPerMinute;
  return addressLimit('pages-address', limit, clientAddress, limitStore, (request, response) => {
    const waitSeconds = spreadWait(Number(response.getHeader('Retry-After') ?? windowMs / 1000), random);
    response.setHeader('Retry-After', String(waitSeconds));
    refuse(request, response, { limit, waitSeconds });
  });
}

/**
 * Counts each try of an address to sign in, whatever becomes of it; where none is left this minute, `refuse`
 * answers. `triesLeft` says how many are left after the one that a request was.
 */
export function signInLimit(
  limits: RateLimits,
  clientAddress: ClientAddress,
  { now, limitStore = memoryLimitStore(now) }: Pick<Deps, 'now'> & PageCounters,
  refuse: (request: Request, response: Response) => void,
): RequestHandler {
  if (!limits.enabled) return (_request, _response, next) => next();
  return addressLimit('sign-in-address', limits.signInPerMinute, clientAddress, limitStore, refuse);
}

/** What `signInLimit` left of the minute; null where nothing is counted. */
export function triesLeft(request: Request): number | null {
  const { rateLimit: info } = request as { rateLimit?: { readonly remaining: number } };
  return info?.remaining ?? null;
}

function addressLimit(
  identifier: string,
  limit: number,
  clientAddress: ClientAddress,
  store: LimitStore,
  refuse: (request: Request, response: Response) => void,
): RequestHandler {
  return rateLimit({
    windowMs,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier,
    store: countersOf(store, identifier, limit),
    // Addresses come from our own reading of TRUST_PROXY, so the library's guesses about Express do not
    // apply.
    validate: false,
    keyGenerator: (request) => ipKeyGenerator(clientAddress(request), 56),
    handler: refuse,
  });
}

/** Our counters as the library asks for them: it is told one hit too many where there is nothing left. */
function countersOf(store: LimitStore, identifier: string, limit: number): CounterStore {
  return {
    localKeys: true,
    async increment(key) {
      const [taken] = await store.take([
        { buckets: [{ limiter: identifier, key, limit, windowMs }], cost: 1 },
      ]);
      const { left = 0, resetMs = windowMs } = taken?.levels[0] ?? {};
      // The library reads the clock itself for the headers; the distance to the end is what it has to see.
      const resetTime = new Date(Date.now() + resetMs);
      return { totalHits: taken?.admitted === true ? limit - left : limit + 1, resetTime };
    },
    // Asked for only with options that we do not use.
    decrement() {},
    resetKey() {},
  };
}
