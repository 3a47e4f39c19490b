import { createHash } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { peekDsn } from '../../../src/http/bodies/peek-envelope.ts';
import { peekBytes } from '../../../src/http/bodies/read-ahead.ts';
import { readRequestBody } from '../../../src/http/bodies/read-body.ts';
import { fullOrSome, rows } from '../../support/test-level.ts';

const limits = { sentBytesMax: 30_000_000, inflatedBytesMax: 30_000_000 };
const line = `${JSON.stringify({ dsn: 'https://key_1@errors.example/wp-json/notifier/v1/42/' })}\n`;
const found = { key: 'key_1', project: '42' };

let server: Server;
let whenAsked: (incoming: IncomingMessage) => Promise<unknown>;
beforeAll(async () => {
  server = createServer((incoming, response) => {
    whenAsked(incoming).then(
      (answer) => response.end(JSON.stringify(answer)),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends the pieces, one after the other has left, and answers what `ask` made of the request. */
function sent(pieces: readonly Buffer[], encoding: string, ask: typeof whenAsked): Promise<unknown> {
  whenAsked = ask;
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const headers = encoding === '' ? {} : { 'Content-Encoding': encoding };
    const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.once('end', () => resolve(JSON.parse(text)));
    });
    request.once('error', reject);
    const next = (index: number): void => {
      const piece = pieces[index];
      if (piece === undefined) request.end();
      else request.write(piece, () => setImmediate(() => next(index + 1)));
    };
    next(0);
  });
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function both(incoming: IncomingMessage): Promise<unknown> {
  const dsn = await peekDsn(incoming);
  return { dsn, body: digest(await readRequestBody(incoming, limits)) };
}

const noise = createHash('shake256', { outputLength: 200_000 }).digest();
const bodies: Array<[string, Buffer]> = [
  ['small', Buffer.from(`${line}{"type":"event"}\n{}`)],
  ['of one line', Buffer.from(line.trimEnd())],
  ['large and even', Buffer.concat([Buffer.from(line), Buffer.alloc(900_000, 'even ')])],
  ['large and uneven', Buffer.concat([Buffer.from(line), noise])],
];
const encodings: Array<[string, string, (bytes: Buffer) => Buffer]> = [
  ['nothing', '', (bytes) => bytes],
  ['gzip', 'gzip', (bytes) => gzipSync(bytes)],
  ['x-gzip', 'X-GZip', (bytes) => gzipSync(bytes)],
  ['zlib', 'deflate', (bytes) => deflateSync(bytes)],
  ['raw deflate', 'deflate', (bytes) => deflateRawSync(bytes)],
  ['br', 'br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
  ['zstd', 'zstd', (bytes) => zstdCompressSync(bytes)],
];

describe('the DSN is found and the body can still be read', () => {
  const cases = bodies.flatMap(([size, body]) =>
    encodings.map(([name, header, encode]) => [size, name, header, encode(body), digest(body)] as const),
  );

  it.each(rows(() => fullOrSome(cases, 4)))('%s body, %s', async (_size, _name, header, bytes, body) => {
    expect(await sent([bytes], header, both)).toEqual({ dsn: found, body });
    // And in pieces, the first ones of a byte each.
    const pieces = [...bytes.subarray(0, 12)].map((byte) => Buffer.from([byte]));
    expect(await sent([...pieces, bytes.subarray(12)], header, both)).toEqual({ dsn: found, body });
  });
});

describe('a client that stops sending', () => {
  it('has no DSN after a timeout, and later bytes are still read', async () => {
    const whole = Buffer.from(`${line}{"type":"event"}\n{}`);
    let resume = (): void => {};
    const paused = new Promise<void>((resolve) => {
      resume = resolve;
    });
    whenAsked = async (incoming) => {
      const dsn = await peekDsn(incoming, 30);
      resume();
      return { dsn, body: digest(await readRequestBody(incoming, limits)) };
    };
    const { port } = server.address() as AddressInfo;
    const answer = await new Promise((resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port, method: 'POST' }, (response) => {
        response.once('data', (chunk) => resolve(JSON.parse(String(chunk))));
      });
      request.once('error', reject);
      request.write(whole.subarray(0, 20));
      void paused.then(() => request.end(whole.subarray(20)));
    });
    expect(answer).toEqual({ dsn: null, body: digest(whole) });
  });
});

describe('the received bytes of a body', () => {
  it('are read in place, without reading from the socket', () => {
    let asked = 0;
    const body = new Readable({
      highWaterMark: 16 * 1024,
      read() {
        asked += 1;
      },
    });
    body.push(Buffer.alloc(60_000, 'x'));
    const before = asked;
    expect(peekBytes(body as IncomingMessage, 16 * 1024).toString()).toBe('x'.repeat(16 * 1024));
    expect([asked, body.readableLength]).toEqual([before, 60_000]);
    expect(peekBytes(new Readable({ read() {} }) as IncomingMessage, 10)).toHaveLength(0);
  });
});

describe('no DSN is found', () => {
  const ask = (incoming: IncomingMessage): Promise<unknown> => peekDsn(incoming, 2_000);
  it.each([
    ['in a bomb of gzip', gzipSync(Buffer.alloc(20_000_000)), 'gzip'],
    [
      'in a bomb of br',
      brotliCompressSync(Buffer.alloc(20_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
      'br',
    ],
    ['in a bomb of zstd', zstdCompressSync(Buffer.alloc(20_000_000)), 'zstd'],
    ['behind a br window of 30 bits', Buffer.from([0x11, 0x1e, 0, 0]), 'br'],
    ['behind a zstd window over 23 bits', Buffer.from('28b52ffd04a0010000', 'hex'), 'zstd'],
    ['in half of a gzip header', gzipSync(line).subarray(0, 5), 'gzip'],
    ['in bytes that are none of the encoding', noise, 'zstd'],
    ['in two encodings at once', Buffer.from(line), 'gzip, br'],
    ['in a line over 8 KiB', Buffer.from(`{"a":"${'x'.repeat(9_000)}","dsn":"https://k@h/1"}\n`), ''],
    ['without a host', Buffer.from('{"dsn":"k@h/1"}\n'), ''],
    ['in an empty body', Buffer.alloc(0), ''],
  ])('%s', async (_name, bytes, encoding) => {
    expect(await sent([bytes], encoding, ask)).toBeNull();
  });
});
