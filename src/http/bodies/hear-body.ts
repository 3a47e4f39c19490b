// The one way bytes of a request's body reach this program: piece by piece, counted, and with an end in every
// case. What they are encoded in and what they mean is not known here.
import type { IncomingMessage } from 'node:http';
import { payloadTooLarge } from '../../core/errors.ts';
import { ClientAborted, lifeOf } from './body-life.ts';
import { takeHeldBytes } from './held-bytes.ts';
import { letGoBy } from './let-go.ts';

export interface BodyHearer {
  /** The next piece. What it throws ends the hearing and is told to `failed`. */
  piece(bytes: Buffer): void;
  /** The body is whole. */
  ended(): void;
  /** The body will never be whole, or is refused; nothing comes after it. */
  failed(reason: Error): void;
}

export interface Hearing {
  /** Lets nothing come for a while. */
  pause(): void;
  resume(): void;
  /** Hears no more; what still comes is let go by, so that an answer finds its way. */
  stop(): void;
}

/**
 * Hears the body of a request, at most `bytesMax` as sent. Throws 400 `rest_payload_too_large` at once where
 * Content-Length says more (D-18). `failed` is told the same past the limit, `ClientAborted` when the client
 * goes away, and the reason of the body's life when that breaks.
 */
export function hearBody(incoming: IncomingMessage, bytesMax: number, hearer: BodyHearer): Hearing {
  if (Number(incoming.headers['content-length'] ?? 0) > bytesMax) throw payloadTooLarge(bytesMax);
  const life = lifeOf(incoming);
  let length = 0;
  let isOver = false;
  const unlisten = life.onLeave((reason) => queueMicrotask(() => fail(reason)));

  function finish(): boolean {
    if (isOver) return false;
    isOver = true;
    unlisten();
    life.heard(false);
    unhear(incoming, ears);
    return true;
  }
  function fail(reason: Error): void {
    if (!finish()) return;
    letGoBy(incoming);
    hearer.failed(reason);
  }
  function onPiece(bytes: Buffer): void {
    if (isOver) return;
    length += bytes.length;
    life.received(bytes.length);
    try {
      if (length > bytesMax) throw payloadTooLarge(bytesMax);
      hearer.piece(bytes);
    } catch (refusal) {
      fail(refusal as Error);
    }
  }
  function onEnd(): void {
    if (finish()) hearer.ended();
  }
  function onGone(): void {
    fail(new ClientAborted('the client closed the connection before its body was whole'));
  }
  const ears: Ears = { onPiece, onEnd, onGone };
  const hearing: Hearing = {
    pause() {
      life.heard(false);
      incoming.pause();
    },
    resume() {
      if (isOver) return;
      life.heard(true);
      incoming.resume();
    },
    stop() {
      if (finish()) letGoBy(incoming);
    },
  };
  // Not before the caller holds what it is given: a body that is here already would end in this very call.
  queueMicrotask(() => {
    if (isOver || !handOverHeld(incoming, ears, () => isOver)) return;
    hear(incoming, ears);
    hearing.resume();
  });
  return hearing;
}

/**
 * The beginning of a body as it was sent, for what counts whatever it brings: of one that never becomes whole
 * as much as came. What comes after `bytesMax` is let go by.
 */
export function beginningOfBody(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const done = (): void => resolve(Buffer.concat(pieces).subarray(0, bytesMax));
    const hearing = hearBody(incoming, Number.POSITIVE_INFINITY, {
      piece(bytes) {
        pieces.push(bytes);
        length += bytes.length;
        if (length < bytesMax) return;
        hearing.stop();
        done();
      },
      ended: done,
      failed: done,
    });
  });
}

interface Ears {
  readonly onPiece: (bytes: Buffer) => void;
  readonly onEnd: () => void;
  readonly onGone: () => void;
}

/** Hands over what came before anybody listened; answers whether more may come. */
function handOverHeld(
  incoming: IncomingMessage,
  { onPiece, onEnd, onGone }: Ears,
  isOver: () => boolean,
): boolean {
  const held = takeHeldBytes(incoming);
  for (const bytes of held?.chunks ?? []) onPiece(bytes);
  if (isOver()) return false;
  if (held?.ended === true || incoming.readableEnded) onEnd();
  else if (incoming.destroyed) onGone();
  else return true;
  return false;
}

function hear(incoming: IncomingMessage, { onPiece, onEnd, onGone }: Ears): void {
  incoming.on('data', onPiece).once('end', onEnd).once('error', onGone).once('close', onGone);
}

function unhear(incoming: IncomingMessage, { onPiece, onEnd, onGone }: Ears): void {
  incoming.off('data', onPiece).off('end', onEnd).off('error', onGone).off('close', onGone);
  // What else goes wrong with it is nobody's; an error event without a listener would end the process.
  incoming.on('error', ignore);
}

function ignore(): void {}
