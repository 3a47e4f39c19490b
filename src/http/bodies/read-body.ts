import type { IncomingMessage } from 'node:http';
import { createBatchQueue, type OffloadResult } from '../../core/batch-queue.ts';
import { ItemFilter } from '../../core/envelopes/item-filter.ts';
import { createOverloadError, createPayloadTooLargeError } from '../../core/errors.ts';
import type { WorkerSlot } from '../../core/ports/large-body-reader.ts';
import { type BodyState, chargedBytes, getBodyState } from './body-state.ts';
import { bodyStream } from './body-stream.ts';
import { isZlib, parseContentEncoding } from './decoders.ts';
import { freeBuffer } from './free-buffer.ts';
import { type InflateOptions, inflateBody, startsAsBomb } from './inflate.ts';
import { readChunks } from './read-chunks.ts';

const openBrace = 0x7b;

export interface BodyLimits {
  readonly sentBytesMax: number;
  /** Also the limit of a body that is not compressed. */
  readonly inflatedBytesMax: number;
  readonly takesBase64?: boolean;
}

/** Bytes read of a large compressed body before it is checked for a decompression bomb. */
const judgedBytes = 32 * 1024;
/** Bytes of complete bodies handled per tick of the event loop, some 5 ms of work. */
const bodyAdmission = createBatchQueue(48 * 1024);
/** Counted for each request, in bytes, even without a body. */
const requestWeight = 1024;

/** Reads, decompresses and charges the body. Throws 400 `rest_payload_too_large` (at once by Content-Length), 400
 * `notifier_invalid_encoding`, 429 when over a quota, too many wait or all bodies hold too much memory, 503 when the
 * disk is full, `ClientAborted`, and the reason for which a body is broken. */
export async function readRequestBody(
  incoming: IncomingMessage,
  limits: BodyLimits,
  reserveWorker?: ReserveWorker,
): Promise<Buffer> {
  const bytes = await readCharged(incoming, limits);
  const weight = bytes.length + requestWeight;
  if (reserveWorker === undefined) await bodyAdmission.pass(weight);
  else await bodyAdmission.pass(weight, () => moveToFile(getBodyState(incoming), bytes, reserveWorker));
  return bytes;
}

async function readCharged(incoming: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const bodyState = getBodyState(incoming);
  let bytes: Buffer;
  try {
    bytes = await readWhole(incoming, limits, bodyState);
  } catch (failure) {
    await bodyState.charge?.(chargedBytes(bodyState));
    throw failure;
  }
  const refusal = bodyState.charge === null ? null : await bodyState.charge(chargedBytes(bodyState));
  const full = refusal ?? bodyState.admit?.(bytes.length) ?? null;
  if (full !== null) throw full;
  return bytes;
}

/** Reserves a worker for a body when `waitingBytes` (this body included) wait in this thread. */
type ReserveWorker = (body: Buffer, waitingBytes: number) => WorkerSlot | 'not now' | 'never';

function moveToFile(bodyState: BodyState, bytes: Buffer, reserveWorker: ReserveWorker): OffloadResult {
  const slot = reserveWorker(bytes, bodyAdmission.waiting);
  if (typeof slot === 'string') return slot;
  if (!bodyState.atEnd(slot.leave)) {
    slot.leave();
    return 'never';
  }
  bodyState.slot = slot;
  return 'gone';
}

/** Skips unsupported items. `takeTurn` comes before anything is kept, and may refuse. Throws as `readRequestBody`. */
export async function readSupportedItems(
  incoming: IncomingMessage,
  { sentBytesMax, inflatedBytesMax }: BodyLimits,
  takeTurn: () => Promise<void>,
): Promise<Buffer> {
  const isPlain = parseContentEncoding(incoming.headers['content-encoding']) === 'identity';
  const bytesMax = isPlain ? Math.min(sentBytesMax, inflatedBytesMax) : inflatedBytesMax;
  if (Number(incoming.headers['content-length'] ?? 0) > sentBytesMax)
    throw createPayloadTooLargeError(sentBytesMax);
  const stream = bodyStream(incoming, bytesMax, { isKept: false });
  const bodyState = getBodyState(incoming);
  const filter = new ItemFilter();
  const share = openMemoryShare();
  const pieces: Buffer[] = [];
  let isAdmitted = false;
  const append = async (collected: readonly Buffer[]): Promise<void> => {
    if (filter.holdsTaken && !isAdmitted) {
      isAdmitted = true;
      await takeTurn();
    }
    for (const piece of collected) {
      const full = bodyState.admit?.(piece.length) ?? null;
      if (full !== null) throw full;
      share.reserve(piece.length);
      pieces.push(Buffer.from(piece));
    }
  };
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      if (!isPlain) bodyState.inflatedBytes += bytes.length;
      await append(filter.feed(bytes));
      freeBuffer(bytes);
    }
    await append(filter.end());
    return joinPieces(pieces);
  } finally {
    if (!bodyState.atEnd(share.release)) share.release();
    stream.destroy();
  }
}

