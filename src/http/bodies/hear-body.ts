// Reads the bytes of a request body for all other readers: counted, limited, and with an end in every case.
import type { IncomingMessage } from 'node:http';
import { payloadTooLarge } from '../../core/errors.ts';
import { ClientAborted, lifeOf } from './body-life.ts';
import { takeHeldBytes } from './held-bytes.ts';
import { letGoBy } from './let-go.ts';

export interface BodyHearer {
  /** A thrown error is passed to `failed`. */
  piece(bytes: Buffer): void;
  ended(): void;
  failed(reason: Error): void;
}

export interface Hearing {
  pause(): void;
  resume(): void;
  /** Stops; the rest is discarded, so that the answer can be sent. */
  stop(): void;
}

/**
 * Throws 400 `rest_payload_too_large` at once by Content-Length. `failed` gets the same past the limit,
 * `ClientAborted`, or the reason for which the body broke.
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
    fail(new ClientAborted('the client closed the connection before its body was complete'));
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
  // Deferred until the caller has the return value, since the body may be complete already.
  queueMicrotask(() => {
    if (isOver || !handOverHeld(incoming, ears, () => isOver)) return;
    hear(incoming, ears);
    hearing.resume();
  });
  return hearing;
}

/** The first `bytesMax` bytes as sent, or what arrived of a body that breaks. */
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
  // An error event without a listener would end the process.
  incoming.on('error', ignore);
}

function ignore(): void {}
