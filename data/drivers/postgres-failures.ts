// What PostgreSQL, its library and the system say of a failure, as failures of the store.
import { StoreBusy, StoreUnavailable } from '../../src/core/errors.ts';

/** Serialisation failure or deadlock: the same job may well succeed now. */
export class TryAgain extends Error {}

/** Runs it, and throws what it throws by the names of the store. */
export async function named<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw namedFailure(error);
  }
}

/** PostgreSQL's classes of errors, and the system's words for a server that is not there. */
function namedFailure(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  const code = codeOf(error);
  if (code === null) {
    // pg says these without a code.
    return /timeout|terminated|ended unexpectedly|not queryable|client was closed/i.test(failure.message)
      ? new StoreUnavailable('The database does not answer.', { cause: error })
      : failure;
  }
  if (code === '40001' || code === '40P01') return new TryAgain(code, { cause: error });
  if (code === '55P03' || code === '57014') return new StoreBusy('The database is busy.', { cause: error });
  // Connection, resources, operator's shutdown, read-only, a broken disk; E… are the system's own.
  if (/^(08|53|57P|58|25006|XX|E[A-Z]{2})/.test(code)) {
    return new StoreUnavailable(`The database cannot be written: ${code}.`, { cause: error });
  }
  return failure;
}

/**
 * Whether there may be only one of what was written. Where somebody else wrote it after a job had looked, the
 * job would see it now, and say so by itself.
 */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/** pg's own words when `query_timeout` is over, as they are or as the cause of ours. */
export function isSilence(error: unknown): boolean {
  const { message, cause } = error as Partial<Error>;
  return message === 'Query read timeout' || (cause !== undefined && isSilence(cause));
}

/** Whether a server said it, and not the system or the library in its place. */
export function isSaid(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code);
}

/** Whether it is one of the store's that a caller is told, or one that another try may mend. */
export function isFault(error: Error): boolean {
  return error instanceof TryAgain || error instanceof StoreBusy || error instanceof StoreUnavailable;
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
}

// What a server says first: a web server on PostgreSQL's port closes the connection without a word that the
// driver knows, and would be waited for.

/** `AuthenticationRequest`, `ErrorResponse`, `NoticeResponse`, `NegotiateProtocolVersion`. */
const firstKinds = new Set(['R', 'E', 'N', 'v']);
/** Answers to the question for TLS: one byte, and nothing behind it. */
const answersToTls = new Set(['S', 'N', 'E']);
/**
 * Of any of those messages; protocol 3 has its length, without its kind, in the four bytes behind the kind.
 */
const messageBytesMax = 30_000;

/** Whether these first bytes of a server may be PostgreSQL's (protocol 3.0 and 3.2, "Message Formats"). */
function mayBePostgres(bytes: Buffer): boolean {
  const kind = bytes.toString('latin1', 0, 1);
  if (bytes.length === 1) return answersToTls.has(kind) || firstKinds.has(kind);
  if (!firstKinds.has(kind)) return false;
  if (bytes.length < 5) return true;
  const length = bytes.readInt32BE(1);
  return length >= 4 && length <= messageBytesMax;
}

/** What failed where nothing, or PostgreSQL, answered first; else that something else did, and with what. */
export function greetingFailure(greeting: Buffer | null, cause: unknown): unknown {
  return greeting === null || mayBePostgres(greeting) ? cause : new NoPostgres(greeting, cause);
}

class NoPostgres extends Error {
  constructor(greeting: Buffer, cause: unknown) {
    super(`invalid response: it says ${JSON.stringify(greeting.toString('latin1', 0, 40))}`, { cause });
  }
}
