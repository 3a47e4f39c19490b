// Bodies as bytes: read within limits, and inflated within limits (decisions D-17, D-18; reliability.md 1.1 and 1.5).
// No JSON, no routes; whoever is refused is told so before the rest of the body is read.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { badRequest, payloadTooLarge, rateLimited } from '../core/errors.ts';
import { type BodyPlace, takePlace } from './body-room.ts';
import { takeHeldBytes } from './held-bytes.ts';

export interface BodyLimits {
  /** Bytes on the wire. */
  readonly sentBytesMax: number;
  /** Bytes once inflated; also the limit of a body that is not compressed. */
  readonly inflatedBytesMax: number;
}

/** Bodies inflated at once, and how many may wait for their turn. */
const inflatingMax = 4;
const waitingMax = 512;
/** A body may grow a hundredfold; the first MiB is not held against it. */
const ratioMax = 100;
const ratioFreeBytes = 1024 * 1024;
/** RFC 9659: what HTTP may ask of a zstd decoder. */
const zstdWindowLogMax = 23;
const brotliWindowBitsMax = 22;

/** The client went away before its body was whole: nobody is there to answer. */
export class ClientAborted extends Error {}

/**
 * The body of a request, read whole and inflated. Throws 400 `rest_payload_too_large` (at once where Content-Length says so; the
 * caller answers with `Connection: close`), 400 `notifier_invalid_encoding`, 429 when too many wait or all bodies together hold too
 * much, `ClientAborted`.
 */
export async function readRequestBody(incoming: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const encoding = encodingOf(incoming.headers['content-encoding']);
  const sentBytesMax = sentLimit(encoding, limits);
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > sentBytesMax) throw payloadTooLarge(sentBytesMax);
  const place = takePlace();
  try {
    return await inflateBody(await collect(incoming, sentBytesMax, place), encoding, limits);
  } finally {
    place.leave();
  }
}

export type Encoding = 'identity' | 'gzip' | 'deflate' | 'br' | 'zstd';

function sentLimit(encoding: Encoding, limits: BodyLimits): number {
  return encoding === 'identity'
    ? Math.min(limits.sentBytesMax, limits.inflatedBytesMax)
    : limits.sentBytesMax;
}

/** The encoding that Content-Encoding names, without regard to case; 400 for one we do not have, or for several. */
export function encodingOf(header: string | undefined): Encoding {
  const name = (header ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return 'identity';
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  if (name === 'deflate' || name === 'br' || name === 'zstd') return name;
  throw badRequest('notifier_invalid_encoding', 'The content encoding is not supported.', {
    supported: ['identity', 'gzip', 'deflate', 'br', 'zstd'],
  });
}

/**
 * The bytes of a body as they were sent, held in `place` until its owner leaves it. Throws 400 `rest_payload_too_large` past
 * `bytesMax`, 429 when there is no room, `ClientAborted`.
 */
export function collect(incoming: IncomingMessage, bytesMax: number, place: BodyPlace): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let stopped = false;
    const stop = (error: Error) => {
      stopped = true;
      incoming.off('data', onData).off('end', onEnd).off('error', onAbort).off('close', onAbort);
      // What else arrives is nobody's; an error event without a listener would end the process.
      incoming.on('error', () => {});
      incoming.pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      if (stopped) return;
      length += chunk.length;
      if (length > bytesMax) return stop(payloadTooLarge(bytesMax));
      try {
        place.hold(chunk.length);
      } catch (refusal) {
        return stop(refusal as Error);
      }
      chunks.push(chunk);
    };
    const onEnd = () => {
      incoming.off('close', onAbort);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length));
    };
    const onAbort = () =>
      stop(new ClientAborted('the client closed the connection before its body was whole'));
    const held = takeHeldBytes(incoming);
    for (const chunk of held?.chunks ?? []) onData(chunk);
    if (stopped) return;
    if (held?.ended === true) return onEnd();
    if (incoming.destroyed && !incoming.readableEnded) return onAbort();
    incoming.on('data', onData).once('end', onEnd).once('error', onAbort).once('close', onAbort);
    if (held !== null) incoming.resume();
  });
}

