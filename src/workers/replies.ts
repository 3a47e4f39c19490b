// What a worker and whoever asked it say to each other about a task that failed. Plain data: it goes from
// thread to thread.
import { RestError } from '../core/errors.ts';
import type { Reply } from './pool.ts';

/** How the refusals of one kind of task go from thread to thread. */
export interface Refusals {
  /** The refusal that an error is, as it is posted; null for a fault of ours. */
  posted(error: unknown): unknown;
  /** The error that was posted. */
  error(posted: unknown): Error;
}

/** The refusals of the API. */
export const restRefusals: Refusals = {
  posted(error) {
    if (!(error instanceof RestError)) return null;
    const { code, message, status, extra } = error;
    return { code, message, status, extra };
  },
  error(posted) {
    const { code, message, status, extra } = posted as RestError;
    return new RestError(code, message, status, extra);
  },
};

/**
 * The answer in a reply. Throws the refusal that is in it, or an error that says that `doing` failed where
 * the worker met a fault of ours.
 */
export function answerIn(reply: Reply, doing: string, refusals: Refusals = restRefusals): unknown {
  if ('answer' in reply) return reply.answer;
  throw 'fault' in reply ? new Error(`${doing} failed: ${reply.fault}`) : refusals.error(reply.refusal);
}
