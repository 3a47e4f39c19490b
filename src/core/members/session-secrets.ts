import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../ids.ts';

/** 43 characters of 62 are more than 256 random bits, so neither salt nor a slow hash is needed. */
const secretCharacters = 43;

export function createSecret(randomBytes: (count: number) => Buffer): string {
  return randomBase62(secretCharacters, randomBytes);
}

/** Saves a database query for texts of another form. */
export function hasSecretFormat(text: string): boolean {
  return text.length === secretCharacters && /^[0-9A-Za-z]+$/.test(text);
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Derived from the session id, which the database lacks: reading the database is not enough to forge one. */
export function csrfTokenFor(sessionId: string): string {
  return createHmac('sha256', sessionId).update('notifier: a form of this session').digest('base64url');
}

export function isEqualConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
