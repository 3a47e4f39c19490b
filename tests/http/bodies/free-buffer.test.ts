import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { discardBody, freeBuffer } from '../../../src/http/bodies/free-buffer.ts';

const piece = (): Buffer => Buffer.allocUnsafeSlow(1000);

describe('freeing and discarding bodies', () => {
  it('frees a chunk that has its own buffer, and no shared one', () => {
    const [own, shared] = [piece(), piece()];
    freeBuffer(own);
    freeBuffer(own);
    freeBuffer(shared.subarray(1));
    expect([own.length, shared.length]).toEqual([0, 1000]);
  });

  it('frees the chunks of a body that nobody reads', async () => {
    const body = new PassThrough();
    const pieces = [piece(), piece()];
    for (const each of pieces) body.write(each);
    discardBody(body as unknown as IncomingMessage);
    await new Promise((ended) => body.once('end', ended).end());
    expect(pieces.map(({ length }) => length)).toEqual([0, 0]);
  });

  it('keeps the chunks of a body that has another listener', async () => {
    const body = new PassThrough();
    const heard: Buffer[] = [];
    body.on('data', (each: Buffer) => heard.push(each));
    discardBody(body as unknown as IncomingMessage);
    body.write(piece());
    await new Promise((ended) => body.once('end', ended).end());
    expect(heard.map(({ length }) => length)).toEqual([1000]);
  });
});
