import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WpError } from '../response/wp-error.ts';
import type { RestServer } from './server.ts';
import { IncomingMessage, ServerResponse } from './write-response.ts';

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };
type RestAnswers = Pick<RestServer, 'handle' | 'refuse'>;

/** Web servers before PHP accept unknown methods and non-ASCII paths. */
const harmless: ReadonlySet<string | undefined> = new Set(['HPE_INVALID_METHOD', 'HPE_INVALID_URL']);

/** Access to the state of a connection; by default sockets are closed after the answer. */
export interface ConnectionHooks {
  /** Reports to a running request that its body is incomplete; true if that request answers itself. */
  broke(socket: Socket): boolean;
  close(socket: Socket): void;
}

const noWords: ConnectionHooks = { broke: () => false, close: (socket) => socket.destroySoon() };

/** Listener for `clientError`. Unusual but harmless requests go to the REST server; others get 400
 * `rest_bad_request`, and the connection closes. An answer that is being sent is completed first. */
export function createClientErrorHandler(
  server: RestAnswers,
  words: ConnectionHooks = noWords,
): (error: ParserError, duplex: Duplex) => void {
  return (error, duplex) => {
    const socket = duplex as Socket;
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE' || !socket.writable) socket.destroy();
    else if (!words.broke(socket) && !isAnswering(socket, words)) answer(server, error, socket, words);
  };
}

/** Data after a complete request is ignored: the connection closes after the answer. */
function isAnswering(socket: Socket, words: ConnectionHooks): boolean {
  const underway = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (underway === undefined || underway === null) return false;
  underway.once('close', () => words.close(socket));
  return true;
}

function answer(server: RestAnswers, error: ParserError, socket: Socket, words: ConnectionHooks): void {
  const head = readHead(error.rawPacket, socket);
  const response = responseOn(socket, head.request, words);
  const refuse = (): void => server.refuse(head.request, response, badRequest());
  if (!harmless.has(error.code) || !head.isSound) refuse();
  else server.handle(head.request, response).then((handled) => handled || refuse(), refuse);
}

function badRequest(): WpError {
  return new WpError('rest_bad_request', 'Bad request.', { status: 400 });
}

/** `isSound`: a web server before PHP would have accepted the head. */
function readHead(
  packet: Buffer | undefined,
  socket: Socket,
): { request: IncomingMessage; isSound: boolean } {
  const request = new IncomingMessage(socket);
  // Otherwise the end of this stream counts as an abort and destroys the socket.
  request.complete = true;
  const text = packet?.toString('latin1') ?? '';
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...headers] = (end < 0 ? text : text.slice(0, end)).split('\r\n');
  const found = /^([A-Z][A-Z_-]{0,31}) ([!-~\x80-\xff]+) HTTP\/1\.[01]$/.exec(line);
  request.method = found?.[1] ?? 'GET';
  request.url = found?.[2] ?? '/';
  let isSound = found !== null && end >= 0;
  for (const header of headers) {
    const colon = header.indexOf(':');
    if (colon > 0) addHeader(request, header.slice(0, colon), header.slice(colon + 1).trim());
    else isSound = false;
  }
  const length = Number(request.headers['content-length'] ?? 0);
  request.push(Buffer.from(isSound ? text.slice(end + 4, end + 4 + length) : '', 'latin1'));
  request.push(null);
  return { request, isSound };
}

function addHeader(request: IncomingMessage, name: string, value: string): void {
  request.rawHeaders.push(name, value);
  request.headers[name.toLowerCase()] = value;
}

function responseOn(socket: Socket, request: IncomingMessage, words: ConnectionHooks): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => words.close(socket));
  return response;
}
