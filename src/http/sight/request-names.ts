// What a request is called by those who sent it or handed it on: for the log alone, and only where it has the
// form that it must have.
import type { IncomingMessage } from 'node:http';

/** Fields of a line of the log; each is left out where the request has none. */
interface RequestNames {
  readonly requestId?: string;
  /** https://www.w3.org/TR/trace-context/, version, trace, parent and flags. */
  readonly traceparent?: string;
}

/** The names in a request's headers `X-Request-Id` and `traceparent`. */
export function requestNames({ headers }: IncomingMessage): RequestNames {
  const requestId = headers['x-request-id'];
  const { traceparent } = headers;
  return {
    ...(isRequestId(requestId) ? { requestId } : {}),
    ...(isTraceparent(traceparent) ? { traceparent } : {}),
  };
}

function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(text);
}

/** Version ff is none, and of zeros alone neither trace nor parent is one. */
function isTraceparent(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text)
  );
}
