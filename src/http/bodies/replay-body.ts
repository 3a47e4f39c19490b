// A body that was read before its handler, as a stream again: for handlers that read the request themselves.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * The same request with these bytes, inflated as they are, still to be read. Headers, method and address are
 * the request's own; only the encoding is gone and the length is that of the bytes.
 */
export function replayBody(incoming: IncomingMessage, bytes: Buffer): IncomingMessage {
  const { 'content-encoding': _inflated, ...headers } = incoming.headers;
  const stream = Readable.from([bytes], { objectMode: false });
  return Object.assign(stream, {
    headers: { ...headers, 'content-length': String(bytes.length) },
    rawHeaders: incoming.rawHeaders,
    headersDistinct: incoming.headersDistinct,
    method: incoming.method,
    url: incoming.url,
    socket: incoming.socket,
    complete: true,
  }) as unknown as IncomingMessage;
}
