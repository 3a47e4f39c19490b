import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** The request with decompressed bytes as its body, for handlers that read the request themselves. */
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
