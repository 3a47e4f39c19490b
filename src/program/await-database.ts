// A database that does not answer yet is waited for, aloud and not for ever; one that never will is not.
import { setTimeout as sleep } from 'node:timers/promises';
import { NotReadyYet } from '../core/config/start-errors.ts';
import { databaseFailure } from './database-failure.ts';

export interface Waiting {
  /** Told one line at once when it begins to wait, and one every five seconds. */
  tell(line: string): void;
  /** Milliseconds that only go forward; performance.now() unless a test hands one in. */
  readonly clock?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

const waitMsMax = 30_000;
const tellEveryMs = 5_000;
const pauseMs = 500;

/**
 * Runs `attempt` until it succeeds, for at most 30 seconds. Throws ConfigError at once for what waiting
 * cannot mend, and NotReadyYet when the time is over; both name DATABASE_URL. Other errors of `attempt` come
 * out as they are.
 */
export async function whenDatabaseAnswers<T>(
  attempt: () => Promise<T>,
  databaseUrl: string,
  waiting: Waiting,
): Promise<T> {
  const clock = waiting.clock ?? (() => performance.now());
  const pause = waiting.sleep ?? sleep;
  const beganAtMs = clock();
  let toldAtMs: number | null = null;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const failure = databaseFailure(error, databaseUrl);
      if (!(failure instanceof NotReadyYet)) throw failure;
      const waitedMs = clock() - beganAtMs;
      if (waitedMs + pauseMs > waitMsMax) {
        throw new NotReadyYet(`${failure.message} It was waited for, for ${waitMsMax / 1000} s.`, {
          cause: error,
        });
      }
      if (toldAtMs === null) {
        waiting.tell(`${failure.message} Waiting for it, for up to ${waitMsMax / 1000} s.`);
      } else if (waitedMs - toldAtMs >= tellEveryMs) {
        waiting.tell(`Still waiting for the database (${Math.round(waitedMs / 1000)} s).`);
      }
      if (toldAtMs === null || waitedMs - toldAtMs >= tellEveryMs) toldAtMs = waitedMs;
      await pause(pauseMs);
    }
  }
}
