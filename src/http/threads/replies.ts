// What a thread and whoever asked it say to each other about a task that failed, and where a thread's program
// lies. Plain data: it goes from thread to thread.
import { RestError } from '../../core/errors.ts';
import type { Reply } from './pool.ts';

/** A refusal of the API on its way between threads. */
interface PostedRefusal {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What a thread says of an error: a refusal of the API as such, anything else as a fault of ours. */
export function failureReply(error: unknown): Reply {
  if (!(error instanceof RestError)) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  const { code, message, status, extra } = error;
  return { refusal: { code, message, status, extra } satisfies PostedRefusal };
}

/**
 * The answer in a reply. Throws the refusal that is in it, or an error that says that `doing` failed where
 * the thread met a fault of ours.
 */
export function answerIn(reply: Reply, doing: string): unknown {
  if ('answer' in reply) return reply.answer;
  if ('fault' in reply) throw new Error(`${doing} failed: ${reply.fault}`);
  const { code, message, status, extra } = reply.refusal as PostedRefusal;
  throw new RestError(code, message, status, extra);
}

/** The program of a thread: `worker.ts` beside the module of this address, `worker.js` once it is built. */
export function workerBeside(moduleUrl: string): URL {
  return new URL(`./worker${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
}
