import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';

/** Serialization failure or deadlock: a retry may succeed. */
export class RetryableError extends Error {}

export async function withStoreErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw namedFailure(error);
  }
}

function namedFailure(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  const code = codeOf(error);
  if (code === null) {
    return /timeout|terminated|ended unexpectedly|not queryable|client was closed/i.test(failure.message)
      ? new StoreUnavailableError('The database does not answer.', { cause: error })
      : failure;
  }
  if (code === '40001' || code === '40P01') return new RetryableError(code, { cause: error });
  if (code === '55P03' || code === '57014')
    return new StoreBusyError('The database is busy.', { cause: error });
  // Classes: connection, resources, operator intervention, system error, read-only, internal; E…: Node's.
  if (/^(08|53|57P|58|25006|XX|E[A-Z]{2})/.test(code)) {
    return new StoreUnavailableError(`The database cannot be written: ${code}.`, { cause: error });
  }
  return failure;
}

/** Unique violation. If another transaction inserted the row meanwhile, a retry of the job finds it. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/** Whether `query_timeout` ran out (pg's message), directly or as the cause. */
export function isQueryTimeout(error: unknown): boolean {
  const { message, cause } = error as Partial<Error>;
  return message === 'Query read timeout' || (cause !== undefined && isQueryTimeout(cause));
}

/** Whether the error comes from the server (SQLSTATE) rather than the system or pg. */
export function isServerError(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code);
}

/** Whether it is one of the store's errors or retryable, not an error of the statement. */
export function isStoreError(error: Error): boolean {
  return (
    error instanceof RetryableError ||
    error instanceof StoreBusyError ||
    error instanceof StoreUnavailableError
  );
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
}

// Detection of servers that are not PostgreSQL: pg would wait without end after a web server's answer.

/** First message types: AuthenticationRequest, ErrorResponse, NoticeResponse, NegotiateProtocolVersion. */
const firstMessageTypes = new Set(['R', 'E', 'N', 'v']);
/** Answers to SSLRequest: a single byte. */
const tlsReplies = new Set(['S', 'N', 'E']);
/** Largest first message; in protocol 3 its length is in the four bytes after the type. */
const messageBytesMax = 30_000;

/** Whether these first bytes may come from PostgreSQL (protocol 3.0 and 3.2, "Message Formats"). */
function mayBePostgres(bytes: Buffer): boolean {
  const kind = bytes.toString('latin1', 0, 1);
  if (bytes.length === 1) return tlsReplies.has(kind) || firstMessageTypes.has(kind);
  if (!firstMessageTypes.has(kind)) return false;
  if (bytes.length < 5) return true;
  const length = bytes.readInt32BE(1);
  return length >= 4 && length <= messageBytesMax;
}

/** `cause`, or an error that quotes the greeting of a server that is not PostgreSQL. */
export function toProtocolError(firstBytes: Buffer | null, cause: unknown): unknown {
  return firstBytes === null || mayBePostgres(firstBytes) ? cause : new NotPostgresError(firstBytes, cause);
}

class NotPostgresError extends Error {
  constructor(firstBytes: Buffer, cause: unknown) {
    super(`invalid response: it says ${JSON.stringify(firstBytes.toString('latin1', 0, 40))}`, { cause });
  }
}
