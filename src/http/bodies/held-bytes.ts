// Bytes of a body that were read before its reader came: kept beside the request, because a stream that has
// ended takes nothing back. Whoever reads the body begins with them.
import type { IncomingMessage } from 'node:http';
import { lifeOf } from './body-life.ts';

export interface HeldBytes {
  readonly chunks: Buffer[];
  length: number;
  /** True when the body ended with these. */
  ended: boolean;
}

const held = new WeakMap<IncomingMessage, HeldBytes>();

/** The bytes held of a request, or null; they are taken once. */
export function takeHeldBytes(incoming: IncomingMessage): HeldBytes | null {
  const bytes = held.get(incoming) ?? null;
  held.delete(incoming);
  if (bytes !== null && incoming.readableEnded) bytes.ended = true;
  return bytes;
}

/** How many bytes of a body are here and were not read: held, or in the stream. */
export function unreadBytes(incoming: IncomingMessage): number {
  return (held.get(incoming)?.length ?? 0) + incoming.readableLength;
}

/**
 * What is here of a body that nobody reads yet, at most `bytesMax`, left where it is. A look at a part of it
 * has the stream not ask its socket for more, as reading all of it would.
 */
export function bytesHere(incoming: IncomingMessage, bytesMax: number): Buffer {
  const bytes: Buffer | null = incoming.read(Math.min(incoming.readableLength, bytesMax));
  if (bytes === null) return Buffer.alloc(0);
  incoming.unshift(bytes);
  return bytes;
}

/** Holds a whole body that somebody else read. */
export function holdWhole(incoming: IncomingMessage, bytes: Buffer): void {
  held.set(incoming, { chunks: [bytes], length: bytes.length, ended: true });
}

/**
 * Reads the body from its beginning until `isEnough` says so of what is held, the body ends or will never be
 * whole, the client goes away or `waitMs` have passed, and holds what came. Answers what is held then; never
 * rejects.
 */
export function holdBytes(
  incoming: IncomingMessage,
  waitMs: number,
  isEnough: (bytes: HeldBytes) => boolean,
): Promise<HeldBytes> {
  const bytes: HeldBytes = held.get(incoming) ?? { chunks: [], length: 0, ended: false };
  // The end comes by itself even while a stream is paused: it may have come since we last looked.
  bytes.ended = bytes.ended || incoming.readableEnded;
  held.set(incoming, bytes);
  const life = lifeOf(incoming);
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
    const isBroken = incoming.destroyed || life.broken !== null;
    if (bytes.ended || isBroken || (bytes.length > 0 && isEnough(bytes))) return stop();
    unlisten = life.onLeave(stop);
    incoming.on('data', onData).once('end', onEnd).once('close', stop);
    incoming.resume();
  });
}
