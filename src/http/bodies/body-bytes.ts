// A request's body as bytes in memory: within limits as sent and as inflated, and within the room that all
// bodies share (D-17, D-18). Bodies that go to disk are body-stream.ts's.
import type { IncomingMessage } from 'node:http';
import { lifeOf } from './body-life.ts';
import { type BodyPlace, takePlace } from './body-room.ts';
import { hearBody } from './hear-body.ts';
import { type Encoding, encodingOf, inflateBody } from './inflate.ts';

export interface BodyLimits {
  /** Bytes on the wire. */
  readonly sentBytesMax: number;
  /** Bytes once inflated; also the limit of a body that is not compressed. */
  readonly inflatedBytesMax: number;
}

/**
 * The body of a request, read whole and inflated; its share of the room is given back when the request is
 * over. Throws 400 `rest_payload_too_large` (at once where Content-Length says so), 400
 * `notifier_invalid_encoding`, 429 when too many wait or all bodies together hold too much, `ClientAborted`,
 * and the reason for which a body that stalls or is malformed will never be whole.
 */
export async function readRequestBody(incoming: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const encoding = encodingOf(incoming.headers['content-encoding']);
  const life = lifeOf(incoming);
  const place = takePlace();
  const isLeftAtEnd = life.atEnd(() => place.leave());
  try {
    const sent = await collect(incoming, sentLimit(encoding, limits), place);
    if (encoding === 'identity') return joined(sent);
    return await inflateBody(sent, encoding, limits.inflatedBytesMax, { leaving: life, hold: place.hold });
  } finally {
    if (!isLeftAtEnd) place.leave();
  }
}

/**
 * Reads a body as it was sent and hands it to `use`; its share of the room is given back when that has ended.
 * Throws as `readRequestBody` does, decoding aside.
 */
export async function withSentBytes<T>(
  incoming: IncomingMessage,
  bytesMax: number,
  use: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const place = takePlace();
  try {
    return await use(joined(await collect(incoming, bytesMax, place)));
  } finally {
    place.leave();
  }
}

function sentLimit(encoding: Encoding, limits: BodyLimits): number {
  return encoding === 'identity'
    ? Math.min(limits.sentBytesMax, limits.inflatedBytesMax)
    : limits.sentBytesMax;
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

function collect(incoming: IncomingMessage, bytesMax: number, place: BodyPlace): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    hearBody(incoming, bytesMax, {
      piece(bytes) {
        place.hold(bytes.length);
        pieces.push(bytes);
      },
      ended: () => resolve(pieces),
      failed: reject,
    });
  });
}
