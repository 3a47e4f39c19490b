// What Node's HTTP parser refuses by itself is answered here, in WordPress's shape (decision D-12).
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * For a server's event `clientError`: answers 400 `rest_bad_request` and closes. An answer that is under way on the
 * connection is never cut: it is let finish, and nothing is added behind it.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const underway = (socket as { _httpMessage?: { once(event: string, listener: () => void): void } })
    ._httpMessage;
  if (underway !== undefined && underway !== null) {
    underway.once('close', () => socket.end());
    return;
  }
  socket.end(refusal());
}

function refusal(): string {
  const body = '{"code":"rest_bad_request","message":"Bad request.","data":{"status":400}}';
  return [
    `HTTP/1.1 400 ${STATUS_CODES[400]}`,
    'Content-Type: application/json; charset=UTF-8',
    'X-Robots-Tag: noindex',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
