import type * as http from 'node:http';
import type { PhpHeaders } from '../php/headers.ts';
import type { PhpValue } from '../php/values.ts';
import type { Header, RestServerOptions } from './options.ts';

export type Exchange = {
  readonly options: RestServerOptions;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly query: ReadonlyMap<string, PhpValue>;
  readonly apiRoot: string;
};

export function writeResponse(
  exchange: Exchange,
  status: number,
  headers: PhpHeaders,
  body: string | Uint8Array,
): void {
  const { options, incoming, outgoing } = exchange;
  const trailing: readonly Header[] = options.trailingHeaders?.(incoming.method ?? '') ?? [];
  for (const [name, value] of trailing) headers.set(name, value);
  const sent = statusText(status);
  if (sent.status === 304) headers.remove('Content-Type');
  const flat = filtered(exchange, headers.flat());
  if (incoming.method !== 'HEAD' && sent.status !== 204 && sent.status !== 304) {
    flat.push('Content-Length', String(Buffer.byteLength(body)));
  }
  // The client may still be sending a large refused body: answer, then close the connection.
  if (hasMuchUnread(incoming) && options.readOn?.(incoming) !== true) outgoing.shouldKeepAlive = false;
  writeHead(outgoing, sent.status, sent.phrase, flat);
  // A string is sent together with the headers in one write, which is faster, but both in one encoding.
  outgoing.end(headers.isAscii ? body : Buffer.from(body));
}

/** One flat list is fastest, but a replaced writeHead (e.g. by `compression`) may not accept lists. */
function writeHead(outgoing: ServerResponse, status: number, phrase: string, flat: string[]): void {
  if (outgoing.writeHead === ServerResponse.prototype.writeHead) {
    outgoing.writeHead(status, phrase, flat);
    return;
  }
  const pairs = pairsOf(flat);
  for (const [name] of pairs) outgoing.removeHeader(name);
  for (const [name, value] of pairs) outgoing.appendHeader(name, value);
  outgoing.writeHead(status, phrase);
}

function filtered({ options, incoming }: Exchange, flat: string[]): string[] {
  if (options.filterHeaders === undefined) return flat;
  return options.filterHeaders(incoming, pairsOf(flat)).flat();
}

function pairsOf(flat: readonly string[]): Header[] {
  return flat.flatMap((name, index): Header[] => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []));
}

const unreadBytesMax = 65_536;

function hasMuchUnread(incoming: IncomingMessage): boolean {
  if (incoming.complete) return false;
  const length = incoming.headers['content-length'];
  return length === undefined || Number(length) > unreadBytesMax;
}

// WordPress's get_status_header_desc. A status it does not know is sent as 200, as PHP does without a header.

const phrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  203: 'Non-Authoritative Information',
  204: 'No Content',
  205: 'Reset Content',
  206: 'Partial Content',
  207: 'Multi-Status',
  226: 'IM Used',
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  305: 'Use Proxy',
  306: 'Reserved',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Requested Range Not Satisfiable',
  417: 'Expectation Failed',
  418: "I'm a teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  510: 'Not Extended',
  511: 'Network Authentication Required',
};

function statusText(status: number): { status: number; phrase: string } {
  const phrase = phrases[status];
  return phrase === undefined ? { status: 200, phrase: 'OK' } : { status, phrase };
}

// By getBuiltinModule: an ES import reads all exports, and `WebSocket` loads undici (40 ms of each start).

export const { IncomingMessage, ServerResponse, createServer } = process.getBuiltinModule('node:http');
export type IncomingMessage = http.IncomingMessage;
export type ServerResponse = http.ServerResponse;
