// A request's body as bytes in memory: within limits as sent and as inflated, and within the room that all
// bodies share (D-17, D-18). Bodies that go to disk are body-stream.ts's.
import type { IncomingMessage } from 'node:http';
import { createItemFilter } from '../../core/envelopes/item-filter.ts';
import { payloadTooLarge } from '../../core/errors.ts';
import { createGate, type Elsewhere } from '../../core/in-step.ts';
import type { PlaceAside } from '../../core/ports/heavy-reader.ts';
import { type BodyLife, chargedBytes, lifeOf } from './body-life.ts';
import { type BodyPlace, takePlace } from './body-room.ts';
import { bodyStream } from './body-stream.ts';
import { encodingOf, isZlib } from './encodings.ts';
import { hearBody } from './hear-body.ts';
import { beginsAsBomb, type InflateOptions, inflateBody } from './inflate.ts';
import { letGo } from './let-go.ts';

const openBrace = 0x7b;

export interface BodyLimits {
  /** Bytes on the wire. */
  readonly sentBytesMax: number;
  /** Bytes once inflated; also the limit of a body that is not compressed. */
  readonly inflatedBytesMax: number;
  /** Whether the body may be base64 of JSON, deflated or not; both limits hold for it as well. */
  readonly takesBase64?: boolean;
}

/** Of a compressed body with as much again to come, so much is looked at before the rest is let come. */
const judgedBytes = 32 * 1024;
/**
 * Who has a whole body goes on with all others who have (D-231), in a turn of the event loop as many as have
 * so many bytes together: some 5 ms of work. In between others are read.
 */
const bodiesGate = createGate(48 * 1024);
/** What a request without a body weighs, in bytes: the way that all of them take. */
const requestWeight = 1024;

/**
 * The body of a request, read whole, inflated and charged; its share of the room is given back when the
 * request is over. Throws 400 `rest_payload_too_large` (at once where Content-Length says so), 400
 * `notifier_invalid_encoding`, 429 when no bytes are left, too many wait or all bodies together hold too
 * much, `ClientAborted`, 503 when the disk has no room for it, and the reason for which a body that stalls or
 * is malformed will never be whole.
 */
export async function readRequestBody(
  incoming: IncomingMessage,
  limits: BodyLimits,
  takePlace?: TakePlace,
): Promise<Buffer> {
  const bytes = await readCharged(incoming, limits);
  const weight = bytes.length + requestWeight;
  if (takePlace === undefined) await bodiesGate.pass(weight);
  else await bodiesGate.pass(weight, () => goElsewhere(lifeOf(incoming), bytes, takePlace));
  return bytes;
}

/** A body that fails costs what was made of it; one that is refused then is gone. */
async function readCharged(incoming: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const life = lifeOf(incoming);
  let bytes: Buffer;
  try {
    bytes = await readWhole(incoming, limits, life);
  } catch (failure) {
    await life.charge?.(chargedBytes(life));
    throw failure;
  }
  const refusal = life.charge === null ? null : await life.charge(chargedBytes(life));
  const full = refusal ?? life.admit?.(bytes.length) ?? null;
  if (full !== null) throw full;
  return bytes;
}

/** Takes a place where a body is read aside, if `waitingBytes`, it among them, wait to be read here. */
type TakePlace = (body: Buffer, waitingBytes: number) => PlaceAside | 'not now' | 'never';

function goElsewhere(life: BodyLife, bytes: Buffer, takePlace: TakePlace): Elsewhere {
  const place = takePlace(bytes, bodiesGate.waiting);
  if (typeof place === 'string') return place;
  if (!life.atEnd(place.leave)) {
    place.leave();
    return 'never';
  }
  life.place = place;
  return 'gone';
}

/**
 * The envelope in the body of a request; what it holds of items that we do not take is left out as it comes.
 * `takeTurn` is awaited before anything that we take is kept in memory; what it throws refuses the request.
 * Throws as `readRequestBody` does.
 */
export async function readTakenItems(
  incoming: IncomingMessage,
  { sentBytesMax, inflatedBytesMax }: BodyLimits,
  takeTurn: () => Promise<void>,
): Promise<Buffer> {
  const isPlain = encodingOf(incoming.headers['content-encoding']) === 'identity';
  const bytesMax = isPlain ? Math.min(sentBytesMax, inflatedBytesMax) : inflatedBytesMax;
  if (Number(incoming.headers['content-length'] ?? 0) > sentBytesMax) throw payloadTooLarge(sentBytesMax);
  const stream = bodyStream(incoming, bytesMax, { isKept: false });
  const life = lifeOf(incoming);
  const filter = createItemFilter();
  const place = takePlace();
  const pieces: Buffer[] = [];
  let isAdmitted = false;
  const keep = async (kept: readonly Buffer[]): Promise<void> => {
    if (filter.holdsTaken && !isAdmitted) {
      isAdmitted = true;
      await takeTurn();
    }
    for (const piece of kept) {
      const full = life.admit?.(piece.length) ?? null;
      if (full !== null) throw full;
      place.hold(piece.length);
      pieces.push(Buffer.from(piece));
    }
  };
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      if (!isPlain) life.inflated(bytes.length);
      await keep(filter.feed(bytes));
    }
    await keep(filter.end());
    return Buffer.concat(pieces);
  } finally {
    if (!life.atEnd(place.leave)) place.leave();
    stream.destroy();
  }
}

