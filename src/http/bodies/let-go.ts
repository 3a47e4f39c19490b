// Memory of bytes that nobody needs any more, given back at once. The collector looks at what lies outside of
// its heap late: pieces of a hundred bodies would lie about for as long as the server has little else to do.
import type { IncomingMessage } from 'node:http';

/**
 * Gives the memory of a piece of a body back now; whoever still has the piece finds it empty. A piece that
 * shares its memory with others is left alone: so does one that a decoder goes on writing behind.
 */
export function letGo({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Lets what still comes of a body go by, unless somebody else listens to it. */
export function letGoBy(incoming: IncomingMessage): void {
  if (incoming.listenerCount('data') === 0) incoming.on('data', letGo);
  incoming.resume();
}
