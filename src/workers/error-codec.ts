import { RestError } from '../core/errors.ts';
import type { Reply } from './pool.ts';

/** Converts errors of one kind to and from plain data for postMessage. */
export interface ErrorCodec {
  posted(error: unknown): unknown;
  error(posted: unknown): Error;
}

export const restErrorCodec: ErrorCodec = {
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

/** The answer of a reply. Throws its refusal, or an Error that says that `taskName` failed. */
export function unwrapReply(reply: Reply, taskName: string, refusals: ErrorCodec = restErrorCodec): unknown {
  if ('answer' in reply) return reply.answer;
  throw 'fault' in reply ? new Error(`${taskName} failed: ${reply.fault}`) : refusals.error(reply.refusal);
}