/**
 * Bytes inflated by their encoding, counted while they come. Throws 400 `rest_payload_too_large` past `inflatedBytesMax` or past a
 * hundredfold growth, 400 `notifier_invalid_encoding` for bytes that are not of that encoding. At most 4 run at once.
 */
export async function inflateBody(bytes: Buffer, encoding: Encoding, limits: BodyLimits): Promise<Buffer> {
  if (encoding === 'identity') {
    if (bytes.length > limits.inflatedBytesMax) throw payloadTooLarge(limits.inflatedBytesMax);
    return bytes;
  }
  if (bytes.length === 0) throw invalidEncoding(encoding);
  const ratioBytesMax = Math.max(ratioFreeBytes, bytes.length * ratioMax);
  await turn();
  try {
    return await run(
      inflaterFor(encoding, bytes),
      bytes,
      encoding,
      Math.min(limits.inflatedBytesMax, ratioBytesMax),
      limits,
    );
  } finally {
    release();
  }
}

/**
 * The first bytes of an encoded body of which only the beginning is here: at most `bytesMax`, fewer where these bytes hold no
 * more. Rejects as `inflateBody` does when nothing can be read; at most 4 bodies are inflated at once, these among them.
 */
export async function inflateStart(
  bytes: Buffer,
  encoding: Exclude<Encoding, 'identity'>,
  bytesMax: number,
): Promise<Buffer> {
  await turn();
  try {
    return await runStart(inflaterFor(encoding, bytes), bytes, bytesMax);
  } finally {
    release();
  }
}

/** A decoder for that encoding with a bounded window; for those who inflate piece by piece and count for themselves. */
export function inflaterFor(encoding: Exclude<Encoding, 'identity'>, bytes: Buffer): Transform {
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'deflate') return isZlib(bytes) ? createInflate() : createInflateRaw();
  if (encoding === 'zstd')
    return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax } });
  if (brotliWindowBits(bytes[0] ?? 0) > brotliWindowBitsMax) {
    throw badRequest('notifier_invalid_encoding', `The br window is over ${brotliWindowBitsMax} bits.`);
  }
  return createBrotliDecompress();
}

/** The zlib form that RFC 9110 calls deflate, told from raw deflate by its two header bytes (RFC 1950 section 2.2). */
function isZlib(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0;
}

/** The window size in bits that a Brotli stream's first byte declares (RFC 7932 section 9.1). */
export function brotliWindowBits(first: number): number {
  if ((first & 1) === 0) return 16;
  const high = (first >> 1) & 7;
  if (high !== 0) return 17 + high;
  const low = (first >> 4) & 7;
  if (low === 0) return 17;
  // 1 is the mark of the "large window" extension.
  return low === 1 ? 30 : 8 + low;
}

function run(
  inflater: Transform,
  bytes: Buffer,
  encoding: Encoding,
  bytesMax: number,
  limits: BodyLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    inflater.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytesMax) chunks.push(chunk);
      else {
        chunks.length = 0;
        inflater.destroy();
        reject(payloadTooLarge(limits.inflatedBytesMax));
      }
    });
    inflater.once('end', () => resolve(Buffer.concat(chunks, length)));
    inflater.on('error', () => reject(invalidEncoding(encoding)));
    inflater.end(bytes);
  });
}

/** Writes without ending: what is whole comes out, and an end that is missing is no fault. */
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
    // What a write gave out is handed over before the next turn of the loop.
    inflater.write(bytes, () => setImmediate(finish));
  });
}

/** 400 for bytes that are not of the encoding they are said to be. */
export function invalidEncoding(encoding: Encoding): Error {
  return badRequest('notifier_invalid_encoding', `The body is not valid ${encoding} data.`);
}

// Turns: a slot is handed from one body to the next, so that no more than four decoders ever hold a window.
let running = 0;
const waiting: Array<() => void> = [];

async function turn(): Promise<void> {
  if (running < inflatingMax) {
    running += 1;
    return;
  }
  if (waiting.length >= waitingMax) throw rateLimited(1, { category: 'error', reason: 'overload' });
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function release(): void {
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
}
