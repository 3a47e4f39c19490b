// How long a body may take to come, and an answer to be read (D-18, D-230).
// Pure: src/http/server/connections.ts has the clock.
import { RestError } from '../../core/errors.ts';

/**
 * The body stopped coming, or comes too slowly: 400, or 408 for clients of the Sentry protocol; the
 * connection closes.
 */
export class BodyStalled extends RestError {
  constructor() {
    super('rest_bad_request', 'Bad request.', 400);
  }
}

/** What came is no body in HTTP, or ended before its length: 400; the connection closes. */
export class BodyMalformed extends RestError {
  constructor() {
    super('rest_bad_request', 'Bad request.', 400);
  }
}

/** Times in milliseconds, rates in bytes a second. */
export interface Patience {
  /**
   * Of bodies that are kept in memory: after `graceMs` only those go on that come fast enough, to
   * `longestMs`.
   */
  readonly memory: { readonly graceMs: number; readonly longestMs: number; readonly rateMin: number };
  /** Of bodies that go to disk: they never rest longer than `restMs`. */
  readonly disk: {
    readonly restMs: number;
    readonly graceMs: number;
    readonly longestMs: number;
    readonly rateMin: number;
  };
  /**
   * Of answers: cut where nothing is taken of them for `restMs`; after `graceMs` they give way to who comes
   * anew.
   */
  readonly readers: { readonly restMs: number; readonly graceMs: number };
}

/**
 * D-18, and for what goes to disk: a hundred MiB over a slow line, and nobody who sends a byte now and then.
 */
export const bodyPatience: Patience = {
  memory: { graceMs: 20_000, longestMs: 120_000, rateMin: 32 * 1024 },
  disk: { restMs: 20_000, graceMs: 60_000, longestMs: 15 * 60_000, rateMin: 16 * 1024 },
  readers: { restMs: 20_000, graceMs: 5_000 },
};

/** How far a body has come. */
export interface BodyProgress {
  readonly isStreamed: boolean;
  /**
   * Milliseconds since the request began, and since we saw anything of its body or did not let it come
   * ourselves.
   */
  readonly ageMs: number;
  readonly restMs: number;
  readonly receivedBytes: number;
}

/** Whether a body that is not whole has taken longer than it may. */
export function isOverdue(progress: BodyProgress, patience: Patience): boolean {
  const rule = progress.isStreamed ? patience.disk : patience.memory;
  if (progress.isStreamed && progress.restMs > patience.disk.restMs) return true;
  if (progress.ageMs <= rule.graceMs) return false;
  return progress.ageMs > rule.longestMs || progress.receivedBytes < (rule.rateMin * progress.ageMs) / 1000;
}
