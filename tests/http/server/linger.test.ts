// An answer that is given before the body has come reaches who is still sending it.
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../../support/app.ts';

describe('a refusal while the body is coming', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app.close());

  /** Sends a whole body and reads only then, as a proxy does that has kept it; answers what it could read. */
  function sendThenRead(requests: readonly string[], body: Buffer): Promise<string> {
    const { port } = app.server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.pause();
      socket.once('error', reject);
      for (const request of requests) socket.write(request);
      socket.write(body, (error) => {
        if (error !== undefined && error !== null) return;
        let text = '';
        socket.setEncoding('latin1');
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.once('close', () => resolve(text));
        socket.resume();
      });
    });
  }

  const body = Buffer.alloc(6 * 1_048_576, 0x20);
  const post = (path: string): string =>
    `POST /wp-json/notifier/v1${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`;

  it('is not lost', async () => {
    const text = await sendThenRead([post('/artifacts')], body);
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text).toContain('"code":"rest_forbidden"');
    expect(text).toMatch(/\r\nConnection: close\r\n/);
  });

  it('is not lost on a connection that has served before', async () => {
    const before = 'GET /wp-json/notifier/v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n';
    const text = await sendThenRead([before, post('/releases')], body);
    expect(text.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 401']);
  });

  it('ends the connection although the sender goes on without end', async () => {
    const { port } = app.server.address() as AddressInfo;
    const sent = await new Promise<number>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      const chunk = Buffer.alloc(1_048_576, 0x20);
      socket.write(
        `POST /wp-json/notifier/v1/artifacts HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n`,
      );
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk)) {}
      };
      socket.on('drain', more);
      socket.on('error', () => {});
      socket.resume();
      socket.on('close', () => resolve(socket.bytesWritten));
      more();
    });
    expect(sent).toBeLessThan(256 * 1_048_576);
  }, 20_000);
});
