// Rate limits by address for pages and sign-in: express-rate-limit on our bounded counters.
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { type Store as CounterStore, ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { RateLimits } from '../../core/config/config.ts';
import type { Deps } from '../../core/deps.ts';
import { addJitter } from '../../core/errors.ts';
import { minuteMs } from '../../core/parsing/durations.ts';
import type { LimitStore } from '../../core/ports/limit-store.ts';
import { createMemoryLimitStore } from './limit-store.ts';

const windowMs = minuteMs;

/** Default: counters of this thread. */
interface PageCounters {
  readonly limitStore?: LimitStore | undefined;
}

type ClientAddress = (incoming: IncomingMessage) => string;

export type RefusePage = (
  request: Request,
  response: Response,
  excess: { readonly limit: number; readonly waitSeconds: number },
) => void;

/** Calls `refuse` when an address exceeds its pages per minute. */
export function pageLimit(
  limits: RateLimits,
  clientAddress: ClientAddress,
  { now, random, limitStore = createMemoryLimitStore(now) }: Pick<Deps, 'now' | 'random'> & PageCounters,
  refuse: RefusePage,
): RequestHandler {
  if (!limits.enabled) return (_request, _response, next) => next();
  const limit = limits.pagesPerMinute;
  return addressLimit('pages-address', limit, clientAddress, limitStore, (request, response) => {
    const waitSeconds = addJitter(Number(response.getHeader('Retry-After') ?? windowMs / 1000), random);
    response.setHeader('Retry-After', String(waitSeconds));
    refuse(request, response, { limit, waitSeconds });
  });
}

/** Counts each attempt to sign in, successful or not. */
export function signInLimit(
  limits: RateLimits,
  clientAddress: ClientAddress,
  { now, limitStore = createMemoryLimitStore(now) }: Pick<Deps, 'now'> & PageCounters,
  refuse: (request: Request, response: Response) => void,
): RequestHandler {
  if (!limits.enabled) return (_request, _response, next) => next();
  return addressLimit('sign-in-address', limits.signInPerMinute, clientAddress, limitStore, refuse);
}

/** Of status pages: forms that subscribe count as attempts to sign in do, all else as pages. */
export function subscriptionLimit(
  limits: RateLimits,
  clientAddress: ClientAddress,
  limitStore: LimitStore,
  refuse: (request: Request, response: Response) => void,
): RequestHandler {
  if (!limits.enabled) return (_request, _response, next) => next();
  const forms = addressLimit('subscribe-address', limits.signInPerMinute, clientAddress, limitStore, refuse);
  const others = addressLimit(
    'subscription-address',
    limits.pagesPerMinute,
    clientAddress,
    limitStore,
    refuse,
  );
  return (request, response, next) => {
    const isForm = request.method === 'POST' && /\/subscribe$/.test(request.path);
    return (isForm ? forms : others)(request, response, next);
  };
}

/** Attempts left this minute; null if limits are off. */
export function signInAttemptsLeft(request: Request): number | null {
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
    // Addresses come from our own TRUST_PROXY code, so the library's checks of Express do not apply.
    validate: false,
    keyGenerator: (request) => ipKeyGenerator(clientAddress(request), 56),
    handler: refuse,
  });
}

/** The library expects a hit over the limit where nothing is left. */
function countersOf(store: LimitStore, identifier: string, limit: number): CounterStore {
  return {
    localKeys: true,
    async increment(key) {
      const [result] = await store.take([
        { buckets: [{ limiter: identifier, key, limit, windowMs }], cost: 1 },
      ]);
      const { left: remaining = 0, resetMs = windowMs } = result?.levels[0] ?? {};
      // The library compares with Date.now() itself.
      const resetTime = new Date(Date.now() + resetMs);
      return { totalHits: result?.admitted === true ? limit - remaining : limit + 1, resetTime };
    },
    // Used only with options that are not set here.
    decrement() {},
    resetKey() {},
  };
}
