import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect as connectTcp, Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createChecker } from '../../src/net/checker.ts';
import { connectDirectly, dial } from '../../src/net/dial.ts';
import { toOutboundFailure } from '../../src/net/failure.ts';
import { safeFetch } from '../../src/net/safe-fetch.ts';
import { parseAllowedTargets } from '../../src/net/ssrf-guard.ts';

let server: Server;
let touched = 0;
beforeAll(async () => {
  server = createServer((_request, response) => response.end('inside'));
  server.on('connection', () => {
    touched += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const options = { connect: connectDirectly, ca: undefined, connectMs: 10_000, opened: () => {} };
const target = (addresses: string[]) => ({
  addresses,
  host: 'example.com',
  port: (server.address() as AddressInfo).port,
  secure: false,
});

describe('connecting', () => {
  it('reaches the address it was given', async () => {
    const socket = await dial(target(['127.0.0.1']), options);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
    expect(touched).toBe(1);
  });

  it('tries the other address family, and reports when nothing listens', async () => {
    const socket = await dial(target(['127.0.0.1', '::1']), options);
    socket.destroy();
    await expect(dial(target(['127.255.255.254']), options)).rejects.toMatchObject({
      code: 'unreachable',
      nothingListens: true,
    });
  });

  it('ends with the socket when it takes too long', async () => {
    const never = {
      ...options,
      connectMs: 20,
      connect: () => ({ socket: new Socket(), reachedAddress: () => undefined }),
    };
    await expect(dial(target(['127.0.0.1']), never)).rejects.toMatchObject({
      code: 'timeout',
      nothingListens: true,
    });
  });
});

describe('what went wrong', () => {
  it('is found in a chain of up to three causes', () => {
    const caused = (causes: number): Error => {
      if (causes === 0) return Object.assign(new Error('ours'), { code: 'ENOTFOUND' });
      return new Error('of a library', { cause: caused(causes - 1) });
    };
    expect([0, 3, 4].map((causes) => toOutboundFailure(caused(causes), 'tls').code)).toEqual([
      'nxdomain',
      'nxdomain',
      'tls',
    ]);
  });
});

describe('the SSRF check as it is used', () => {
  const port = () => (server.address() as AddressInfo).port;
  const fetched = (url: string, addresses: string[]) =>
    safeFetch(
      { url, accept: '*/*', bodyBytesMax: 100, deadlineMs: 10_000 },
      { resolve: async () => addresses },
    );

  it.each([
    ['http://example.com/', ['127.0.0.1']],
    ['http://example.com/', ['8.8.8.8', '::ffff:127.0.0.1']],
    ['http://127.0.0.1/', ['8.8.8.8']],
    ['http://[::1]/', ['8.8.8.8']],
    ['http://2130706433/', ['8.8.8.8']],
    ['http://0x7f.1/', ['8.8.8.8']],
    ['http://①②⑦.⓪.⓪.①/', ['8.8.8.8']],
    ['http://a:b@example.com/', ['8.8.8.8']],
    ['ftp://example.com/', ['8.8.8.8']],
    ['no url', ['8.8.8.8']],
  ])('refuses %s at %j', async (url, addresses) => {
    const before = touched;
    await expect(fetched(url, addresses)).rejects.toMatchObject({ code: 'refused_address' });
    await expect(fetched(`http://example.com:${port()}/`, ['8.8.8.8'])).rejects.toMatchObject({
      code: 'refused_address',
    });
    expect(touched).toBe(before);
  });

  it('leaves no connection open that was started at its timeout', async () => {
    const begun: Socket[] = [];
    const connect = () => {
      const socket = new Socket();
      begun.push(socket);
      return { socket, reachedAddress: () => undefined };
    };
    const resolve = async () => {
      // So late that the first address is still waited for when all time is over.
      await sleep(40);
      return ['8.8.8.8', '2001:4860:4860::8888'];
    };
    const asking = safeFetch(
      { url: 'http://example.com/', accept: '*/*', bodyBytesMax: 100, deadlineMs: 60 },
      { resolve, connect, connectMs: 10_000 },
    );
    await expect(asking).rejects.toMatchObject({ code: 'timeout' });
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(begun.length).toBeGreaterThan(0);
    expect(begun.filter((socket) => !socket.destroyed)).toEqual([]);
  });

  it('finds a port up by IPv6 where IPv4 does not respond', async () => {
    const checker = createChecker({
      resolve: async () => ['8.8.8.8', '2001:4860:4860::8888'],
      records: async () => [],
      allowed: parseAllowedTargets([]),
      userAgent: 'test',
      connect: ({ address }) => ({
        socket: address.includes(':') ? connectTcp(port(), '127.0.0.1') : new Socket(),
        reachedAddress: () => address,
      }),
    });
    const asked = await checker.port({ host: 'dual.test', port: port(), timeoutMs: 400 });
    expect(asked).toMatchObject({ ok: true });
  });
});
