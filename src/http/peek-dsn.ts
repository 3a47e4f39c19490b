// The envelope's `dsn`, read before anyone is known: the first line of an uncredentialed body, at most 8 KiB (D-15).
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, constants, inflateRawSync, unzipSync, zstdDecompressSync } from 'node:zlib';

const lineBytesMax = 8_192;
const waitMs = 10_000;

/**
 * Key and project id of the envelope header's `dsn`, or null. The bytes looked at are put back: the body is read again,
 * whole, by whoever reads bodies.
 */
export async function peekDsn(incoming: IncomingMessage): Promise<{ key: string; project: string } | null> {
  const bytes = await firstBytes(incoming);
  const line = firstLine(bytes, String(incoming.headers['content-encoding'] ?? 'identity'));
  if (line === null) return null;
  try {
    const header: unknown = JSON.parse(line);
    const dsn = typeof header === 'object' && header !== null ? (header as { dsn?: unknown }).dsn : undefined;
    if (typeof dsn !== 'string') return null;
    const url = new URL(dsn);
    return { key: url.username, project: url.pathname.split('/').at(-1) ?? '' };
  } catch {
    return null;
  }
}

async function firstBytes(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const deadline = AbortSignal.timeout(waitMs);
  while (length < lineBytesMax && !hasLine(chunks)) {
    const chunk: Buffer | null = incoming.read();
    if (chunk !== null) {
      chunks.push(chunk);
      length += chunk.length;
    } else if (incoming.readableEnded || incoming.destroyed || !(await moreComes(incoming, deadline))) break;
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > 0) incoming.unshift(bytes);
  return bytes.subarray(0, lineBytesMax);
}

/** Only identity shows its line feed; of a compressed body one chunk is enough more often than not. */
function hasLine(chunks: readonly Buffer[]): boolean {
  return chunks.some((chunk) => chunk.includes(10));
}

function moreComes(incoming: IncomingMessage, deadline: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (more: boolean): void => {
      incoming.off('readable', readable);
      incoming.off('end', ended);
      incoming.off('close', ended);
      deadline.removeEventListener('abort', ended);
      resolve(more);
    };
    const readable = (): void => done(incoming.readableLength > 0);
    const ended = (): void => done(false);
    incoming.once('readable', readable);
    incoming.once('end', ended);
    incoming.once('close', ended);
    deadline.addEventListener('abort', ended, { once: true });
  });
}

/** The first line of at most 8 KiB inflated; a truncated compressed text gives what it gives. */
function firstLine(bytes: Buffer, encoding: string): string | null {
  const plain = inflateStart(bytes, encoding.trim().toLowerCase());
  if (plain === null) return null;
  const end = plain.indexOf(10);
  return plain.subarray(0, end === -1 ? lineBytesMax : Math.min(end, lineBytesMax)).toString('utf8');
}

function inflateStart(bytes: Buffer, encoding: string): Buffer | null {
  const options = { maxOutputLength: 1_048_576 };
  try {
    if (encoding === 'identity' || encoding === '') return bytes;
    const zlib = { ...options, finishFlush: constants.Z_SYNC_FLUSH };
    if (encoding === 'br') {
      return brotliDecompressSync(bytes, { ...options, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    }
    if (encoding === 'zstd') {
      return zstdDecompressSync(bytes, { ...options, finishFlush: constants.ZSTD_e_flush });
    }
    const isZlib = bytes.length >= 2 && bytes[0] === 0x78 && bytes.readUInt16BE(0) % 31 === 0;
    if (encoding === 'deflate' && !isZlib) return inflateRawSync(bytes, zlib);
    return unzipSync(bytes, zlib);
  } catch {
    return null;
  }
}
