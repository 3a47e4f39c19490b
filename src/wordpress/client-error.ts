// What Node's HTTP parser refuses by itself is answered here: in WordPress's shape (decision D-12), or, where only the
// method or the path is unusual, by the REST server.
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };
type Handler = { handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> };

/**
 * For a server's event `clientError`: answers 400 `rest_bad_request` and closes. An answer that is under way on the
 * connection is never cut: it is let finish, and nothing is added behind it.
 */
export function answerClientError(error: ParserError, socket: Duplex): void {
  if (!isAnswerable(error, socket)) return;
  socket.end(refusal());
}

/** What the parser minds and a web server before PHP does not: methods it does not know, bytes above ASCII in a path. */
const harmless: ReadonlySet<string | undefined> = new Set(['HPE_INVALID_METHOD', 'HPE_INVALID_URL']);

/** The same, but requests that are only harmlessly odd go to the REST server. */
export function clientErrorAnswerer(server: Handler): (error: ParserError, socket: Duplex) => void {
  return (error, socket) => {
    if (!isAnswerable(error, socket)) return;
    const request = harmless.has(error.code) ? readHead(error.rawPacket, socket as Socket) : null;
    if (request === null) socket.end(refusal());
    else answerOddRequest(server, request, socket as Socket);
  };
}

/** False where there is nobody to answer, or an answer on its way. */
function isAnswerable(error: ParserError, socket: Duplex): boolean {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return false;
  }
  const underway = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (underway === undefined || underway === null) return true;
  underway.once('close', () => socket.end());
  return false;
}

/** A whole request head, a method in capitals: what a web server before PHP would let through. */
function readHead(packet: Buffer | undefined, socket: Socket): IncomingMessage | null {
  const text = packet?.toString('latin1') ?? '';
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...headers] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const found = /^([A-Z][A-Z_-]{0,31}) ([!-~\x80-\xff]+) HTTP\/1\.[01]$/.exec(line);
  if (found === null) return null;
  const request = new IncomingMessage(socket);
  request.method = found[1] as string;
  request.url = found[2] as string;
  for (const header of headers) {
    const colon = header.indexOf(':');
    if (colon <= 0) return null;
    const [name, value] = [header.slice(0, colon), header.slice(colon + 1).trim()];
    request.rawHeaders.push(name, value);
    request.headers[name.toLowerCase()] = value;
  }
  const length = Number(request.headers['content-length'] ?? 0);
  request.push(Buffer.from(text.slice(end + 4, end + 4 + length), 'latin1'));
  request.push(null);
  // Else the end of this stream would count as broken off, and take the socket along.
  request.complete = true;
  return request;
}

function answerOddRequest(server: Handler, request: IncomingMessage, socket: Socket): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  server.handle(request, response).then(
    (handled) => handled || socket.end(refusal()),
    () => socket.destroy(),
  );
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
