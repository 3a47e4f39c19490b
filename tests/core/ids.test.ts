import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { newEventId, parseEventId } from '../../src/core/ids.ts';

it('creates a unique version 4 UUID of 16 bytes', () => {
  let drawn = 0;
  const counted = (count: number): Buffer => {
    drawn += count;
    return randomBytes(count);
  };
  const ids = Array.from({ length: 1000 }, () => newEventId(counted));
  expect(new Set(ids).size).toBe(1000);
  expect(drawn).toBeGreaterThanOrEqual(16 * 1000);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(parseEventId(id)).toBe(id);
  }
});

it('creates an id from exactly the random bytes', () => {
  const counting = (count: number): Buffer => Buffer.from(Array.from({ length: count }, (_, at) => at % 251));
  expect(newEventId(counting)).toBe('00010203040546078809' + '0a0b0c0d0e0f');
  expect(newEventId(counting)).toBe('1011121314154617' + '98191a1b1c1d1e1f');
});
