import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type BodyState, getBodyState } from '../../../src/http/bodies/body-state.ts';
import { BodyStalled, bodyTimeouts, isOverdue } from '../../../src/http/bodies/body-timeouts.ts';
import { type ConnectionLimits, Connections } from '../../../src/http/server/connections.ts';

const opened: Array<() => void> = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

interface Watched {
  readonly connections: Connections;
  readonly port: number;
  arrived(): number;
  answerSlow(): void;
  /** Of the last request to `/streamed`. */
  streamed(): BodyState | null;
}

/** A server that counts; `/slow` is answered when the test says so, everything else at once. */
async function watched(
  limits: Partial<ConnectionLimits>,
  proxy?: string,
  clock = () => performance.now(),
): Promise<Watched> {
  const connections = new Connections({
    limits: {
      timeouts: bodyTimeouts,
      connectionsMax: 100,
      checkIntervalMs: 1_000,
      ofAddress: null,
      ...limits,
    },
    ofSocket: (socket) => ({ address: socket.remoteAddress ?? '', isProxy: socket.remoteAddress === proxy }),
    ofRequest: (incoming) => String(incoming.headers['x-client']),
    clock,
  });
  const waiting: Array<() => void> = [];
  let streamed: BodyState | null = null;
  const server: Server = createServer((incoming, outgoing) => {
    connections.onRequest(incoming, outgoing);
    incoming.resume();
    if (incoming.url === '/streamed') {
      streamed = getBodyState(incoming);
      streamed.isStreamed = true;
      streamed.isListening = true;
    }
    if (incoming.url === '/slow') waiting.push(() => outgoing.end('slow'));
    else if (incoming.headers['content-length'] === undefined) outgoing.end('at once');
    else incoming.once('end', () => outgoing.end('whole'));
  });
  let arrived = 0;
  server.on('connection', (socket) => {
    connections.onConnection(socket);
    arrived += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    connections,
    port: (server.address() as AddressInfo).port,
    arrived: () => arrived,
    streamed: () => streamed,
    answerSlow: () => {
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

interface Caller {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  say(text: string): Promise<void>;
  answered(text: string): Promise<void>;
}

async function call(server: Watched, from = '127.0.0.1'): Promise<Caller> {
  const before = server.arrived();
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: from });
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  opened.push(() => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await until(() => server.arrived() !== before);
  return {
    socket,
    closed,
    async say(text) {
      const was = server.connections.counts().unfinished;
      socket.write(text);
      await Promise.race([until(() => server.connections.counts().unfinished !== was), closed]);
    },
    async answered(text) {
      await until(() => received.includes(text));
      expect(received).toContain(text);
    },
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

const half = (client = 'a'): string =>
  `POST /half HTTP/1.1\r\nHost: x\r\nX-Client: ${client}\r\nContent-Length: 10\r\n\r\nhalf`;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('connections', () => {
  it('a body to disk may go on as long as it moves, or is not read, and not while it rests', async () => {
    let nowMs = 0;
    const server = await watched({}, undefined, () => nowMs);
    const sender = await call(server);
    await sender.say(half().replace('/half', '/streamed'));
    const body = server.streamed();
    if (body === null) throw new Error('The body is not watched.');
    const lookAfter = (seconds: number): void => {
      nowMs += seconds * 1_000;
      server.connections.closeOverdue();
    };
    body.receivedBytes += 4_000_000;
    lookAfter(15);
    body.receivedBytes += 1;
    lookAfter(15);
    lookAfter(15);
    body.isListening = false;
    lookAfter(15);
    body.isListening = true;
    lookAfter(20);
    expect(body.broken).toBeNull();
    lookAfter(1);
    expect(body.broken).toBeInstanceOf(BodyStalled);
  });

  it('past the total number: the oldest idle one is closed', async () => {
    const server = await watched({ connectionsMax: 3 });
    const unfinished = await call(server);
    await unfinished.say(half());
    const used = await call(server);
    used.socket.write(get('/'));
    await used.answered('at once');
    const fresh = await call(server);
    const late = await call(server);
    await used.closed;
    await late.say(half());
    expect(server.connections.counts()).toEqual({ connections: 3, unfinished: 2 });
    await call(server);
    await fresh.closed;
    expect(server.connections.counts().unfinished).toBe(2);
  });

  it('where none is idle: the oldest whose request is not whole; what is being answered stays', async () => {
    const server = await watched({ connectionsMax: 2 });
    const answering = await call(server);
    answering.socket.write(get('/slow'));
    const unfinished = await call(server);
    await unfinished.say(half());
    const late = await call(server);
    await unfinished.closed;
    await late.say(half());
    await call(server);
    await late.closed;
    server.answerSlow();
    await answering.answered('slow');
  });

  it('of one address: past the limit of incomplete requests, its oldest is closed', async () => {
    const server = await watched({ ofAddress: { connectionsMax: 100, unfinishedMax: 2 } });
    const other = await call(server, '127.0.0.2');
    await other.say(half());
    const [first, second, third] = [await call(server), await call(server), await call(server)];
    await first.say(half());
    await second.say(half());
    third.socket.write(half());
    await first.closed;
    second.socket.write(' whole');
    await second.answered('whole');
    other.socket.write(' whole');
    await other.answered('whole');
  });

  it('of one address: a bounded number, idle ones first', async () => {
    const server = await watched({ ofAddress: { connectionsMax: 2, unfinishedMax: 2 } });
    const unfinished = await call(server);
    await unfinished.say(half());
    const idle = await call(server);
    await call(server);
    await idle.closed;
    expect(server.connections.counts()).toEqual({ connections: 2, unfinished: 1 });
  });

  it('behind a trusted proxy: clients are counted separately, the proxy itself is not', async () => {
    const limits = { ofAddress: { connectionsMax: 2, unfinishedMax: 1 } };
    const server = await watched(limits, '127.0.0.1');
    const [one, two, three] = [await call(server), await call(server), await call(server)];
    await one.say(half('a'));
    await two.say(half('b'));
    expect(server.connections.counts()).toEqual({ connections: 3, unfinished: 2 });
    // The second request of the client "a" breaks its first: nobody reads that here, so its connection stays.
    three.socket.write(half('a'));
    three.socket.write(' whole');
    await three.answered('whole');
    expect(one.socket.closed).toBe(false);
    expect(server.connections.counts().unfinished).toBe(1);
  });

  it('are not counted after they close', async () => {
    const server = await watched({ ofAddress: { connectionsMax: 10, unfinishedMax: 10 } });
    const callers = [await call(server), await call(server), await call(server)];
    for (const caller of callers) await caller.say(half());
    callers[0]?.socket.destroy();
    callers[1]?.socket.resetAndDestroy();
    callers[2]?.socket.end(' whole');
    await until(() => server.connections.counts().connections === 0);
    expect(server.connections.counts()).toEqual({ connections: 0, unfinished: 0 });
  });
});

describe('body timeouts', () => {
  const kib = 1024;
  const overdue = (isStreamed: boolean, ageMs: number, receivedBytes: number, restMs = 0): boolean =>
    isOverdue({ isStreamed, ageMs, restMs, receivedBytes }, bodyTimeouts);

  it.each([
    ['at 20 s nothing is overdue', false, 20_000, 0, false],
    ['after 20 s a body that came below 32 KiB a second is', false, 20_001, 20 * 32 * kib, true],
    ['one that came faster is not', false, 20_001, 21 * 32 * kib, false],
    ['as long as it keeps up', false, 60_000, 59 * 32 * kib, true],
    ['after 120 s every one is', false, 120_001, 1e9, true],
  ] as const)('in memory: %s', (_name, isStreamed, ageMs, bytes, expected) => {
    expect(overdue(isStreamed, ageMs, bytes)).toBe(expected);
  });

  it.each([
    ['resting for 20 s is not overdue', 30_000, 0, 20_000, false],
    ['resting longer is', 30_000, 1e9, 20_001, true],
    ['after a minute it must have come at 16 KiB a second', 61_000, 60 * 16 * kib, 0, true],
    ['and may then take long', 14 * 60_000, 14 * 61 * 16 * kib, 0, false],
    ['but not for ever', 15 * 60_000 + 1, 1e9, 0, true],
  ] as const)('to disk: %s', (_name, ageMs, bytes, restMs, expected) => {
    expect(overdue(true, ageMs, bytes, restMs)).toBe(expected);
  });
});
