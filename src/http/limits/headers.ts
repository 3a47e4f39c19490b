// `RateLimit` and `RateLimit-Policy` as draft 8 of the IETF writes them, to the byte as express-rate-limit
// does (D-13).
import { hash } from 'node:crypto';
import type { Bucket, Level } from '../../core/ports/limit-store.ts';
import { recalling } from '../../core/reading/remembered.ts';

export type LimitHeaders = ReadonlyArray<readonly [string, string]>;

/** The two headers of one bucket. `name` is its policy's. */
export function limitHeaders(name: string, bucket: Bucket, level: Level): LimitHeaders {
  const { limit, windowMs, key } = bucket;
  const policy = `q=${limit}; w=${secondsOf(windowMs)}; pk=:${partitionKey(key)}:`;
  return [
    ['RateLimit', `"${name}"; r=${level.left}; t=${secondsOf(level.resetMs)}`],
    ['RateLimit-Policy', `"${name}"; ${policy}`],
  ];
}

/** One line a name: several policies stand in one list, as the draft has it. */
export function joinedHeaders(headers: LimitHeaders): LimitHeaders {
  const lines = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = lines.get(name);
    lines.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return [...lines];
}

/** Whole seconds, rounded up: who comes back then is not early. */
export function secondsOf(milliseconds: number): number {
  return Math.max(0, Math.ceil(milliseconds / 1000));
}

/** Tells counters apart without telling whose they are. */
const partitionKey = recalling((key) => Buffer.from(hash('sha256', key).slice(0, 12)).toString('base64'), {
  textsMax: 10_000,
  charactersMax: 128,
});
