// The decoders of zlib for each encoding, with bounded windows: beside the thread, piece by piece, and at
// once, for small bodies. A decoder beside the thread costs about twice as much for an event of a browser,
// and has the events of a burst come back one by one, each to be committed by itself (DECISIONS.md D-227).
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
  zstdDecompressSync,
} from 'node:zlib';
import { type Compressed, checkBrotliWindow, isZlib } from './encodings.ts';

/** Encoded bytes that are inflated at once; more of them wait for a decoder. */
export const smallSentBytesMax = 16 * 1024;
/** What they may become: of more, a decoder beside the thread costs next to nothing. */
const smallPlainBytesMax = 128 * 1024;
/** Of a body that waits, enough to see how an envelope begins; and what that may become. */
const firstSentBytes = 1_024;
const firstPlainBytesMax = 32 * 1024;
/** RFC 9659: what HTTP may ask of a zstd decoder. */
const zstdWindow = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** A decoder beside the thread, and how many encoded bytes it has read. */
export type Inflater = Transform & { readonly bytesWritten: number };

interface Sizes {
  /** How large the pieces are that are given out. */
  readonly chunkSize: number;
}

interface Decoder {
  readonly beside: (sizes: Sizes & { readonly readableHighWaterMark: number }) => Inflater;
  /** Null where a bomb of a few bytes takes long before it can be broken off. */
  readonly atOnce: ((bytes: Buffer, sizes: AtOnceSizes) => Buffer) | null;
}

interface AtOnceSizes extends Sizes {
  readonly maxOutputLength: number;
  /** `Z_SYNC_FLUSH` takes bytes that are not whole, where the encoding is zlib's. */
  readonly finishFlush?: number;
}

const gzip: Decoder = { beside: createGunzip, atOnce: gunzipSync };
const zlib: Decoder = { beside: createInflate, atOnce: inflateSync };
const rawDeflate: Decoder = { beside: createInflateRaw, atOnce: inflateRawSync };
const zstd: Decoder = {
  beside: (sizes) => createZstdDecompress({ ...sizes, ...zstdWindow }),
  atOnce: (bytes, sizes) => zstdDecompressSync(bytes, { ...sizes, ...zstdWindow }),
};
// It fills its window, 4 MiB of it, before it gives out a byte: 27 bytes take 8 ms of the thread.
const brotli: Decoder = { beside: createBrotliDecompress, atOnce: null };

/** The decoder for that encoding and the form of it that the first bytes show; 400 for too large a window. */
function decoderOf(encoding: Compressed, bytes: Buffer): Decoder {
  if (encoding === 'deflate') return isZlib(bytes) ? zlib : rawDeflate;
  if (encoding === 'br') checkBrotliWindow(bytes);
  return { gzip, zstd, br: brotli }[encoding];
}

/**
 * A decoder for that encoding with a bounded window, chosen by the first bytes; for those who inflate piece
 * by piece and count for themselves. Throws 400 for a window that is larger than we give.
 */
export function inflaterFor(encoding: Compressed, bytes: Buffer): Inflater {
  // Smaller pieces would lie in Node's pool of small buffers, and two that wait would be put together:
  // neither can be let go by itself.
  const chunkSize = Math.max(16 * 1024, Buffer.poolSize >>> 1);
  return decoderOf(encoding, bytes).beside({ chunkSize, readableHighWaterMark: chunkSize });
}

/**
 * Plain bytes of at most `smallSentBytesMax` encoded ones. Null where they would be more than `bytesMax`, or
 * more than is inflated at once, where they are not of that encoding, and for Brotli: a decoder beside the
 * thread then says what they are, or what is wrong.
 */
export function inflateSmall(bytes: Buffer, encoding: Compressed, bytesMax: number): Buffer | null {
  const sizes = { chunkSize: 16 * 1024, maxOutputLength: Math.min(bytesMax, smallPlainBytesMax) };
  try {
    return decoderOf(encoding, bytes).atOnce?.(bytes, sizes) ?? null;
  } catch {
    return null;
  }
}

/**
 * What the first 1,024 of these encoded bytes hold, of which more may come. Empty where they hold nothing, or
 * a great deal, and for zstd and Brotli: a decoder beside the thread then tells.
 */
export function inflateFirst(bytes: Buffer, encoding: Compressed): Buffer {
  if (encoding !== 'gzip' && encoding !== 'deflate') return Buffer.alloc(0);
  const sizes = {
    chunkSize: 4 * 1024,
    maxOutputLength: firstPlainBytesMax,
    finishFlush: constants.Z_SYNC_FLUSH,
  };
  try {
    return decoderOf(encoding, bytes).atOnce?.(bytes.subarray(0, firstSentBytes), sizes) ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}
