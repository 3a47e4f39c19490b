import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRequestBody } from '../../../src/http/bodies/read-body.ts';

const limits = { sentBytesMax: 100_000, inflatedBytesMax: 100_000 };

let server: Server;
const agent = new Agent({ keepAlive: true });
let turn = 0;
let isOver = false;
const takenIn: number[] = [];

beforeAll(async () => {
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  server = createServer(async (incoming, outgoing) => {
    await readRequestBody(incoming, limits);
    takenIn.push(turn);
    outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  isOver = true;
  agent.destroy();
  await new Promise((resolve) => server.close(resolve));
});

async function sendAtOnce(count: number): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const answered = Array.from({ length: count }, () => {
    return new Promise<void>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST', agent }, (answer) => {
        answer.resume().once('end', resolve);
      });
      sent.on('error', reject).end('x'.repeat(48_000));
    });
  });
  await Promise.all(answered);
}

describe('bodies that arrive at the same time', () => {
  it('take one turn of the event loop each when each is large', async () => {
    await sendAtOnce(8);
    takenIn.length = 0;
    await sendAtOnce(8);
    expect(takenIn.length).toBe(8);
    expect(new Set(takenIn).size).toBe(8);
  });
});
