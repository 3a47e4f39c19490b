import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { bodyTimeouts } from '../../../src/http/bodies/body-timeouts.ts';
import { Connections } from '../../../src/http/server/connections.ts';
import { inFull } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';

let nowMs = 0;
const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const large = Buffer.alloc(64 * 1024 * 1024, 'x');

interface Served {
  readonly connections: Connections;
  readonly port: number;
  readonly outgoing: ServerResponse[];
}

async function served(
  readers: { readonly restMs: number; readonly graceMs: number },
  connectionsMax = 100,
): Promise<Served> {
  const connections = new Connections({
    limits: {
      timeouts: { ...bodyTimeouts, readers },
      connectionsMax,
      checkIntervalMs: 1_000,
      ofAddress: null,
    },
    ofSocket: () => ({ address: 'one', isProxy: false }),
    ofRequest: () => 'one',
    clock: () => nowMs,
  });
  const outgoing: ServerResponse[] = [];
  const server = createServer((request, response) => {
    connections.onRequest(request, response);
    outgoing.push(response);
    if (request.url === '/large') response.end(large);
    else response.write('begun');
  });
  server.on('connection', (socket) => connections.onConnection(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { connections, port: (server.address() as AddressInfo).port, outgoing };
}

async function asks({ port, outgoing }: Served, path: string): Promise<Socket> {
  const before = outgoing.length;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}).pause();
  ends.push(() => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await until(() => outgoing.length > before);
  return socket;
}

describe('a client that does not read its answer', () => {
  it('is disconnected, but one that waits for more is not', async () => {
    const server = await served({ restMs: 100, graceMs: 1e9 });
    await asks(server, '/live');
    const silent = await asks(server, '/large');
    // Saying something is no sign of reading.
    const says = setInterval(() => silent.write('\r\n'), 10);
    ends.push(() => clearInterval(says));
    await until(() => {
      nowMs += 20;
      server.connections.closeOverdue();
      return server.outgoing[1]?.destroyed === true;
    });
    // It has not said more for as long.
    expect(server.outgoing[0]?.destroyed).toBe(false);
    expect(server.connections.counts().connections).toBe(1);
  });

  inFull(it)('gets everything if it reads slowly', async () => {
    const restMs = 1_500;
    const server = await served({ restMs, graceMs: 1e9 });
    const beganMs = nowMs;
    const socket = await asks(server, '/large');
    let read = 0;
    while (read <= large.length && !socket.destroyed) {
      server.connections.closeOverdue();
      const part: Buffer | null = socket.read();
      read += part?.length ?? 0;
      // Some hundreds of parts lie in buffers between the two: so long nothing moves at the server.
      nowMs += ((part?.length ?? 0) / large.length) * 8 * restMs;
      if (part === null) await setImmediate();
    }
    expect(read).toBeGreaterThan(large.length);
    // Long enough that a timer which did not begin anew would have ended it.
    expect(nowMs - beganMs).toBeGreaterThan(2 * restMs);
  });

  it('is disconnected first when connections run out', async () => {
    const server = await served({ restMs: 60_000, graceMs: 0 }, 2);
    const silent = [await asks(server, '/large'), await asks(server, '/large')];
    await until(() => server.outgoing.every(({ socket }) => (socket?.writableLength ?? 0) > 0));
    server.connections.closeOverdue();
    const newcomer = await asks(server, '/live');
    await until(() => newcomer.read() !== null);
    expect(server.outgoing.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    expect([silent.length, server.connections.counts().connections]).toEqual([2, 2]);
  });
});
