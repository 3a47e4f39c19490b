// The recorded exchanges: reading them, sending one as it was recorded, and saying how an answer differs.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';

export type Header = readonly [string, string | null];

export type Exchange = {
  readonly id: string;
  readonly variant?: string;
  /** Members of the answer whose values are made anew each time. */
  readonly volatile?: readonly string[];
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly Header[];
    readonly body?: string;
    readonly body_base64?: string;
    /** `[head, unit, count, tail]` of a big body. */
    readonly fill?: readonly [string, string, number, string];
    /** The body is sent as it is, without a Content-Length. */
    readonly raw?: boolean;
  };
  readonly response: {
    readonly status: number;
    readonly headers: ReadonlyArray<readonly [string, string]>;
    readonly body?: string;
    readonly body_length?: number;
    readonly body_sha256?: string;
    readonly body_head?: string;
    readonly body_tail?: string;
  };
};

export type Answer = {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: Buffer;
};

const file = resolve(import.meta.dirname, '../fixtures/exchanges.jsonl');

export function readExchanges(path = file): Exchange[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Exchange);
}

/** Why an exchange is not compared, or null: the differences the decisions name. */
export function namedDifference(exchange: Exchange): string | null {
  const body = exchange.response.body ?? '';
  if (exchange.variant === 'https') return 'over TLS';
  if (body.includes('nginx')) return "the web server's own page";
  if (body.includes('critical error')) return 'crash page';
  return null;
}

/** Sends the request byte for byte on a connection of its own. */
export function send(port: number, exchange: Exchange): Promise<Answer> {
  const bytes = requestBytes(exchange);
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    const method = exchange.request.method;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      const answer = readAnswer(Buffer.concat(chunks), method, false);
      if (answer === null) return;
      socket.destroy();
      done(answer);
    });
    socket.on('end', () => {
      const answer = readAnswer(Buffer.concat(chunks), method, true);
      if (answer === null) fail(new Error(`${exchange.id}: the connection closed without an answer`));
      else done(answer);
    });
    socket.on('error', fail);
  });
}

function requestBytes({ request }: Exchange): Buffer {
  const body = bodyBytes(request);
  const named = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const headers: Header[] = named.has('host') ? [] : [['Host', 'notifier.test']];
  headers.push(...request.headers);
  const hasLength = named.has('content-length') || named.has('transfer-encoding');
  if (body !== null && !hasLength) headers.push(['Content-Length', String(body.length)]);
  const lines = headers.filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}`);
  const head = `${request.method} ${request.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body ?? Buffer.alloc(0)]);
}

function bodyBytes(request: Exchange['request']): Buffer | null {
  if (request.body_base64 !== undefined) return Buffer.from(request.body_base64, 'base64');
  if (request.fill !== undefined) {
    const [head, unit, count, tail] = request.fill;
    return Buffer.concat([Buffer.from(head), Buffer.from(unit.repeat(count)), Buffer.from(tail)]);
  }
  return request.body === undefined ? null : Buffer.from(request.body);
}

/** The answer in the bytes, or null while it is not whole; interim answers (100) are skipped. */
function readAnswer(bytes: Buffer, method: string, ended: boolean): Answer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('utf8').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (status >= 100 && status < 200) return readAnswer(rest, method, ended);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  const chunked = headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  if (isEmpty) return { status, headers, body: Buffer.alloc(0) };
  if (chunked) {
    const body = unchunk(rest);
    return body === null ? null : { status, headers, body };
  }
  if (length === undefined) return ended ? { status, headers, body: rest } : null;
  return rest.length < Number(length) ? null : { status, headers, body: rest.subarray(0, Number(length)) };
}

function unchunk(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (size === 0) return Buffer.concat(parts);
    if (bytes.length < end + 4 + size) return null;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 4 + size;
  }
}

/** Headers that belong to the connection or the moment, not to WordPress. */
const ignoredHeaders = new Set([
  'date',
  'server',
  'x-powered-by',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

/** How the answer differs from the recorded one; empty when it does not. */
export function differences(exchange: Exchange, answer: Answer): string[] {
  const found: string[] = [];
  const recorded = exchange.response;
  if (recorded.status !== answer.status) found.push(`status ${answer.status}, recorded ${recorded.status}`);
  const [ours, theirs] = [comparable(answer.headers), comparable(recorded.headers)];
  if (ours !== theirs) found.push(`headers\n  ours     ${ours}\n  recorded ${theirs}`);
  const body = bodyDifference(exchange, answer.body);
  if (body !== null) found.push(body);
  return found;
}

function comparable(headers: ReadonlyArray<readonly [string, string]>): string {
  return JSON.stringify(headers.filter(([name]) => !ignoredHeaders.has(name.toLowerCase())));
}

const madeIds = ['issue_id', 'feedback_id', 'release_id', 'deploy_id', 'test_run_id'];

function bodyDifference(exchange: Exchange, body: Buffer): string | null {
  const { response } = exchange;
  if (response.body_sha256 !== undefined) {
    const sum = createHash('sha256').update(body).digest('hex');
    const same = sum === response.body_sha256 && body.length === response.body_length;
    return same ? null : `body of ${body.length} bytes, recorded ${response.body_length}, or another sum`;
  }
  const aside = [...madeIds, ...(exchange.volatile ?? [])];
  let [ours, theirs] = [
    withoutMembers(body.toString('utf8'), aside),
    withoutMembers(response.body ?? '', aside),
  ];
  if (exchange.id === 'routing/index') [ours, theirs] = [withoutCoreRoutes(ours), withoutCoreRoutes(theirs)];
  return ours === theirs
    ? null
    : `body\n  ours     ${ours.slice(0, 3000)}\n  recorded ${theirs.slice(0, 3000)}`;
}

/** The text with the values of some members left out, and every other byte as it is. */
function withoutMembers(text: string, names: readonly string[]): string {
  const members = new RegExp(`("(?:${names.join('|')})":)(?:\\d+|"[^"]*")`, 'g');
  return text.replace(members, '$1-');
}

/** The index of the site lists core's own namespaces and routes, which are not ours to have. */
function withoutCoreRoutes(text: string): string {
  const index = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify({ ...index, routes: null, namespaces: null });
}
