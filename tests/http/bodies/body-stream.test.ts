import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';

const app = sharedApp();

const path = '/wp-json/notifier/v1/artifacts';

async function hangUp(type: string, start: string, target = path): Promise<void> {
  const { port } = new URL(app.origin);
  const socket = connect(Number(port), '127.0.0.1');
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${app.secretKey}`,
    `Content-Type: ${type}`,
  ];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: 1000000\r\n\r\n${start}`);
  const answered = new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
  // Either it was refused at once, or it waits for the rest that never comes.
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 100))]);
  socket.destroy();
}

function send(body: Uint8Array, headers: Record<string, string>): Promise<{ status: number; code: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${app.origin}${path}?release=r`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.secretKey}`, 'Content-Length': body.length, ...headers },
    });
    sent.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, code: JSON.parse(Buffer.concat(chunks).toString()).code });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('an upload', () => {
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.js"\r\n\r\nabc';

  it.each([
    ['in the middle of a file', 'multipart/form-data; boundary=b', part, path],
    ['before its first byte', 'multipart/form-data; boundary=b', '', path],
    ['in the middle of JSON', 'application/json', '{"files":[', path],
    ['in the middle of an archive', 'application/zip', 'PK', path],
    ['of a type that nobody reads', 'text/plain', 'abc', path],
    ['of chunks', 'multipart/form-data; boundary=b', part, '/api/0/organizations/any/chunk-upload/'],
  ])('that breaks off %s affects no other request', async (_name, type, start, target) => {
    await hangUp(type, start, target);
    expect(await app.get('/artifacts')).toHaveStatus(200);
  });

  it('is decompressed by its Content-Encoding, and refused if that does not match', async () => {
    const json = Buffer.from(JSON.stringify({ release: 'r', files: [{ name: 'a.js', content: 'a()' }] }));
    const type = { 'Content-Type': 'application/json' };
    expect(await send(gzipSync(json), { ...type, 'Content-Encoding': 'gzip' })).toMatchObject({
      status: 201,
    });
    expect(await send(json, { ...type, 'Content-Encoding': 'gzip' })).toEqual({
      status: 400,
      code: 'notifier_invalid_encoding',
    });
    expect(await send(json, { ...type, 'Content-Encoding': 'rot13' })).toEqual({
      status: 400,
      code: 'notifier_invalid_encoding',
    });
  });

  it('of a form is parsed, compressed or not', async () => {
    const script = Buffer.from(`a(${'1,'.repeat(100_000)}2)`);
    const field = '--b\r\nContent-Disposition: form-data; name="release"\r\n\r\nform\r\n';
    const start = `${field}--b\r\nContent-Disposition: form-data; name="file"; filename="form.js"\r\n\r\n`;
    const form = Buffer.concat([Buffer.from(start), script, Buffer.from('\r\n--b--\r\n')]);
    const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
    expect(await send(form, type)).toMatchObject({ status: 201 });
    // 200: the file that is there already, to the byte.
    expect(await send(gzipSync(form), { ...type, 'Content-Encoding': 'gzip' })).toMatchObject({
      status: 200,
    });
    expect(await send(gzipSync(form).subarray(0, 200), { ...type, 'Content-Encoding': 'gzip' })).toEqual({
      status: 400,
      code: 'notifier_invalid_encoding',
    });
  });

  inFull(it)('that decompresses past the limit is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(101 * 1024 * 1024));
    const headers = { 'Content-Type': 'application/zip', 'Content-Encoding': 'gzip' };
    expect(await send(bomb, headers)).toEqual({ status: 400, code: 'rest_payload_too_large' });
  });

  inFull(it)('of a file over the limit is refused, and the connection answers the next request', async () => {
    const start = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.js"\r\n\r\n');
    const end = Buffer.from('\r\n--b--\r\n');
    const body = Buffer.concat([start, Buffer.alloc(50 * 1024 * 1024 + 1, 97), end]);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    expect(await send(body, headers)).toEqual({ status: 400, code: 'rest_payload_too_large' });
    expect(await app.get('/artifacts')).toHaveStatus(200);
  });
});
