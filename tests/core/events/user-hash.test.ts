import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hashUser } from '../../../src/core/events/user-hash.ts';
import { normalized } from '../../support/events.ts';
import { inFull } from '../../support/test-level.ts';

function expectHash(key: Uint8Array, id: string, projectId: number): void {
  const event = normalized({ user: { id } });
  const text = `${projectId}\0id\0${event.user?.['id']}`;
  const expected = createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
  const asked = () => hashUser(event, '', key, projectId);
  fc.pre(typeof event.user?.['id'] === 'string' && event.user['id'] !== '');
  expect([asked(), asked()]).toEqual([expected, expected]);
}

it.each([
  [1, 'a', 0],
  [64, 'Zoë Ünal', 7],
  [65, '8421', 2_147_483_647],
  [130, '\u0001 a\nb', 7],
])('is the HMAC with a key of %i bytes', (bytes, id, projectId) => {
  expectHash(Buffer.alloc(bytes, 7), id, projectId);
});

inFull(it)('is the HMAC of the project and the user, cached or not', () => {
  const keys = fc.uint8Array({ minLength: 1, maxLength: 130 });
  fc.assert(fc.property(keys, fc.string({ unit: 'binary', minLength: 1 }), fc.nat(), expectHash));
});
