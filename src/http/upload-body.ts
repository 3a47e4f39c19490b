// The body of an upload as a stream: bounded as sent, inflated as its Content-Encoding says, bounded again.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { payloadTooLarge } from '../core/errors.ts';
import { ClientAborted, encodingOf, inflaterFor, invalidEncoding } from './inflate.ts';

/**
 * The plain bytes of a request. Throws 400 at once where Content-Length is over `bytesMax` or the encoding unknown; the
 * stream fails with 400 past `bytesMax` (sent or plain), with ClientAborted when the client goes away.
 */
export function uploadBody(incoming: IncomingMessage, bytesMax: number): Readable {
  const encoding = encodingOf(incoming.headers['content-encoding']);
  if (Number(incoming.headers['content-length'] ?? 0) > bytesMax) throw payloadTooLarge(bytesMax);
  const body = Readable.from(plainBytes(incoming, encoding, bytesMax), { objectMode: false });
  // It may fail before anyone reads it, or after: who reads it is told, and nobody else has to be.
  body.on('error', () => {});
  return body;
}

async function* plainBytes(
  incoming: IncomingMessage,
  encoding: ReturnType<typeof encodingOf>,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  const sent = counted(received(incoming), bytesMax);
  if (encoding === 'identity') return yield* sent;
  const first = await sent.next();
  if (first.done === true) throw invalidEncoding(encoding);
  const inflater = inflaterFor(encoding, first.value);
  // Its failure is the inflater's, which is told below.
  pipeline(startingWith(first.value, sent), inflater).catch(() => {});
  try {
    yield* counted(inflater, bytesMax);
  } catch (error) {
    throw isZlibError(error) ? invalidEncoding(encoding) : error;
  } finally {
    inflater.destroy();
  }
}

/** What is not wanted any more is read and let go: a request that is destroyed blocks its connection for the next. */
async function* received(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw new ClientAborted('the client closed the connection before its body was whole');
  } finally {
    incoming.on('error', () => {});
    incoming.resume();
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax) throw payloadTooLarge(bytesMax);
    yield chunk;
  }
}

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function isZlibError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('ZSTD');
}
