// The limit of an address on everything beside the API: express-rate-limit as plain Express middleware, over
// counters that are bounded (its own memory grows by 400 bytes an address for ever).
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { type Store as CounterStore, ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { RateLimits } from '../../core/config/config.ts';
import { minuteMs } from '../../core/reading/spans.ts';
import { type LimitStore, memoryLimitStore } from './limit-store.ts';

const windowMs = minuteMs;
const identifier = 'pages-address';

/** Refuses an address that asks for too many pages a minute, in plain text. `now` gives milliseconds. */
export function pageLimit(
  limits: RateLimits,
  clientAddress: (incoming: IncomingMessage) => string,
  now: () => number,
): RequestHandler {
  if (!limits.enabled) return (_request, _response, next) => next();
  return rateLimit({
    windowMs,
    limit: limits.pagesPerMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier,
    store: countersOf(memoryLimitStore(now), limits.pagesPerMinute),
    // Addresses come from our own reading of TRUST_PROXY, so the library's guesses about Express do not
    // apply.
    validate: false,
    keyGenerator: (request) => ipKeyGenerator(clientAddress(request), 56),
    handler: (_request, response) => {
      response.status(429).type('text/plain').send('Too many requests. Please retry later.\n');
    },
  });
}

/** Our counters as the library asks for them: it is told one hit too many where there is nothing left. */
function countersOf(store: LimitStore, limit: number): CounterStore {
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
