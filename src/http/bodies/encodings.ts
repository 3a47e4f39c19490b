import { createBadRequestError } from '../../core/errors.ts';

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
export function checkBrotliWindow(bytes: Buffer): void {
  if (brotliWindowBits(bytes[0] ?? 0) <= brotliWindowBitsMax) return;
  throw createBadRequestError(
    'notifier_invalid_encoding',
    `The br window is over ${brotliWindowBitsMax} bits.`,
  );
}

export function invalidEncoding(encoding: Encoding): Error {
  return createBadRequestError('notifier_invalid_encoding', `The body is not valid ${encoding} data.`);
}
