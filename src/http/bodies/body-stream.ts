// A request's body as a stream, for what goes to disk: bounded as sent, inflated as its Content-Encoding
// says, bounded again and in how far it grows (D-17).
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { payloadTooLarge } from '../../core/errors.ts';
import { lifeOf } from './body-life.ts';
import { hearBody } from './hear-body.ts';
import { type Encoding, encodingOf, inflaterFor, invalidEncoding, isBomb, plainBytesMax } from './inflate.ts';

/**
 * The plain bytes of a request. Throws 400 at once where Content-Length is over `bytesMax` or the encoding
 * unknown. The stream fails with 400 past `bytesMax` (sent or plain) or a hundredfold growth and for bytes
 * that are not of the encoding, with `ClientAborted` when the client goes away, and with the reason for which
 * the body breaks. Destroy it when done: the rest is let go by.
 */
export function bodyStream(incoming: IncomingMessage, bytesMax: number): Readable {
  const encoding = encodingOf(incoming.headers['content-encoding']);
  const sent = sentStream(incoming, bytesMax);
  const plain =
    encoding === 'identity'
      ? sent
      : // Two pieces that wait would be put together, and held twice.
        Readable.from(inflated(sent, encoding, bytesMax), { objectMode: false, highWaterMark: 1 });
  // It may fail before anyone reads it, or after: who reads it is told, and nobody else has to be.
  plain.on('error', () => {});
  return plain;
}

function sentStream(incoming: IncomingMessage, bytesMax: number): Readable {
  lifeOf(incoming).streamed();
  const stream = new Readable({
    read: () => hearing.resume(),
    destroy(error, done) {
      hearing.stop();
      done(error);
    },
  });
  const hearing = hearBody(incoming, bytesMax, {
    piece(bytes) {
      if (!stream.push(bytes)) hearing.pause();
    },
    ended: () => void stream.push(null),
    failed: (reason) => void stream.destroy(reason),
  });
  return stream;
}

/** The decoder is chosen by the first bytes, so it is made when they come. */
async function* inflated(
  sent: Readable,
  encoding: Exclude<Encoding, 'identity'>,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  const pieces = sent[Symbol.asyncIterator]() as AsyncGenerator<Buffer>;
  try {
    const first = await pieces.next();
    if (first.done === true) throw invalidEncoding(encoding);
    const inflater = inflaterFor(encoding, first.value);
    let sentBytes = 0;
    const counted = async function* (): AsyncGenerator<Buffer> {
      for (let next: IteratorResult<Buffer> = first; next.done !== true; next = await pieces.next()) {
        sentBytes += next.value.length;
        yield next.value;
      }
    };
    // What fails in here fails the inflater too, whose pieces are asked for below.
    pipeline(counted, inflater).catch(() => {});
    let plainBytes = 0;
    for await (const piece of inflater as AsyncIterable<Buffer>) {
      plainBytes += piece.length;
      if (plainBytes > plainBytesMax(sentBytes, bytesMax) || isBomb(plainBytes, inflater.bytesWritten)) {
        throw payloadTooLarge(bytesMax);
      }
      yield piece;
    }
  } catch (error) {
    throw isDecoderFault(error) ? invalidEncoding(encoding) : error;
  } finally {
    sent.destroy();
  }
}

function isDecoderFault(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('ZSTD');
}
