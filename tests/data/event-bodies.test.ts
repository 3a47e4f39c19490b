// A payload comes back as it was stored, or not at all.
import { describe, expect, it } from '@jest/globals';
import { BodyDamaged, packBody, unpackBody } from '../../data/event-bodies.ts';

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

  it('is refused when any byte of it has changed', () => {
    const packed = packBody('{"message":"a","extra":"0123456789"}');
    for (let index = 0; index < packed.body.byteLength; index += 1) {
      const body = Uint8Array.from(packed.body);
      body[index] = (body[index] ?? 0) ^ 1;
      let read: string | null = null;
      try {
        read = unpackBody({ ...packed, body });
      } catch (error) {
        expect(error).toBeInstanceOf(BodyDamaged);
      }
      // Some bits of the container mean nothing; what is read is right in any case.
      expect([null, '{"message":"a","extra":"0123456789"}']).toContain(read);
    }
  });
});
