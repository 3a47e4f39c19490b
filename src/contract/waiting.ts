// How long a 429 asks us to wait. Pure; the runner does the waiting.
import { type Answer, headerOf, valueAt } from './exchange.ts';

/** A server that asks for more patience than this is `not observed: limited`. */
export const waitSecondsMax = 120;
/** Where a 429 says nothing of time, the first wait; it doubles. */
const silentWaitSeconds = 5;

/**
 * Seconds to wait before the request is sent again: `Retry-After` as seconds or date, `data.retry_after`,
 * `RateLimit`'s `t`, in this order; doubling from five seconds where none of them speaks. `attempt` counts
 * from 0.
 */
export function secondsToWait(answer: Answer, attempt: number, nowMs: number): number {
  const header = headerOf(answer, 'Retry-After');
  if (header !== null) {
    const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
    if (Number.isFinite(seconds)) return Math.max(1, Math.ceil(seconds));
  }
  const member = valueAt(answer.json, 'data.retry_after');
  if (typeof member === 'number' && Number.isFinite(member)) return Math.max(1, Math.ceil(member));
  const draft = /\bt=(\d+)/.exec(headerOf(answer, 'RateLimit') ?? '')?.[1];
  if (draft !== undefined) return Math.max(1, Number(draft));
  return silentWaitSeconds * 2 ** attempt;
}
