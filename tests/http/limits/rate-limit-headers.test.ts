import { expect, it, jest } from '@jest/globals';
import { rateLimit } from 'express-rate-limit';
import { toLimitHeaders, toWholeSeconds } from '../../../src/http/limits/headers.ts';

/** What the library writes for a request of `key` after `hits` others in a window that ends in `resetMs`. */
async function libraryHeaders(
  key: string,
  { limit, windowMs, hits, resetMs }: { limit: number; windowMs: number; hits: number; resetMs: number },
): Promise<string[][]> {
  const written: string[][] = [];
  const note = (name: string, value: string): void => void written.push([name, value]);
  const handler = rateLimit({
    windowMs,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: 'events-address',
    validate: false,
    keyGenerator: () => key,
    handler: () => {},
    store: {
      increment: () => ({ totalHits: hits, resetTime: new Date(Date.now() + resetMs) }),
      decrement: () => {},
      resetKey: () => {},
    },
  });
  await handler({} as never, { headersSent: false, append: note, setHeader: note } as never, () => {});
  return written.filter(([name]) => name !== 'Retry-After');
}

it.each([
  ['key:7', { limit: 1200, windowMs: 60_000, hits: 1, resetMs: 60_000 }],
  ['203.0.113.7', { limit: 300, windowMs: 60_000, hits: 299, resetMs: 59_001 }],
  ['2001:db8::/56', { limit: 5, windowMs: 3_600_000, hits: 9, resetMs: 1 }],
])('as the library writes them for %s', async (key, state) => {
  jest.useFakeTimers({ now: 1_000_000 });
  try {
    const bucket = { limiter: 'events-address', key, limit: state.limit, windowMs: state.windowMs };
    const level = { left: Math.max(0, state.limit - state.hits), resetMs: state.resetMs };
    expect(toLimitHeaders('events-address', bucket, level)).toEqual(await libraryHeaders(key, state));
  } finally {
    jest.useRealTimers();
  }
});

it('says whole seconds, rounded up, and none where none is left', () => {
  expect([-5, 0, 1, 1_000, 1_001].map(toWholeSeconds)).toEqual([0, 0, 1, 1, 2]);
});
