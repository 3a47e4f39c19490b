// After an early answer, destroying a socket with unread bytes would reset it and lose the answer.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { discardBody } from '../bodies/free-buffer.ts';

/** nginx's lingering_timeout and lingering_time. */
const quietMsMax = 5_000;
const lingerMsMax = 30_000;
const checkMs = 20;
const lingerBytesMax = 16 * 1_048_576;

const closing = new WeakSet<Socket>();

/** On an early close, discards data until 5 s of silence, at most 30 s and 16 MiB (RFC 9112, section 9.6). */
export function lingerOnClose(socket: Socket, latest: () => IncomingMessage | null): void {
  const closeAtOnce = socket.destroySoon.bind(socket);
  // Node calls this after the last answer of a connection.
  socket.destroySoon = () => {
    const last = latest();
    if (last === null || last.complete || socket.destroyed) closeAtOnce();
    else closeGently(socket, last);
  };
}

/** Discards data until the request is complete, the client closes, or a limit is reached. */
export function closeGently(socket: Socket, last: IncomingMessage | null): void {
  if (closing.has(socket) || socket.destroyed) return;
  closing.add(socket);
  const bytesMax = socket.bytesRead + lingerBytesMax;
  let checks = 0;
  let quietChecks = 0;
  let bytesRead = -1;
  // Node drops the rest of an answered request without events, so progress is read from the socket.
  const timer = setInterval(() => {
    checks += 1;
    quietChecks = socket.bytesRead === bytesRead ? quietChecks + 1 : 0;
    bytesRead = socket.bytesRead;
    const isOver = quietChecks * checkMs >= quietMsMax || checks * checkMs >= lingerMsMax;
    if (isOver || last?.complete === true || bytesRead > bytesMax) socket.destroy();
  }, checkMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
  socket.end();
  if (last !== null) discardBody(last);
}

/** Answers clients that half-close after a request, as web servers do; Node's default is to close. */
export function allowHalfClosedClients(server: Server): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
}
