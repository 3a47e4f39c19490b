import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createPayloadTooLargeError } from '../../core/errors.ts';
import { getBodyState } from './body-state.ts';
import { type Compressed, createInflater, invalidEncoding, parseContentEncoding } from './decoders.ts';
import { freeBuffer } from './free-buffer.ts';
import { isBomb, plainBytesMax, startsAsBomb, writePieces } from './inflate.ts';
import { readChunks } from './read-chunks.ts';

/** Throws 400 at once by Content-Length or for an unknown encoding. Fails with 400 past `bytesMax`, for a bomb or
 * invalid data, with `ClientAborted`, and with the reason of a broken body. Destroy it when done. */
export function bodyStream(
  incoming: IncomingMessage,
  bytesMax: number,
  { isKept = true }: { readonly isKept?: boolean } = {},
): Readable {
  const encoding = parseContentEncoding(incoming.headers['content-encoding']);
  const bodyState = getBodyState(incoming);
  bodyState.isStreamed = true;
  const admit = (bytes: number): void => {
    const full = isKept ? (bodyState.admit?.(bytes) ?? null) : null;
    if (full !== null) throw full;
  };
  const plain =
    encoding === 'identity'
      ? plainStream(incoming, bytesMax, admit)
      : inflatedStream(listenForPieces(incoming, bytesMax), encoding, bytesMax, admit);
  // It may fail while nobody reads it; readers still get the error.
  plain.on('error', () => {});
  return plain;
}

type Admit = (bytes: number) => void;

function plainStream(incoming: IncomingMessage, bytesMax: number, admit: Admit): Readable {
  const stream = new Readable({
    read: () => reader.resume(),
    destroy(error, done) {
      reader.stop();
      done(error);
    },
  });
  const reader = readChunks(incoming, bytesMax, {
    piece(bytes) {
      admit(bytes.length);
      if (!stream.push(bytes)) reader.pause();
    },
    ended: () => void stream.push(null),
    failed: (reason) => void stream.destroy(reason),
  });
  return stream;
}

function inflatedStream(sent: SentPieces, encoding: Compressed, bytesMax: number, admit: Admit): Readable {
  // With a larger mark, waiting pieces would be concatenated and held twice.
  const stream = Readable.from(inflated(sent, encoding, bytesMax, admit), {
    objectMode: false,
    highWaterMark: 1,
  });
  return stream.once('close', sent.stop);
}

async function* inflated(
  sent: SentPieces,
  encoding: Compressed,
  bytesMax: number,
  admit: Admit,
): AsyncGenerator<Buffer> {
  try {
    const first = await sent.next();
    if (first === null) throw invalidEncoding(encoding);
    // Most bombs end here, where few decoders run at once: each may hold megabytes.
    if (await startsAsBomb([first], encoding, sent.bodyState)) throw createPayloadTooLargeError(bytesMax);
    const inflater = createInflater(encoding, first);
    let sentBytes = 0;
    const counted = async function* (): AsyncGenerator<Buffer> {
      for (let next: Buffer | null = first; next !== null; next = await sent.next()) {
        sentBytes += next.length;
        yield next;
      }
    };
    // Errors surface in the loop below; later ones do not matter.
    inflater.on('error', () => {});
    void writePieces(inflater, counted(), freeBuffer);
    let plainBytes = 0;
    for await (const piece of inflater as AsyncIterable<Buffer>) {
      plainBytes += piece.length;
      if (plainBytes > plainBytesMax(sentBytes, bytesMax) || isBomb(plainBytes, inflater.bytesWritten)) {
        throw createPayloadTooLargeError(bytesMax);
      }
      admit(piece.length);
      yield piece;
    }
  } catch (error) {
    throw isDecoderFault(error) ? invalidEncoding(encoding) : error;
  } finally {
    sent.stop();
  }
}

type SentPieces = ReturnType<typeof listenForPieces>;

function listenForPieces(incoming: IncomingMessage, bytesMax: number) {
  const waiting: Buffer[] = [];
  let failure: Error | null = null;
  let isOver = false;
  let wake = (): void => {};
  const end = (reason: Error | null): void => {
    failure ??= reason;
    isOver = true;
    wake();
  };
  const reader = readChunks(incoming, bytesMax, {
    piece(bytes) {
      waiting.push(bytes);
      reader.pause();
      wake();
    },
    ended: () => end(null),
    failed: end,
  });
  return {
    bodyState: getBodyState(incoming),
    /** Null at the end or after `stop`. Rejects as `readChunks` fails. */
    async next() {
      while (waiting.length === 0 && !isOver) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        reader.resume();
        await woken;
      }
      if (failure !== null) throw failure;
      return waiting.shift() ?? null;
    },
    stop() {
      reader.stop();
      end(null);
      for (const piece of waiting.splice(0)) freeBuffer(piece);
    },
  };
}

function isDecoderFault(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('ZSTD');
}
