// `RateLimit` and `RateLimit-Policy` of IETF draft 8, byte for byte as express-rate-limit writes them.
import { hash } from 'node:crypto';
import { memoize } from '../../core/parsing/memo-cache.ts';
import type { Bucket, BucketState } from '../../core/ports/limit-store.ts';
import type { RestResponse } from '../../wordpress/response/rest-response.ts';

export type LimitHeaders = ReadonlyArray<readonly [string, string]>;

export function toLimitHeaders(name: string, bucket: Bucket, level: BucketState): LimitHeaders {
  const { limit, windowMs, key } = bucket;
  const policy = `q=${limit}; w=${toWholeSeconds(windowMs)}; pk=:${partitionKey(key)}:`;
  return [
    ['RateLimit', `"${name}"; r=${level.left}; t=${toWholeSeconds(level.resetMs)}`],
    ['RateLimit-Policy', `"${name}"; ${policy}`],
  ];
}

/** One header line per name, with the policies in a list. */
export function joinHeaders(headers: LimitHeaders): LimitHeaders {
  const lines = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = lines.get(name);
    lines.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return [...lines];
}

/** Rounded up, so that a client that waits is not early. */
export function toWholeSeconds(milliseconds: number): number {
  return Math.max(0, Math.ceil(milliseconds / 1000));
}

/** A hash, so that the header does not reveal the key. */
const partitionKey = memoize((key) => Buffer.from(hash('sha256', key).slice(0, 12)).toString('base64'), {
  textsMax: 10_000,
  charactersMax: 128,
});

const header = 'X-Sentry-Rate-Limits';
const holdBackSeconds = 3600;

/** Unsupported ones, after rate limits: `3600:span:organization:not_taken`. A category's last entry wins. */
export function addSentryRateLimits(categories: readonly string[], response: RestResponse): void {
  if (categories.length === 0) return;
  const entries = categories.map((category) => `${holdBackSeconds}:${category}:organization:not_taken`);
  const existing = response.headers.get(header);
  response.header(header, [...(existing === undefined ? [] : [existing]), ...entries].join(', '));
}
