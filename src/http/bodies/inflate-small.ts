// Small encoded bytes made plain at once: an event of a browser takes 40 µs. A decoder beside the thread
// costs ten times that, and has the events of a burst come back one by one, each to be committed by itself
// (DECISIONS.md D-227).
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { type Compressed, checkBrotliWindow, isZlib, zstdWindowLogMax } from './encodings.ts';

/** Encoded bytes that are inflated at once; more of them wait for a decoder. */
export const smallSentBytesMax = 16 * 1024;
/** What they may become: less to inflate than it is to parse. */
const smallPlainBytesMax = 128 * 1024;

/**
 * Plain bytes of at most `smallSentBytesMax` encoded ones. Null where they would be more than `bytesMax`, or
 * more than is inflated at once, and where they are not of that encoding: a decoder then says what is wrong.
 */
export function inflateSmall(bytes: Buffer, encoding: Compressed, bytesMax: number): Buffer | null {
  const sizes = { chunkSize: 16 * 1024, maxOutputLength: Math.min(bytesMax, smallPlainBytesMax) };
  try {
    return decoded(bytes, encoding, sizes);
  } catch {
    return null;
  }
}

function decoded(bytes: Buffer, encoding: Compressed, sizes: { readonly maxOutputLength: number }): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes, sizes);
  if (encoding === 'deflate') return isZlib(bytes) ? inflateSync(bytes, sizes) : inflateRawSync(bytes, sizes);
  if (encoding === 'zstd') {
    const params = { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax };
    return zstdDecompressSync(bytes, { ...sizes, params });
  }
  checkBrotliWindow(bytes);
  return brotliDecompressSync(bytes, sizes);
}
