// A connection whose request was answered before its body had come is closed gently: a socket that is
// destroyed with bytes unread is reset, and a reset takes the answer away from a client, or a proxy, that has
// not read it yet.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { letGoBy } from '../bodies/let-go.ts';

/** nginx's figures: a slow way up, or a busy machine, takes longer than two seconds for what it has begun. */
const quietMsMax = 5_000;
const lingerMsMax = 30_000;
const lookMs = 20;
const lingerBytesMax = 16 * 1_048_576;

const closing = new WeakSet<Socket>();

/**
 * Makes a connection linger when the server closes it early: what still comes is read and dropped, until
 * nothing came for five seconds, and for at most 30 seconds and 16 MiB (RFC 9112, section 9.6). `latest` is
 * the request that it is at; one that came whole is closed at once, as ever.
 */
export function lingerOnClose(socket: Socket, latest: () => IncomingMessage | null): void {
  const closeAtOnce = socket.destroySoon.bind(socket);
  // Node's server calls this after the last answer of a connection.
  socket.destroySoon = () => {
    const last = latest();
    if (last === null || last.complete || socket.destroyed) closeAtOnce();
    else closeGently(socket, last);
  };
}

/**
 * Says that we will write no more, and drops what still comes until the request is whole, the other side
 * closes too, nothing comes any more, or the 30 seconds and 16 MiB are over. `last` is the request that it is
 * at, if any.
 */
export function closeGently(socket: Socket, last: IncomingMessage | null): void {
  if (closing.has(socket) || socket.destroyed) return;
  closing.add(socket);
  const bytesMax = socket.bytesRead + lingerBytesMax;
  let looks = 0;
  let quietLooks = 0;
  let bytesRead = -1;
  // Node drops the rest of a request that was answered and tells nobody of it: what came is asked of the
  // socket.
  const timer = setInterval(() => {
    looks += 1;
    quietLooks = socket.bytesRead === bytesRead ? quietLooks + 1 : 0;
    bytesRead = socket.bytesRead;
    const isOver = quietLooks * lookMs >= quietMsMax || looks * lookMs >= lingerMsMax;
    if (isOver || last?.complete === true || bytesRead > bytesMax) socket.destroy();
  }, lookMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
  socket.end();
  if (last !== null) letGoBy(last);
}

/**
 * Has a client that ends its side after a whole request answered all the same, as web servers before PHP do.
 * Node closes such a connection at once unless this property says otherwise, and the answer is lost.
 */
export function answerHalfClosed(server: Server): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
}
