import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createAssets } from '../../../src/http/pages/assets.ts';

const { addresses, serve } = createAssets('/team');
let server: Server;
beforeAll((done) => {
  const app = express().use(serve);
  server = createServer(app).listen(0, '127.0.0.1', () => done());
});
afterAll((done) => {
  server.close(() => done());
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function ask(method: string, path: string, encoding: string, known?: string): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  const headers = { 'Accept-Encoding': encoding, ...(known === undefined ? {} : { 'If-None-Match': known }) };
  const [response] = await once(
    httpRequest({ host: '127.0.0.1', port, path, method, headers }).end(),
    'response',
  );
  const body = await buffer(response);
  return { status: response.statusCode, headers: response.headers, body };
}

describe('assets of pages', () => {
  it('have a content hash in their name, below the folder of the pages', () => {
    expect(addresses.css).toMatch(/^\/team\/assets\/notifier\.[0-9a-f]{12}\.css$/);
    expect(addresses.js).toMatch(/^\/team\/assets\/notifier\.[0-9a-f]{12}\.js$/);
    expect(addresses.icon).toMatch(/^\/team\/assets\/favicon\.[0-9a-f]{12}\.svg$/);
    expect(createAssets('').addresses.css).toBe(addresses.css.slice('/team'.length));
  });

  it('are small: a style sheet of at most 14 KB and a script of at most 11 KB', async () => {
    const css = await ask('GET', addresses.css, 'gzip');
    const js = await ask('GET', addresses.js, 'gzip');
    expect(Number(css.headers['content-length'])).toBeLessThanOrEqual(14_000);
    expect(Number(js.headers['content-length'])).toBeLessThanOrEqual(11_000);
    expect(Number(css.headers['content-length'])).toBeGreaterThan(1_000);
    expect(Number(js.headers['content-length'])).toBeGreaterThan(1_000);
  });

  it.each([
    ['css', 'text/css; charset=utf-8'],
    ['js', 'text/javascript; charset=utf-8'],
    ['icon', 'image/svg+xml'],
  ] as const)('are the same in each encoding and cached for good: %s', async (kind, contentType) => {
    const gzip = await ask('GET', addresses[kind], 'gzip');
    expect(gzip.headers).toMatchObject({
      'content-type': contentType,
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    const br = await ask('GET', addresses[kind], 'gzip, br');
    expect(br.headers['content-encoding']).toBe('br');
    const plain = await ask('GET', addresses[kind], 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(new Set([gzip, br, plain].map(({ headers }) => headers['etag'])).size).toBe(3);
  });

  it('are revalidated by ETag, and HEAD has no body', async () => {
    const first = await ask('GET', addresses.css, 'gzip');
    const again = await ask('GET', addresses.css, 'gzip', first.headers['etag']);
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await ask('HEAD', addresses.css, 'gzip');
    expect([head.status, head.headers['content-length']]).toEqual([200, first.headers['content-length']]);
  });

  it('serve the service worker for all pages at one address that is revalidated', async () => {
    const { status, headers } = await ask('GET', '/team/assets/push-worker.js', 'gzip');
    expect([status, headers['service-worker-allowed'], headers['cache-control']]).toEqual([
      200,
      '/team/',
      'no-cache',
    ]);
    expect((await ask('GET', addresses.js, 'gzip')).headers['service-worker-allowed']).toBeUndefined();
  });

  it('pass other addresses and methods on to the next handler', async () => {
    const old = addresses.css.replace(/[0-9a-f]{12}/, '000000000000');
    expect(await ask('GET', old, 'gzip')).toHaveStatus(404);
    expect(await ask('GET', '/team/assets/../assets/', 'gzip')).toHaveStatus(404);
    expect(await ask('POST', addresses.css, 'gzip')).toHaveStatus(404);
  });
});

describe('the style sheet as it is served', () => {
  it('has no comments and requests no other host', async () => {
    const text = (await ask('GET', addresses.css, 'identity')).body.toString();
    expect(text).not.toMatch(/\/\*|@import|https?:/);
    expect(text).not.toContain('url(');
  });
});

describe('the script as it is served', () => {
  it('writes no markup and runs no text', async () => {
    const text = (await ask('GET', addresses.js, 'identity')).body.toString();
    expect(text).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(|Function\(/,
    );
  });
});
