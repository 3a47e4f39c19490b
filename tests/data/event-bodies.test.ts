// A payload comes back as it was stored, or not at all; whatever program stored it.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { BodyDamaged, packBody, unpackBody } from '../../data/event-bodies.ts';
import { benchEvent } from '../bench/event.ts';

const firstDictionary = 'dd935ca3ee9ce371c56862a1508542a1a2c1865f21995bf159277263b1675879';

/** Not one of those that the dictionary was made of. */
const sentEvent = benchEvent(1);

function dictionaryFile(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../../src/core/events/dictionaries', name));
}

describe('the body of an event', () => {
  it.each(['{}', '{"message":"snow \u2603"}', `{"x":"${'long '.repeat(50_000)}"}`])(
    'comes back: %.30s',
    (payload) => {
      expect(unpackBody(packBody(payload))).toBe(payload);
    },
  );

  it('is smaller than it was', () => {
    expect(packBody('{"frames":[]}'.repeat(500)).body.byteLength).toBeLessThan(500);
  });

  it.each([
    ['by 0.1.0, small', { level: 1, windowBits: 12, memLevel: 5 }],
    ['by 0.1.0, large', { level: 1 }],
    ['with the first dictionary', { level: 9, dictionary: dictionaryFile('1.txt') }],
  ])('is read as it was stored %s', (_by, options) => {
    const payload = '{"message":"snow \u2603","platform":"php"}';
    const body = deflateSync(payload, options);
    expect(unpackBody({ body, sha256: hash('sha256', payload, 'buffer') })).toBe(payload);
  });

  it('names its dictionary, which never changes', () => {
    expect(hash('sha256', dictionaryFile('1.txt'))).toBe(firstDictionary);
    expect(packBody('{}').body.subarray(2, 6)).toEqual(
      deflateSync('', { dictionary: dictionaryFile('1.txt') }).subarray(2, 6),
    );
  });

  it('is refused where its dictionary is not known here', () => {
    const payload = '{"message":"a"}';
    const body = deflateSync(payload, { dictionary: Buffer.from('another') });
    expect(() => unpackBody({ body, sha256: hash('sha256', payload, 'buffer') })).toThrow(BodyDamaged);
  });

  it('takes three quarters of what it takes without a dictionary, or less', () => {
    const { body } = packBody(sentEvent);
    expect(body.byteLength).toBeLessThan(0.75 * deflateSync(sentEvent).byteLength);
  });

  it('is refused when any byte of it has changed', () => {
    const packed = packBody('{"message":"a","extra":"0123456789"}');
    let refused = 0;
    for (let index = 0; index < packed.body.byteLength; index += 1) {
      const body = Uint8Array.from(packed.body);
      body[index] = (body[index] ?? 0) ^ 1;
      let read: string | null = null;
      try {
        read = unpackBody({ ...packed, body });
      } catch (error) {
        expect(error).toBeInstanceOf(BodyDamaged);
        refused += 1;
      }
      // Some bits of the container mean nothing; what is read is right in any case.
      expect([null, '{"message":"a","extra":"0123456789"}']).toContain(read);
    }
    const bytes = packed.body.byteLength;
    process.stderr.write(
      `F13: ${refused} of ${bytes} changed bytes were found, ${bytes - refused} changed nothing that is read\n`,
    );
  });
});
