// Timeouts of request bodies and of slow readers of answers. Pure; connections.ts has the clock.
import { RestError } from '../../core/errors.ts';

/** The body stalled or is too slow: 400 (408 for Sentry clients), and the connection closes. */
export class BodyStalled extends RestError {
  constructor() {
    super('rest_bad_request', 'Bad request.', 400);
  }
}

/** Invalid HTTP framing, or fewer bytes than announced: 400, and the connection closes. */
export class BodyMalformed extends RestError {
  constructor() {
    super('rest_bad_request', 'Bad request.', 400);
  }
}

export type BodyTimeouts = Readonly<typeof bodyTimeouts>;

/** Milliseconds, and bytes per second. */
export const bodyTimeouts = {
  /** Bodies in memory: from `graceMs` on at least `rateMin`, and at most `longestMs`. */
  memory: { graceMs: 20_000, longestMs: 120_000, rateMin: 32 * 1024 },
  /** Bodies streamed to disk: in addition never silent for more than `restMs`. Enough for 100 MiB over a slow line, but
   * not for a byte now and then. */
  disk: { restMs: 20_000, graceMs: 60_000, longestMs: 15 * 60_000, rateMin: 16 * 1024 },
  /** Unread answers: closed after `restMs`; after `graceMs` dropped first when connections run out. */
  readers: { restMs: 20_000, graceMs: 5_000 },
};

export interface BodyProgress {
  readonly isStreamed: boolean;
  /** Since the request began, and since anything of its body arrived or it was paused by us. */
  readonly ageMs: number;
  readonly restMs: number;
  readonly receivedBytes: number;
}

export function isOverdue(progress: BodyProgress, timeouts: BodyTimeouts): boolean {
  const rule = progress.isStreamed ? timeouts.disk : timeouts.memory;
  if (progress.isStreamed && progress.restMs > timeouts.disk.restMs) return true;
  if (progress.ageMs <= rule.graceMs) return false;
  return progress.ageMs > rule.longestMs || progress.receivedBytes < (rule.rateMin * progress.ageMs) / 1000;
}
