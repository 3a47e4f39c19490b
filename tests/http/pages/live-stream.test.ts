import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import express from 'express';
import type { TailClient } from '../../../src/core/page-models/live-tail.ts';
import type { LiveEvent } from '../../../src/core/store/page-queries.ts';
import { createLiveStreams, type LiveStreams } from '../../../src/http/pages/live-stream.ts';
import { allowHalfClosedClients } from '../../../src/http/server/lingering-close.ts';
import { inFull } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';

let server: Server;
let streams: LiveStreams;
let origin: string;
const followers = new Set<TailClient>();
let open: Stream[] = [];

beforeEach(async () => {
  followers.clear();
  open = [];
  streams = createLiveStreams({
    deps: {
      random: () => 0,
      log: { error: (...words: unknown[]) => process.stderr.write(`${JSON.stringify(words)}\n`) },
      store: {
        listProjects: async () => [{ id: 7, name: 'shop' }],
        listAccess: async ([id = 0]) => new Map([[id, { hasAllProjects: true, projectIds: [] }]]),
      },
    } as never,
    sessionGuard: {
      async currentUser({ headers }: IncomingMessage) {
        const memberId = Number(headers['x-member'] ?? 0);
        return memberId === 0 ? null : ({ memberId, sessionId: memberId, role: 'viewer' } as never);
      },
    },
    address: { base: '/errors', answers: () => true } as never,
    heartbeatMs: 20,
    tail: {
      follow(follower) {
        followers.add(follower);
        return () => void followers.delete(follower);
      },
      close() {},
    },
  });
  const app = express();
  app.use(streams.layer);
  app.use((_request, response) => void response.status(418).end());
  server = createServer(app).listen(0, '127.0.0.1');
  allowHalfClosedClients(server);
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const { close } of open) close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  // Every way out gives the place back.
  await until(() => followers.size === 0);
});

interface Stream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  text(): string;
  isOver(): boolean;
  close(): void;
}

function ask(
  member: number | null,
  path = '/live/stream',
  options: { method?: string } = {},
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const headers = member === null ? {} : { 'X-Member': String(member) };
    const asked = request(`${origin}/errors${path}`, { agent: false, headers, ...options }, (response) => {
      let text = '';
      let isOver = false;
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.once('close', () => {
        isOver = true;
      });
      response.on('error', () => {});
      const { statusCode: status = 0, headers: answered } = response;
      const stream = {
        status,
        headers: answered,
        text: () => text,
        isOver: () => isOver,
        close: () => asked.destroy(),
      };
      open.push(stream);
      resolve(stream);
    });
    asked.on('error', reject).end();
  });
}

const event = (row: number, title = 'TypeError: no'): LiveEvent => ({
  row,
  projectId: 7,
  issueId: 3,
  eventId: 'f'.repeat(32),
  receivedAtMs: 0,
  level: 'error',
  title,
  culprit: '',
});

it('is an event stream that is not cached, buffered or compressed', async () => {
  const { status, headers, text } = await ask(1);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(headers['content-encoding']).toBeUndefined();
  await until(() => text().includes(':\n\n'));
  expect(text().startsWith('retry: 3000\n\n')).toBe(true);
});

it('sends an event with its row id and what the page shows of it', async () => {
  const stream = await ask(1);
  for (const follower of followers) follower.event(event(41));
  await until(() => stream.text().includes('event: row'));
  const [, data = ''] = /id: 41\nevent: row\ndata: (.*)\n\n/.exec(stream.text()) ?? [];
  expect(JSON.parse(data)).toEqual({
    cells: {
      level: 'error',
      at: '1970-01-01T00:00:00.000Z',
      type: 'TypeError',
      message: 'no',
      project: 'shop',
      event: 'ffffffff',
      path: '/errors/issues/3/events/ffffffffffffffffffffffffffffffff',
    },
  });
});

it('encodes a line break in a title within the message', async () => {
  const stream = await ask(1);
  for (const follower of followers) follower.event(event(1, 'x\n\nevent: row\ndata: {}\n\n'));
  await until(() => stream.text().includes('id: 1\n'));
  expect(stream.text().match(/^event: row$/gm)).toHaveLength(1);
});

it.each([
  ['/live/stream?project=7&level=fatal&after=12', { projectIds: [7], level: 'fatal' }, 12],
  ['/live/stream?level=loud&after=-1', { projectIds: null, level: null }, null],
])('reads %s', async (path, filter, afterRow) => {
  await ask(1, path);
  expect([...followers]).toMatchObject([{ filter, afterRow, sessionId: 1 }]);
});

it.each([
  ['strangers', null, '/live/stream', 'GET', 401],
  ['a project that is not there', 1, '/live/stream?project=8', 'GET', 404],
  ['whoever posts', 1, '/live/stream', 'POST', 405],
  ['nobody elsewhere', 1, '/live', 'GET', 418],
] as const)('refuses %s', async (_who, member, path, method, status) => {
  expect(await ask(member, path, { method })).toHaveStatus(status);
  expect(followers.size).toBe(0);
});

it('allows a member three streams, and a closed one frees its place', async () => {
  const all = [await ask(1), await ask(1), await ask(1)];
  const fourth = await ask(1);
  expect([fourth.status, fourth.headers['retry-after']]).toEqual([429, '30']);
  expect(await ask(2)).toHaveStatus(200);
  all[0]?.close();
  await until(() => followers.size === 3);
  expect(await ask(1)).toHaveStatus(200);
});

inFull(it)('allows 200 streams in all', async () => {
  const all = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(1 + Math.floor(index / 3))));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(200);
  expect(await ask(900)).toHaveStatus(429);
  for (const { close } of all.slice(0, 1)) close();
  await until(() => followers.size === 199);
  expect(await ask(900)).toHaveStatus(200);
});

it('ends when the live tail ends it, all at shutdown, and refuses from then on', async () => {
  const [first, second] = [await ask(1), await ask(2)];
  for (const follower of followers) if (follower.sessionId === 1) follower.end();
  await until(() => first.isOver());
  expect(second.isOver()).toBe(false);
  streams.stop();
  await until(() => second.isOver());
  await until(() => followers.size === 0);
  expect(await ask(3)).toHaveStatus(503);
});

it('drops a client that does not read, and no other', async () => {
  const reader = await ask(1);
  const { port } = server.address() as AddressInfo;
  const slow = connect(port, '127.0.0.1');
  slow.on('error', () => {}).pause();
  slow.write('GET /errors/live/stream HTTP/1.1\r\nHost: x\r\nX-Member: 2\r\n\r\n');
  await until(() => followers.size === 2);
  let told = 0;
  while (followers.size === 2 && told < 20_000) {
    for (const follower of [...followers]) follower.event(event(told, 'x'.repeat(8_000)));
    told += 1;
    // A turn of the loop, in which whoever reads can do so.
    await new Promise(setImmediate);
  }
  slow.destroy();
  expect([...followers].map(({ sessionId }) => sessionId)).toEqual([1]);
  await until(() => reader.text().includes(`id: ${told - 1}\n`));
  process.stderr.write(
    `F9: who reads nothing was let go of after ${told} events of 8 KB, the other read all\n`,
  );
});

it('ends when its client closes its side of the connection', async () => {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true });
  const over = text(socket);
  socket.write('GET /errors/live/stream HTTP/1.1\r\nHost: x\r\nX-Member: 1\r\n\r\n');
  await until(() => followers.size === 1);
  socket.end();
  await until(() => followers.size === 0);
  expect(await over).toContain('text/event-stream');
});
