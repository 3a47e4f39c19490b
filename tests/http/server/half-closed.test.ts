import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;
let ended: Promise<unknown> = Promise.resolve();
beforeAll(async () => {
  app = await openTestApp({
    deps: {
      mapEvent: async (_project, event) => {
        await ended;
        return { event, needsMapping: false };
      },
    },
  });
});
beforeEach(() => {
  const seen = Promise.withResolvers<void>();
  ended = seen.promise;
  app.server.once('connection', (socket: Socket) => void socket.once('end', () => seen.resolve()));
});
afterAll(() => app.close());

const body = JSON.stringify({ message: 'the last word' });

function request(): string {
  return [
    'POST /wp-json/notifier/v1/store HTTP/1.1',
    'Host: x',
    `X-Notifier-Key: ${app.publicKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

describe('a connection whose client half-closes before the answer', () => {
  it.each([
    ['a whole request', ''],
    ['a request and what is no HTTP', 'no HTTP at all\r\n\r\n'],
  ])('behind %s gets its answer and is closed', async (_name, behind) => {
    const socket = connect({
      port: Number(new URL(app.origin).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    await once(socket, 'connect');
    socket.end(request() + behind);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).toContain('"accepted":true');
  });
});
