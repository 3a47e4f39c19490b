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

// By getBuiltinModule: an ES import reads all exports, and `WebSocket` loads undici (40 ms of each start).

const nodeHttp = process.getBuiltinModule('node:http');
export const { IncomingMessage, ServerResponse, createServer } = nodeHttp;
export type IncomingMessage = http.IncomingMessage;
export type ServerResponse = http.ServerResponse;

// WordPress's get_status_header_desc. A status it does not know is sent as 200, as PHP does without a header.

const phrases: Readonly<Record<number, string | undefined>> = {
  ...nodeHttp.STATUS_CODES,
  208: undefined,
  306: 'Reserved',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Long',
  416: 'Requested Range Not Satisfiable',
  418: "I'm a teapot",
  508: undefined,
  509: undefined,
};

function statusText(status: number): { status: number; phrase: string } {
  const phrase = status < 200 ? undefined : phrases[status];
  return phrase === undefined ? { status: 200, phrase: 'OK' } : { status, phrase };
}
