// One stream for many texts says what a stream for each would.
import { createDeflate, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDeflater } from '../../../src/core/events/deflater.ts';

const dictionary = Buffer.from('"stacktrace":{"frames":[{"filename":"');
const options = { level: 1, windowBits: 13, memLevel: 5, dictionary };
const plainBytesMax = 4_096;

describe('a stream that is used again', () => {
  it('answers the bytes of a stream of its own, whatever came before', () => {
    const deflate = createDeflater(options, plainBytesMax);
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.string({ minLength: 1, maxLength: 20 }).map((part) => part.repeat(250)),
      fc.uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        for (const each of texts) {
          const plain = Buffer.from(each);
          const made = deflate(plain);
          expect(made.equals(deflateSync(plain, options))).toBe(true);
          expect(inflateSync(made, { dictionary }).equals(plain)).toBe(true);
        }
      }),
    );
  });

  it('keeps what it answered when the next text is deflated', () => {
    const deflate = createDeflater(options, plainBytesMax);
    const first = deflate(Buffer.from('the first text'));
    const copy = Buffer.from(first);
    deflate(Buffer.from('another text, which is longer'));
    expect(first.equals(copy)).toBe(true);
  });

  it('is what this Node has: a new one that is made otherwise costs a third more, and nobody would see', () => {
    const { _handle: handle } = createDeflate() as unknown as { _handle?: Record<string, unknown> };
    expect([typeof handle?.['writeSync'], typeof handle?.['reset']]).toEqual(['function', 'function']);
  });

  it('leaves to zlib what finds no room, and goes on', () => {
    const deflate = createDeflater(options, 64);
    const noise = Buffer.from(Array.from({ length: 64 }, (_, index) => (index * 73 + 41) % 256));
    for (const plain of [noise, Buffer.from('a'), Buffer.alloc(65, 'a'), noise, Buffer.from('b')]) {
      expect(deflate(plain).equals(deflateSync(plain, options))).toBe(true);
    }
  });
});
