// Frees buffers early. V8 collects memory outside its heap late, so the pieces of a hundred bodies would stay around.
import type { IncomingMessage } from 'node:http';

/** Empties a buffer for all its holders. Buffers that share memory, and empty ones, are left alone. */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Discards the rest of a body, unless somebody else is reading it. */
export function discardBody(incoming: IncomingMessage): void {
  if (incoming.listenerCount('data') === 0) incoming.on('data', freeBuffer);
  incoming.resume();
}
