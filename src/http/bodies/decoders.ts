// zlib decoders with bounded windows: asynchronous ones, and synchronous ones for small bodies, where a zlib
// thread costs about twice as much for a browser's event and spreads the events of a burst over many commits.
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompressSync,
} from 'node:zlib';
import { createBadRequestError } from '../../core/errors.ts';

/** Larger bodies are decompressed asynchronously. */
export const smallSentBytesMax = 16 * 1024;
/** For larger results the cost of an asynchronous decoder does not matter. */
const smallPlainBytesMax = 128 * 1024;
/** Enough to see the beginning of an envelope. */
const firstSentBytes = 1_024;
const firstPlainBytesMax = 32 * 1024;
/** RFC 9659: the largest zstd window for HTTP. */
const zstdWindow = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

export type Inflater = Transform & { readonly bytesWritten: number };

interface Decoder {
  readonly createStream: (sizes: { chunkSize: number; readableHighWaterMark: number }) => Inflater;
  /** Null where a bomb of a few bytes would block the thread. */
  readonly decodeSync: ((bytes: Buffer, sizes: ZlibOptions & ZstdOptions) => Buffer) | null;
}

const gzip: Decoder = { createStream: createGunzip, decodeSync: gunzipSync };
const zlib: Decoder = { createStream: createInflate, decodeSync: inflateSync };
const rawDeflate: Decoder = { createStream: createInflateRaw, decodeSync: inflateRawSync };
const zstd: Decoder = {
  createStream: (sizes) => createZstdDecompress({ ...sizes, ...zstdWindow }),
  decodeSync: (bytes, sizes) => zstdDecompressSync(bytes, { ...sizes, ...zstdWindow }),
};
// Brotli fills 4 MiB of its window before it outputs a byte: 27 bytes take 8 ms.
const brotli: Decoder = { createStream: createBrotliDecompress, decodeSync: null };

function decoderOf(encoding: Compressed, bytes: Buffer): Decoder {
  if (encoding === 'deflate') return isZlib(bytes) ? zlib : rawDeflate;
  if (encoding === 'br') checkBrotliWindow(bytes);
  return { gzip, zstd, br: brotli }[encoding];
}

/** An asynchronous decoder, chosen by the first bytes. Throws 400 if the window is too large. */
export function createInflater(encoding: Compressed, bytes: Buffer): Inflater {
  // Smaller chunks would come from Node's buffer pool or be concatenated; neither can be freed early.
  const chunkSize = Math.max(16 * 1024, Buffer.poolSize >>> 1);
  return decoderOf(encoding, bytes).createStream({ chunkSize, readableHighWaterMark: chunkSize });
}

/** Null for too large a result, invalid data and Brotli; the asynchronous decoder then gives the answer. */
export function inflateSmallSync(bytes: Buffer, encoding: Compressed, bytesMax: number): Buffer | null {
  const maxOutputLength = Math.min(bytesMax, smallPlainBytesMax);
  return decodeSync(bytes, encoding, { chunkSize: 16 * 1024, maxOutputLength });
}

function decodeSync(bytes: Buffer, encoding: Compressed, options: ZlibOptions & ZstdOptions): Buffer | null {
  try {
    return decoderOf(encoding, bytes).decodeSync?.(bytes, options) ?? null;
  } catch {
    return null;
  }
}

/** What the first 1,024 bytes decode to. Empty if that is nothing or too much, and for zstd and Brotli. */
export function inflateStartSync(bytes: Buffer, encoding: Compressed): Buffer {
  if (encoding !== 'gzip' && encoding !== 'deflate') return Buffer.alloc(0);
  const options = {
    chunkSize: 4 * 1024,
    maxOutputLength: firstPlainBytesMax,
    finishFlush: constants.Z_SYNC_FLUSH,
  };
  return decodeSync(bytes.subarray(0, firstSentBytes), encoding, options) ?? Buffer.alloc(0);
}

const brotliWindowBitsMax = 22;

export type Encoding = 'identity' | 'gzip' | 'deflate' | 'br' | 'zstd';
export type Compressed = Exclude<Encoding, 'identity'>;

/** Throws 400 for unsupported or multiple encodings. */
export function parseContentEncoding(header: string | undefined): Encoding {
  const name = (header ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return 'identity';
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  if (name === 'deflate' || name === 'br' || name === 'zstd') return name;
  throw createBadRequestError('notifier_invalid_encoding', 'The content encoding is not supported.', {
    supported: ['identity', 'gzip', 'deflate', 'br', 'zstd'],
  });
}

/** Tells zlib (HTTP's "deflate") from raw deflate by its header (RFC 1950, section 2.2). */
export function isZlib(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0;
}

/** RFC 7932, section 9.1. */
export function brotliWindowBits(first: number): number {
  if ((first & 1) === 0) return 16;
  const high = (first >> 1) & 7;
  if (high !== 0) return 17 + high;
  const low = (first >> 4) & 7;
  if (low === 0) return 17;
  return low === 1 ? 30 : 8 + low;
}

/** Throws 400 for a window over 22 bits. */
function checkBrotliWindow(bytes: Buffer): void {
  if (brotliWindowBits(bytes[0] ?? 0) <= brotliWindowBitsMax) return;
  throw createBadRequestError(
    'notifier_invalid_encoding',
    `The br window is over ${brotliWindowBitsMax} bits.`,
  );
}

export function invalidEncoding(encoding: Encoding): Error {
  return createBadRequestError('notifier_invalid_encoding', `The body is not valid ${encoding} data.`);
}
