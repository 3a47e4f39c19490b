// The payload of an event as it is kept: deflated, with the hash of the plain text beside it.
import { hash } from 'node:crypto';
import { packPayload, unpackPayload } from '../src/core/events/pack.ts';
import type { PackedPayload } from '../src/core/store/events.ts';

/** The kept bytes are not those that were stored: a disk that forgets, or a hand in the database. */
export class BodyDamaged extends Error {}

/** Larger than any event we take (1 MiB): what claims to inflate to more is damaged. */
const plainBytesMax = 16 * 1024 * 1024;

/** A payload as the rules hand it over: text, or packed already where it was heavy. */
export function packBody(payload: string | PackedPayload): PackedPayload {
  return typeof payload === 'string' ? packPayload(payload) : payload;
}

/** @throws {BodyDamaged} when the bytes do not inflate to the text whose hash stands beside them. */
export function unpackBody(packed: PackedPayload): string {
  let plain: Buffer;
  try {
    plain = unpackPayload(packed.body, plainBytesMax);
  } catch (error) {
    throw new BodyDamaged('A stored event does not inflate.', { cause: error });
  }
  if (!hash('sha256', plain, 'buffer').equals(packed.sha256)) {
    throw new BodyDamaged('A stored event does not match its hash.');
  }
  return plain.toString('utf8');
}
