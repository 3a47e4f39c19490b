// Only least times are asserted: a busy machine makes them longer, and none shorter.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closedLoop } from './closed-loop.ts';
import { type Job, localTarget } from './job.ts';
import { openLoop } from './open-loop.ts';
import { requestsInTurn } from './pool.ts';

const stallMs = 400;
const requests = { route: 'store', encoding: 'plain', kilobytes: 2 } as const;
let server: Server | null = null;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A server that answers at once, but for the first request, which it holds for a while. */
async function stallingServer(): Promise<{ port: number; bodies: string[] }> {
  const bodies: string[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      bodies.push(body);
      if (bodies.length > 1) response.writeHead(201).end('{}');
      else setTimeout(() => response.writeHead(201).end('{}'), stallMs);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, bodies };
}

function jobFor(port: number, milliseconds: number): Job {
  return { target: localTarget(port, 'key'), requests, connections: 1, milliseconds };
}

describe('an open loop', () => {
  it('counts the time from when a request was due, also of those that could not be sent', async () => {
    const { port, bodies } = await stallingServer();
    const job = { ...jobFor(port, 100), perSecond: 200 };
    const result = await openLoop(job, requestsInTurn(job.target, requests));
    expect(result.requests).toBe(20);
    expect(bodies).toHaveLength(20);
    expect(result.statuses).toEqual({ 201: 20 });
    // All were due within 100 ms, and nothing was answered in the first 400.
    expect(result.p50Ms).toBeGreaterThan(stallMs - 110);
    expect(result.longestSilenceMs).toBeGreaterThan(stallMs - 10);
  });
});

describe('a closed loop', () => {
  it('asks again when it is answered, for as long as it was told', async () => {
    const { port, bodies } = await stallingServer();
    const job = jobFor(port, stallMs / 2);
    const result = await closedLoop(job, requestsInTurn(job.target, requests));
    // The first answer came when the time was over.
    expect(result.requests).toBe(1);
    expect(result.p50Ms).toBeGreaterThan(stallMs - 10);
    expect(JSON.parse(bodies[0] ?? '').message).toBe('Cannot load item 0');
  });
});
