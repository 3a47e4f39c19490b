// The last step of an answer: its headers and its bytes handed to Node. What they are was decided before.
import type { PhpHeaders } from '../php/headers.ts';
import type { PhpValue } from '../php/values.ts';
import { statusText } from '../response/status-text.ts';
import { type IncomingMessage, ServerResponse } from './node-http.ts';
import type { Header, RestServerOptions } from './options.ts';

/** One HTTP request and what its answer needs of the server. */
export type Exchange = {
  readonly options: RestServerOptions;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly query: ReadonlyMap<string, PhpValue>;
  readonly apiRoot: string;
};

/** Writes the answer: trailing headers of the program's own, then the bytes. */
export function write(
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
  // Nobody waits for the rest of a big body that is refused: it is answered, and the connection closes.
  if (hasMuchUnread(incoming) && options.readOn?.(incoming) !== true) outgoing.shouldKeepAlive = false;
  writeHead(outgoing, sent.status, sent.phrase, flat);
  // A text goes out in one piece with the headers, which is faster, and then in one encoding.
  outgoing.end(headers.isAscii ? body : Buffer.from(body));
}

/**
 * The list of all headers in one is the fastest. Where somebody has put a function of his own in the place of
 * writeHead (compression and the like do, to see the head), it may know no lists, or only lists of pairs:
 * then they are set one by one, which is what Node makes of the list.
 */
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

/** The program's own last word on the headers; names and values in turns, as writeHead takes them. */
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
