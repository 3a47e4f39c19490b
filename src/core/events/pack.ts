// The payload of an event made small for keeping, and read again. Pure: in a thread for heavy events, else
// by the store. A body is a zlib stream, whose head names the dictionary it was made with (DECISIONS.md
// D-169).

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import type { PackedPayload } from '../store/events.ts';

/** Up to here a small window is enough, and its room is made much faster than the usual 256 KiB. */
const smallBytesMax = 8 * 1024;

/**
 * The files in dictionaries/. None ever changes or goes: bodies that were made with it could not be read
 * again.
 */
const dictionaries = ['1.txt'].map((file) => readFileSync(join(import.meta.dirname, 'dictionaries', file)));
const newest = dictionaries.at(-1) as Buffer;
/** By what zlib calls it in the head of a stream. */
const byName = new Map(
  dictionaries.map((dictionary) => [nameIn(deflateSync('', { dictionary })), dictionary]),
);

/**
 * Measured on events of 2 KB beside deflate without a dictionary: 0.55 to 0.66 of the bytes in about the same
 * time. A dictionary of 8 KiB or level 4 saves another twentieth and takes a fifth longer.
 */
export function packPayload(payload: string): PackedPayload {
  const plain = Buffer.from(payload, 'utf8');
  const small = plain.byteLength <= smallBytesMax;
  const options = small ? { level: 1, windowBits: 13, memLevel: 5, chunkSize: 2048 } : { level: 1 };
  return {
    body: deflateSync(plain, { ...options, dictionary: newest }),
    sha256: hash('sha256', plain, 'buffer'),
  };
}

/**
 * The bytes that were packed. Throws where the body does not inflate, or was made with a dictionary not
 * known here.
 */
export function unpackPayload(body: Uint8Array, plainBytesMax: number): Buffer {
  const name = nameIn(body);
  const dictionary = name === null ? undefined : byName.get(name);
  const options = { maxOutputLength: plainBytesMax };
  return inflateSync(body, dictionary === undefined ? options : { ...options, dictionary });
}

/** Whether it was made with the newest dictionary; without one, or with an older one, it could be smaller. */
export function isPackedAsNow(body: Uint8Array): boolean {
  const name = nameIn(body);
  return name !== null && byName.get(name) === newest;
}

/**
 * What the head of a zlib stream calls its dictionary (RFC 1950: FDICT, DICTID); null where it needs none.
 */
function nameIn(body: Uint8Array): number | null {
  const [flags = 0, a = 0, b = 0, c = 0, d = 0] = [body[1], body[2], body[3], body[4], body[5]];
  return (flags & 0x20) === 0 ? null : ((a * 256 + b) * 256 + c) * 256 + d;
}
