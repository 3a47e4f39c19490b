// Reads the bytes of a request body for all other readers: counted, limited, and with an end in every case.
import type { IncomingMessage } from 'node:http';
import { createPayloadTooLargeError } from '../../core/errors.ts';
import { ClientAborted, getBodyState } from './body-state.ts';
import { discardBody } from './free-buffer.ts';
import { takeReadAheadBytes } from './read-ahead.ts';

interface ChunkListener {
  /** A thrown error is passed to `failed`. */
  piece(bytes: Buffer): void;
  ended(): void;
  failed(reason: Error): void;
}

interface ChunkReader {
  pause(): void;
  resume(): void;
  /** Stops; the rest is discarded, so that the answer can be sent. */
  stop(): void;
}

/** Throws 400 `rest_payload_too_large` at once by Content-Length. `failed` gets the same past the limit,
 * `ClientAborted`, or the reason for which the body broke. */
export function readChunks(
  incoming: IncomingMessage,
  bytesMax: number,
  listener: ChunkListener,
): ChunkReader {
  if (Number(incoming.headers['content-length'] ?? 0) > bytesMax) throw createPayloadTooLargeError(bytesMax);
  const bodyState = getBodyState(incoming);
  let length = 0;
  let isOver = false;
  const unlisten = bodyState.onLeave((reason) => queueMicrotask(() => fail(reason)));

  function finish(): boolean {
    if (isOver) return false;
    isOver = true;
    unlisten();
    bodyState.isListening = false;
    incoming.off('data', onPiece).off('end', onEnd).off('error', onGone).off('close', onGone);
    // An error event without a listener would end the process.
    incoming.on('error', ignore);
    return true;
  }
  function fail(reason: Error): void {
    if (!finish()) return;
    discardBody(incoming);
    listener.failed(reason);
  }
  function onPiece(bytes: Buffer): void {
    if (isOver) return;
    length += bytes.length;
    bodyState.receivedBytes += bytes.length;
    try {
      if (length > bytesMax) throw createPayloadTooLargeError(bytesMax);
      listener.piece(bytes);
    } catch (refusal) {
      fail(refusal as Error);
    }
  }
  function onEnd(): void {
    if (finish()) listener.ended();
  }
  function onGone(): void {
    fail(new ClientAborted('the client closed the connection before its body was complete'));
  }
  const reader: ChunkReader = {
    pause() {
      bodyState.isListening = false;
      incoming.pause();
    },
    resume() {
      if (isOver) return;
      bodyState.isListening = true;
      incoming.resume();
    },
    stop() {
      if (finish()) discardBody(incoming);
    },
  };
  // Deferred until the caller has the return value, since the body may be complete already.
  queueMicrotask(() => {
    if (isOver) return;
    const ahead = takeReadAheadBytes(incoming);
    for (const bytes of ahead?.chunks ?? []) onPiece(bytes);
    if (isOver) return;
    if (ahead?.ended === true || incoming.readableEnded) return onEnd();
    if (incoming.destroyed) return onGone();
    incoming.on('data', onPiece).once('end', onEnd).once('error', onGone).once('close', onGone);
    reader.resume();
  });
  return reader;
}

/** The first `bytesMax` bytes as sent, or what arrived of a body that breaks. */
export function readBodyStart(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const done = (): void => resolve(Buffer.concat(pieces).subarray(0, bytesMax));
    const reader = readChunks(incoming, Number.POSITIVE_INFINITY, {
      piece(bytes) {
        pieces.push(bytes);
        length += bytes.length;
        if (length < bytesMax) return;
        reader.stop();
        done();
      },
      ended: done,
      failed: done,
    });
  });
}

function ignore(): void {}
