// A connection whose request was answered before its body had come is closed gently: a socket that is destroyed with bytes
// unread is reset, and a reset takes the answer away from a client, or a proxy, that has not read it yet.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const lingerMs = 2_000;
const lookMs = 20;
const lingerBytesMax = 16 * 1_048_576;
/** The request that each connection is at; kept-alive connections have many, one after another. */
const latest = new WeakMap<Socket, IncomingMessage>();

/**
 * Makes the request's connection linger when the server closes it early: what still comes is read and dropped, for at
 * most two seconds and 16 MiB (RFC 9112, section 9.6). A request that came whole is closed at once, as ever.
 */
export function lingerOnClose(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const isKnown = latest.has(socket);
  latest.set(socket, incoming);
  if (isKnown) return;
  const closeAtOnce = socket.destroySoon.bind(socket);
  // Node's server calls this after the last answer of a connection.
  socket.destroySoon = () => {
    const last = latest.get(socket);
    if (last === undefined || last.complete || socket.destroyed) closeAtOnce();
    else dropTheRest(last, socket);
  };
}

/** Node drops the rest of a request that was answered and tells nobody of it: what came is asked of the socket. */
function dropTheRest(incoming: IncomingMessage, socket: Socket): void {
  const bytesMax = socket.bytesRead + lingerBytesMax;
  let looksLeft = lingerMs / lookMs;
  const timer = setInterval(() => {
    looksLeft -= 1;
    if (looksLeft <= 0 || incoming.complete || socket.bytesRead > bytesMax) socket.destroy();
  }, lookMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
  socket.end();
  incoming.resume();
}
