import { availableParallelism } from 'node:os';
import type { Transform } from 'node:stream';
import { type AbortNotice, createConcurrencyLimit } from '../../core/concurrency-limit.ts';
import { addJitter, createPayloadTooLargeError, createRateLimitError } from '../../core/errors.ts';
import {
  type Compressed,
  createInflater,
  type Encoding,
  type Inflater,
  inflateSmallSync,
  invalidEncoding,
  smallSentBytesMax,
} from './decoders.ts';
import { freeBuffer } from './free-buffer.ts';

/** At most this many decoders hold a window. */
const concurrencyLimit = createConcurrencyLimit({
  atOnceMax: Math.min(4, availableParallelism()),
  waitingMax: 512,
  refusal: () => createRateLimitError(addJitter(1), { categories: ['error'], reason: 'overload' }),
});
/** A body may grow a hundredfold; the first MiB does not count. */
const ratioMax = 100;
const ratioFreeBytes = 1024 * 1024;
/** From here on growth is also checked before the end, so that a bomb stops early. */
const ratioSoFarBytes = 4 * 1024 * 1024;

export interface InflateOptions {
  readonly leaving?: AbortNotice;
  /** Called with the size of each decompressed piece; a thrown error refuses the body. */
  readonly reserve?: (bytes: number) => void;
  /** Called with each sent piece that no decoder needs any more. */
  readonly used?: (piece: Buffer) => void;
}

/** Throws 400 `rest_payload_too_large` past the limit or a hundredfold growth, 400 `notifier_invalid_encoding`, 429
 * when too many wait, and the reason of `leaving`. */
export async function inflateBody(
  pieces: readonly Buffer[],
  encoding: Compressed,
  inflatedBytesMax: number,
  { leaving, reserve = () => {}, used = () => {} }: InflateOptions = {},
): Promise<Buffer> {
  const sentBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (sentBytes === 0) throw invalidEncoding(encoding);
  const bytesMax = plainBytesMax(sentBytes, inflatedBytesMax);
  if (sentBytes <= smallSentBytesMax) {
    const plain = inflateSmallSync(
      pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces),
      encoding,
      bytesMax,
    );
    if (plain !== null) {
      for (const piece of pieces) used(piece);
      reserve(plain.length);
      return plain;
    }
  }
  return concurrencyLimit.run(() => {
    const inflater = createInflater(encoding, startOf(pieces));
    return run(inflater, pieces, encoding, { bytesMax, inflatedBytesMax, reserve, used });
  }, leaving);
}

function startOf(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  return first !== undefined && first.length > 1 ? first : Buffer.concat(pieces.slice(0, 4));
}

/** Decompresses the beginning of an incomplete body. Rejects as `inflateBody` does. */
export function inflateStart(
  bytes: Buffer,
  encoding: Compressed,
  bytesMax: number,
  leaving?: AbortNotice,
): Promise<Buffer> {
  return concurrencyLimit.run(
    async () => runStart(createInflater(encoding, bytes), bytes, bytesMax),
    leaving,
  );
}

/** Whether a beginning exceeds a hundredfold growth; false for invalid data. Afterwards no decoder reads the pieces.
 * Throws 429 when too many wait, and the reason of `leaving`. */
export function startsAsBomb(
  pieces: readonly Buffer[],
  encoding: Compressed,
  leaving?: AbortNotice,
  inflated: (bytes: number) => void = () => {},
): Promise<boolean> {
  return concurrencyLimit.run(async () => {
    const inflater = createInflater(encoding, startOf(pieces));
    let plainBytes = 0;
    let isOver = false;
    // After an error or an early end the decoder does not confirm the remaining pieces.
    const ended = new Promise<void>((resolve) => {
      inflater.once('end', resolve).on('error', () => resolve());
    });
    inflater.on('data', (chunk: Buffer) => {
      plainBytes += chunk.length;
      freeBuffer(chunk);
      isOver ||= isBomb(plainBytes, inflater.bytesWritten);
      if (isOver) inflater.destroy();
    });
    await Promise.race([writePieces(inflater, pieces, () => {}), ended]);
    inflater.destroy();
    if (isOver) inflated(plainBytes);
    return isOver;
  }, leaving);
}

export function plainBytesMax(sentBytes: number, bytesMax: number): number {
  return Math.min(bytesMax, Math.max(ratioFreeBytes, sentBytes * ratioMax));
}

/** Looser than the final limit, because a beginning may be denser than the whole. */
export function isBomb(plainBytes: number, readBytes: number): boolean {
  return plainBytes > ratioSoFarBytes && plainBytes > readBytes * ratioMax;
}

function run(
  inflater: Inflater,
  pieces: readonly Buffer[],
  encoding: Encoding,
  { bytesMax, inflatedBytesMax, reserve, used }: RunLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = (reason: Error): void => {
      for (const chunk of chunks.splice(0)) freeBuffer(chunk);
      inflater.destroy();
      reject(reason);
    };
    inflater.on('data', (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > bytesMax || isBomb(length, inflater.bytesWritten)) {
        return refuse(createPayloadTooLargeError(inflatedBytesMax));
      }
      try {
        reserve(chunk.length);
      } catch (refusal) {
        refuse(refusal as Error);
      }
    });
    inflater.once('end', () => {
      const plain = Buffer.concat(chunks, length);
      for (const chunk of chunks) freeBuffer(chunk);
      resolve(plain);
    });
    inflater.on('error', () => refuse(invalidEncoding(encoding)));
    void writePieces(inflater, pieces, used);
  });
}

/** Writes pieces one at a time, then ends the decoder. Never rejects: errors go to the decoder. */
export async function writePieces(
  inflater: Transform,
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  used: (piece: Buffer) => void,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (!inflater.destroyed) await readBy(inflater, piece);
      used(piece);
    }
    inflater.end();
  } catch (error) {
    inflater.destroy(error as Error);
  }
}

/** Never resolves after an error, when the decoder may still be reading the piece. */
function readBy(inflater: Transform, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    inflater.write(piece, (error) => {
      if (error === null || error === undefined) resolve();
    });
  });
}

interface RunLimits {
  readonly bytesMax: number;
  readonly inflatedBytesMax: number;
  readonly reserve: (bytes: number) => void;
  readonly used: (piece: Buffer) => void;
}

/** Without `end()`, so that a missing end is no error. */
function runStart(inflater: Transform, bytes: Buffer, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (): void => {
      inflater.destroy();
      resolve(Buffer.concat(chunks, length).subarray(0, bytesMax));
    };
    inflater.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= bytesMax) finish();
    });
    inflater.once('end', finish);
    inflater.on('error', finish);
    // Output of the write is emitted before setImmediate.
    inflater.write(bytes, () => setImmediate(finish));
  });
}