async function readWhole(
  incoming: IncomingMessage,
  limits: BodyLimits,
  bodyState: BodyState,
): Promise<Buffer> {
  const encoding = parseContentEncoding(incoming.headers['content-encoding']);
  const share = openMemoryShare();
  const isReleasedAtEnd = bodyState.atEnd(() => share.release());
  const { sentBytesMax, inflatedBytesMax, takesBase64 } = limits;
  const reserve = (bytes: number): void => {
    bodyState.inflatedBytes += bytes;
    share.reserve(bytes);
  };
  const plain = (bytes: Buffer): Buffer | Promise<Buffer> =>
    takesBase64 === true ? decodeBase64Body(bytes, inflatedBytesMax, { leaving: bodyState, reserve }) : bytes;
  try {
    if (encoding === 'identity') {
      return await plain(
        joinPieces(await collect(incoming, Math.min(sentBytesMax, inflatedBytesMax), share)),
      );
    }
    const sent = await collect(incoming, sentBytesMax, share, async (start) => {
      const isBomb = await startsAsBomb(start, encoding, bodyState, (bytes) => {
        bodyState.inflatedBytes += bytes;
      });
      if (isBomb) throw createPayloadTooLargeError(inflatedBytesMax);
    });
    return await plain(
      await inflateBody(sent, encoding, inflatedBytesMax, { leaving: bodyState, reserve, used: freeBuffer }),
    );
  } finally {
    if (!isReleasedAtEnd) share.release();
  }
}

/** The memory of the bytes is counted until `use` ends. Throws as `readRequestBody` does. */
export async function withSentBytes<T>(
  incoming: IncomingMessage,
  bytesMax: number,
  use: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const share = openMemoryShare();
  try {
    return await use(joinPieces(await collect(incoming, bytesMax, share)));
  } finally {
    share.release();
  }
}

function joinPieces(pieces: readonly Buffer[]): Buffer {
  if (pieces.length === 1) return pieces[0] as Buffer;
  const bytes = Buffer.concat(pieces);
  for (const piece of pieces) freeBuffer(piece);
  return bytes;
}

/** Collects the pieces of a body. A large one is paused once, until `judge` has checked its beginning. */
function collect(
  incoming: IncomingMessage,
  bytesMax: number,
  share: BodyMemoryShare,
  judge?: (start: readonly Buffer[]) => Promise<void>,
): Promise<Buffer[]> {
  const lengthMax = Number(incoming.headers['content-length'] ?? bytesMax);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    let judging: Promise<void> | null = null;
    const refuse = async (reason: Error): Promise<void> => {
      reader.stop();
      reject(reason);
      // A decoder may still be reading the pieces.
      await judging?.catch(() => {});
      if (judge !== undefined) for (const piece of pieces.splice(0)) freeBuffer(piece);
    };
    const reader = readChunks(incoming, bytesMax, {
      piece(bytes) {
        share.reserve(bytes.length);
        pieces.push(bytes);
        length += bytes.length;
        if (judging !== null || judge === undefined) return;
        if (length < judgedBytes || lengthMax - length < judgedBytes) return;
        reader.pause();
        judging = judge([...pieces]);
        judging.then(reader.resume, refuse);
      },
      // The whole body may have arrived before the check is done.
      ended: () => void Promise.resolve(judging).then(() => resolve(pieces), reject),
      failed: (reason) => void refuse(reason),
    });
  });
}

/** Returns a body that is no base64 of JSON or zlib data unchanged. Throws as `inflateBody` does. */
async function decodeBase64Body(
  bytes: Buffer,
  inflatedBytesMax: number,
  options: InflateOptions & Required<Pick<InflateOptions, 'reserve'>>,
): Promise<Buffer> {
  if (bytes[0] === openBrace) return bytes;
  // Trimmed first, because a pattern with trailing blanks would backtrack at every line break.
  const text = bytes.toString('latin1').trimEnd();
  if (!/^[A-Za-z0-9+/_-][A-Za-z0-9+/_\r\n-]*={0,2}$/.test(text)) return bytes;
  const decoded = Buffer.from(text, 'base64');
  if (decoded[0] !== openBrace && !isZlib(decoded)) return bytes;
  options.reserve(decoded.length);
  return decoded[0] === openBrace ? decoded : inflateBody([decoded], 'deflate', inflatedBytesMax, options);
}

// Memory budget of all bodies being read. When it is used up, larger bodies get 429; streamed bodies do not count.

/** docs/limits.md, "Memory". */
const memoryBytesMax = 64 * 1024 * 1024;
/** Bodies up to this size are accepted even when the budget is used up, so that events get through. */
const smallBodyBytes = 64 * 1024;

interface BodyMemoryShare {
  /** Throws 429 when the budget is exceeded and the body is not small. */
  reserve(bytes: number): void;
  release(): void;
}

export function createBodyMemory(bytesMax: number) {
  let reserved = 0;
  const openShare = (): BodyMemoryShare => {
    let shareBytes = 0;
    return {
      reserve(bytes) {
        if (reserved + bytes > bytesMax && shareBytes + bytes > smallBodyBytes) throw createOverloadError();
        reserved += bytes;
        shareBytes += bytes;
      },
      release() {
        reserved -= shareBytes;
        shareBytes = 0;
      },
    };
  };
  return { openShare, reservedBytes: () => reserved };
}

const { openShare: openMemoryShare, reservedBytes } = createBodyMemory(memoryBytesMax);

export const countBodyMemoryBytes = reservedBytes;
