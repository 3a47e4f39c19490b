// What a server says first, and whether PostgreSQL would say that: a web server on its port closes the
// connection without a word that the driver knows, and would be waited for.

/** `AuthenticationRequest`, `ErrorResponse`, `NoticeResponse`, `NegotiateProtocolVersion`. */
const firstKinds = new Set(['R', 'E', 'N', 'v']);
/** Answers to the question for TLS: one byte, and nothing behind it. */
const answersToTls = new Set(['S', 'N', 'E']);
/**
 * Of any of those messages; protocol 3 has its length, without its kind, in the four bytes behind the kind.
 */
const messageBytesMax = 30_000;

/** Whether these first bytes of a server may be PostgreSQL's (protocol 3.0 and 3.2, "Message Formats"). */
export function mayBePostgres(bytes: Buffer): boolean {
  const kind = bytes.toString('latin1', 0, 1);
  if (bytes.length === 1) return answersToTls.has(kind) || firstKinds.has(kind);
  if (!firstKinds.has(kind)) return false;
  if (bytes.length < 5) return true;
  const length = bytes.readInt32BE(1);
  return length >= 4 && length <= messageBytesMax;
}

/** Thrown where something else answers; says with what. */
export class NoPostgres extends Error {
  constructor(greeting: Buffer, cause: unknown) {
    super(`invalid response: it says ${JSON.stringify(greeting.toString('latin1', 0, 40))}`, { cause });
  }
}
