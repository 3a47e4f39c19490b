// Body bytes that were read ahead. Stored beside the request, because an ended stream accepts no unshift.
import type { IncomingMessage } from 'node:http';
import { getBodyState } from './body-state.ts';

export interface ReadAheadBytes {
  readonly chunks: Buffer[];
  length: number;
  ended: boolean;
}

const readAheadBytes = new WeakMap<IncomingMessage, ReadAheadBytes>();

/** Returns the bytes once, then null. */
export function takeReadAheadBytes(incoming: IncomingMessage): ReadAheadBytes | null {
  const bytes = readAheadBytes.get(incoming) ?? null;
  readAheadBytes.delete(incoming);
  if (bytes !== null && incoming.readableEnded) bytes.ended = true;
  return bytes;
}

/** Bytes received and not yet read: held, or in the stream. */
export function countUnreadBytes(incoming: IncomingMessage): number {
  return (readAheadBytes.get(incoming)?.length ?? 0) + incoming.readableLength;
}

/** Peeks without consuming. A partial read does not make the stream read its socket further. */
export function peekBytes(incoming: IncomingMessage, bytesMax: number): Buffer {
  const bytes: Buffer | null = incoming.read(Math.min(incoming.readableLength, bytesMax));
  if (bytes === null) return Buffer.alloc(0);
  incoming.unshift(bytes);
  return bytes;
}

export function storeReadBody(incoming: IncomingMessage, bytes: Buffer): void {
  readAheadBytes.set(incoming, { chunks: [bytes], length: bytes.length, ended: true });
}

/** Reads ahead until `isEnough`, the end, a break, or `waitMs`, and stores the bytes. Never rejects. */
export function readAhead(
  incoming: IncomingMessage,
  waitMs: number,
  isEnough: (bytes: ReadAheadBytes) => boolean,
): Promise<ReadAheadBytes> {
  const bytes: ReadAheadBytes = readAheadBytes.get(incoming) ?? { chunks: [], length: 0, ended: false };
  // `end` may have been emitted even while paused.
  bytes.ended = bytes.ended || incoming.readableEnded;
  readAheadBytes.set(incoming, bytes);
  const bodyState = getBodyState(incoming);
  return new Promise((resolve) => {
    let unlisten: () => void = () => {};
    const stop = (): void => {
      clearTimeout(timer);
      unlisten();
      incoming.off('data', onData).off('end', onEnd).off('close', stop);
      incoming.pause();
      resolve(bytes);
    };
    const onData = (chunk: Buffer): void => {
      bytes.chunks.push(chunk);
      bytes.length += chunk.length;
      if (isEnough(bytes)) stop();
    };
    const onEnd = (): void => {
      bytes.ended = true;
      stop();
    };
    const timer = setTimeout(stop, waitMs);
    const isBroken = incoming.destroyed || bodyState.broken !== null;
    if (bytes.ended || isBroken || (bytes.length > 0 && isEnough(bytes))) return stop();
    unlisten = bodyState.onLeave(stop);
    incoming.on('data', onData).once('end', onEnd).once('close', stop);
    incoming.resume();
  });
}
