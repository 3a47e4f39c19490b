// What opens a session or a link: how it is made, and the digest that is kept of it.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../ids.ts';

/** 43 characters of 62: more than 256 random bits, so that neither salt nor a slow hash is needed. */
const characters = 43;

/** A new session id or link token, of A-Z, a-z and 0-9. */
export function newSecret(randomBytes: (count: number) => Buffer): string {
  return randomBase62(characters, randomBytes);
}

/** Whether a text can be one of ours at all: whatever else is asked for needs no look into the database. */
export function isSecret(text: string): boolean {
  return text.length === characters && /^[0-9A-Za-z]+$/.test(text);
}

/** sha256 as 64 hex: all that is stored of a secret. */
export function digestOf(secret: string): string {
  return hash('sha256', secret);
}

/**
 * The token of the forms of a session: made of the session's id, which the database does not hold, so that
 * nobody who reads the database can make one.
 */
export function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('notifier: a form of this session').digest('base64url');
}

/** Whether two texts are the same, in a time that tells nothing of where they differ. */
export function isSame(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
