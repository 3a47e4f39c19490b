// Encoded bytes made plain: bounded in their number, in the memory of decoders, and in how many run at once
// (D-17). Where the bytes come from is not known here.
import { availableParallelism } from 'node:os';
import type { Transform } from 'node:stream';
import { payloadTooLarge, rateLimited, spreadWait } from '../../core/errors.ts';
import { createTurns, type Leaving } from '../../core/turns.ts';
import { type Inflater, inflaterFor, inflateSmall, smallSentBytesMax } from './decoders.ts';
import { type Compressed, type Encoding, invalidEncoding } from './encodings.ts';
import { letGo } from './let-go.ts';

/**
 * Bodies inflated at once, and how many may wait for their turn: no more decoders than these ever hold a
 * window.
 */
const turns = createTurns({
  atOnceMax: Math.min(4, availableParallelism()),
  waitingMax: 512,
  refusal: () => rateLimited(spreadWait(1), { categories: ['error'], reason: 'overload' }),
});
/** A body may grow a hundredfold; the first MiB is not held against it. */
const ratioMax = 100;
const ratioFreeBytes = 1024 * 1024;
/** From here on the growth of what was read so far is asked as well: a bomb shows before it is whole. */
const ratioSoFarBytes = 4 * 1024 * 1024;

export interface InflateOptions {
  /** Ends the waiting for a turn. */
  readonly leaving?: Leaving;
  /** Told of every piece of plain bytes that is kept; what it throws refuses the body. */
  readonly hold?: (bytes: number) => void;
  /** Told of every sent piece that no decoder reads any more. */
  readonly used?: (piece: Buffer) => void;
}

/**
 * A body inflated by its encoding, counted while it comes; `pieces` are its bytes as they were sent, put
 * together only where they are few (that would hold them twice). Throws 400 `rest_payload_too_large` past
 * `inflatedBytesMax` or past a hundredfold growth, 400 `notifier_invalid_encoding` for bytes that are not of
 * that encoding, 429 when too many wait, and the reason of `leaving` while it waits for its turn.
 */
export async function inflateBody(
  pieces: readonly Buffer[],
  encoding: Compressed,
  inflatedBytesMax: number,
  { leaving, hold = () => {}, used = () => {} }: InflateOptions = {},
): Promise<Buffer> {
  const sentBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (sentBytes === 0) throw invalidEncoding(encoding);
  const bytesMax = plainBytesMax(sentBytes, inflatedBytesMax);
  if (sentBytes <= smallSentBytesMax) {
    const plain = inflateSmall(
      pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces),
      encoding,
      bytesMax,
    );
    if (plain !== null) {
      for (const piece of pieces) used(piece);
      hold(plain.length);
      return plain;
    }
  }
  return turns.run(() => {
    const inflater = inflaterFor(encoding, startOf(pieces));
    return run(inflater, pieces, encoding, { bytesMax, inflatedBytesMax, hold, used });
  }, leaving);
}

/** The first bytes, which tell one form of an encoding from another. */
function startOf(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  return first !== undefined && first.length > 1 ? first : Buffer.concat(pieces.slice(0, 4));
}

/**
 * The first bytes of an encoded body of which only the beginning is here: at most `bytesMax`, fewer where
 * these bytes hold no more. Rejects as `inflateBody` does when nothing can be read.
 */
export function inflateStart(
  bytes: Buffer,
  encoding: Compressed,
  bytesMax: number,
  leaving?: Leaving,
): Promise<Buffer> {
  return turns.run(async () => runStart(inflaterFor(encoding, bytes), bytes, bytesMax), leaving);
}

/**
 * Whether a body of which only the beginning is here has grown beyond the hundredfold already. False where
 * nothing can be read. When it answers, no decoder reads the pieces any more. Throws 429 when too many wait,
 * and the reason of `leaving` while it waits.
 */
export function beginsAsBomb(
  pieces: readonly Buffer[],
  encoding: Compressed,
  leaving?: Leaving,
  /** Told of how many bytes a bomb was made into. */
  inflated: (bytes: number) => void = () => {},
): Promise<boolean> {
  return turns.run(async () => {
    const inflater = inflaterFor(encoding, startOf(pieces));
    let plainBytes = 0;
    let isOver = false;
    // A decoder that fails, or is at its end before the pieces are, does not say that it has read them.
    const ended = new Promise<void>((resolve) => {
      inflater.once('end', resolve).on('error', () => resolve());
    });
    inflater.on('data', (chunk: Buffer) => {
      plainBytes += chunk.length;
      letGo(chunk);
      isOver ||= isBomb(plainBytes, inflater.bytesWritten);
      if (isOver) inflater.destroy();
    });
    await Promise.race([feed(inflater, pieces, () => {}), ended]);
    inflater.destroy();
    if (isOver) inflated(plainBytes);
    return isOver;
  }, leaving);
}

/** How many plain bytes encoded ones may become: at most `bytesMax` and, past 1 MiB, a hundredfold. */
export function plainBytesMax(sentBytes: number, bytesMax: number): number {
  return Math.min(bytesMax, Math.max(ratioFreeBytes, sentBytes * ratioMax));
}

/** Whether what was read so far has grown beyond the hundredfold by more than an honest beginning does. */
export function isBomb(plainBytes: number, readBytes: number): boolean {
  return plainBytes > ratioSoFarBytes && plainBytes > readBytes * ratioMax;
}

function run(
  inflater: Inflater,
  pieces: readonly Buffer[],
  encoding: Encoding,
  { bytesMax, inflatedBytesMax, hold, used }: RunLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = (reason: Error): void => {
      for (const chunk of chunks.splice(0)) letGo(chunk);
      inflater.destroy();
      reject(reason);
    };
    inflater.on('data', (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > bytesMax || isBomb(length, inflater.bytesWritten)) {
        return refuse(payloadTooLarge(inflatedBytesMax));
      }
      try {
        hold(chunk.length);
      } catch (refusal) {
        refuse(refusal as Error);
      }
    });
    inflater.once('end', () => {
      const plain = Buffer.concat(chunks, length);
      for (const chunk of chunks) letGo(chunk);
      resolve(plain);
    });
    inflater.on('error', () => refuse(invalidEncoding(encoding)));
    void feed(inflater, pieces, used);
  });
}

/**
 * Hands pieces to a decoder, one at a time, and ends it. Each is told to `used` once the decoder has read it,
 * or will never. Never rejects: what goes wrong the decoder tells.
 */
export async function feed(
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

/**
 * Resolves when a decoder has read a piece. Never where it failed over it: it may be reading it still, and
 * the collector knows when it is not.
 */
function readBy(inflater: Transform, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    inflater.write(piece, (error) => {
      if (error === null || error === undefined) resolve();
    });
  });
}

interface RunLimits {
  /** Where inflating stops: the limit, or as much as so small a body may grow to. */
  readonly bytesMax: number;
  /** The limit that is told. */
  readonly inflatedBytesMax: number;
  readonly hold: (bytes: number) => void;
  readonly used: (piece: Buffer) => void;
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
