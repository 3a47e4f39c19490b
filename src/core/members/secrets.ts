import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../ids.ts';

/** 43 characters of 62 are more than 256 random bits, so neither salt nor a slow hash is needed. */
const characters = 43;

export function newSecret(randomBytes: (count: number) => Buffer): string {
  return randomBase62(characters, randomBytes);
}

/** Saves a database query for texts of another form. */
export function isSecret(text: string): boolean {
  return text.length === characters && /^[0-9A-Za-z]+$/.test(text);
}

export function digestOf(secret: string): string {
  return hash('sha256', secret);
}

/** Derived from the session id, which the database lacks: reading the database is not enough to forge one. */
export function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('notifier: a form of this session').digest('base64url');
}

/** Compares in constant time. */
export function isSame(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