async function readWhole(incoming: IncomingMessage, limits: BodyLimits, life: BodyLife): Promise<Buffer> {
  const encoding = encodingOf(incoming.headers['content-encoding']);
  const place = takePlace();
  const isLeftAtEnd = life.atEnd(() => place.leave());
  const { sentBytesMax, inflatedBytesMax, takesBase64 } = limits;
  const hold = (bytes: number): void => {
    life.inflated(bytes);
    place.hold(bytes);
  };
  const plain = (bytes: Buffer): Buffer | Promise<Buffer> =>
    takesBase64 === true ? decodeBase64Body(bytes, inflatedBytesMax, { leaving: life, hold }) : bytes;
  try {
    if (encoding === 'identity') {
      return await plain(joined(await collect(incoming, Math.min(sentBytesMax, inflatedBytesMax), place)));
    }
    const sent = await collect(incoming, sentBytesMax, place, async (begun) => {
      const isBomb = await beginsAsBomb(begun, encoding, life, (bytes) => life.inflated(bytes));
      if (isBomb) throw payloadTooLarge(inflatedBytesMax);
    });
    return await plain(
      await inflateBody(sent, encoding, inflatedBytesMax, { leaving: life, hold, used: letGo }),
    );
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

/** The pieces are let go; a single one, which may be somebody else's as well, is the whole itself. */
function joined(pieces: readonly Buffer[]): Buffer {
  if (pieces.length === 1) return pieces[0] as Buffer;
  const whole = Buffer.concat(pieces);
  for (const piece of pieces) letGo(piece);
  return whole;
}

/**
 * The pieces of a body. Of a large one nothing more is let come, once, until `judge` has seen how it begins;
 * what that throws refuses it.
 */
function collect(
  incoming: IncomingMessage,
  bytesMax: number,
  place: BodyPlace,
  judge?: (begun: readonly Buffer[]) => Promise<void>,
): Promise<Buffer[]> {
  const lengthMax = Number(incoming.headers['content-length'] ?? bytesMax);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    let judging: Promise<void> | null = null;
    const refuse = async (reason: Error): Promise<void> => {
      hearing.stop();
      reject(reason);
      // Nobody's memory may go while a decoder reads it.
      await judging?.catch(() => {});
      if (judge !== undefined) for (const piece of pieces.splice(0)) letGo(piece);
    };
    const hearing = hearBody(incoming, bytesMax, {
      piece(bytes) {
        place.hold(bytes.length);
        pieces.push(bytes);
        length += bytes.length;
        if (judging !== null || judge === undefined) return;
        if (length < judgedBytes || lengthMax - length < judgedBytes) return;
        hearing.pause();
        judging = judge([...pieces]);
        judging.then(hearing.resume, refuse);
      },
      // What was held before may be whole already.
      ended: () => void Promise.resolve(judging).then(() => resolve(pieces), reject),
      failed: (reason) => void refuse(reason),
    });
  });
}

/**
 * The JSON that a body holds in base64; the body itself where it is no such thing. Throws as `inflateBody`
 * does: 400 `rest_payload_too_large` past `inflatedBytesMax` or for a bomb, 400 `notifier_invalid_encoding`.
 */
async function decodeBase64Body(
  bytes: Buffer,
  inflatedBytesMax: number,
  options: InflateOptions & Required<Pick<InflateOptions, 'hold'>>,
): Promise<Buffer> {
  if (bytes[0] === openBrace) return bytes;
  // Without the blanks at its end first: a pattern that looks for them would try every line break as one.
  const text = bytes.toString('latin1').trimEnd();
  if (!/^[A-Za-z0-9+/_-][A-Za-z0-9+/_\r\n-]*={0,2}$/.test(text)) return bytes;
  const decoded = Buffer.from(text, 'base64');
  if (decoded[0] !== openBrace && !isZlib(decoded)) return bytes;
  options.hold(decoded.length);
  return decoded[0] === openBrace ? decoded : inflateBody([decoded], 'deflate', inflatedBytesMax, options);
}
