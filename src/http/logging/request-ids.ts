import type { IncomingMessage } from 'node:http';

interface RequestNames {
  readonly requestId?: string;
  readonly traceparent?: string;
}

export function readRequestIds({ headers }: IncomingMessage): RequestNames {
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

/** Version ff and all-zero ids are invalid. */
function isTraceparent(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text)
  );
}
