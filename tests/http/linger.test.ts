// An early refusal reaches a client that is still sending its body: the connection is not reset under the answer.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const bodyBytes = 8 * 1_048_576;

it.each([
  ['/wp-json/notifier/v1/store', 401],
  ['/no-such-page', 404],
])('%s answers %i before the body has come, and the client reads it', async (path, status) => {
  const { hostname, port } = new URL(app.origin);
  const faults: string[] = [];
  let answer = '';
  // It sends on after the server has said its last word, as clients do.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', (error) => faults.push(error.message));
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bodyBytes}\r\nConnection: close\r\n\r\n`,
  );
  await once(socket, 'end');
  const slice = Buffer.alloc(65_536);
  for (let sent = 0; sent < bodyBytes; sent += slice.length) {
    if (!socket.write(slice)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
  socket.end();
  if (!socket.closed) await once(socket, 'close');
  expect(faults).toEqual([]);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});
