// The payload of an event made small for keeping, with how it was grouped, and read again. Pure: in a thread
// for heavy events, else by the store. A body is a byte that names its dictionary, and a frame of zstd made
// with it: of the payload, a line feed, and what is told beside it as JSON (DECISIONS.md D-169).
//
// dictionaries/1.zstd was trained on the pairs of tests/fixtures/grouping and on made-up events of the usual
// SDKs, one text a file, by `zstd --train-cover=k=512,d=8,steps=1 --maxdict=4096 --dictID=1 -o 1.zstd FILES`.
// None of these files ever changes or goes, since bodies were made with it: a better one is the next number.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { EventError } from '../../../schemas/event.ts';
import { hashOfParts } from '../grouping/parts.ts';
import type { Grouping, PackedPayload } from '../store/events.ts';

/** What is kept beside a payload and never searched for. */
export interface Telling {
  readonly grouping: Grouping;
  readonly errors: readonly EventError[];
}

/** What a body holds. */
export interface Unpacked {
  readonly payload: string;
  /** Null where it stands beside the body. */
  readonly telling: Telling | null;
}

/** By their numbers. They are small because Node reads one anew for each body. */
const dictionaries = new Map(
  [1].map((number) => [number, readFileSync(join(import.meta.dirname, 'dictionaries', `${number}.zstd`))]),
);
const newest = 1;

const usual = { dictionary: dictionaries.get(newest) as Buffer };
/** Small tables and little room are made faster than the usual ones, for each event anew. */
const small = {
  ...usual,
  params: {
    [constants.ZSTD_c_windowLog]: 13,
    [constants.ZSTD_c_hashLog]: 11,
    [constants.ZSTD_c_chainLog]: 11,
  },
  chunkSize: 1024,
};
const smallCharsMax = 8 * 1024;

/** Of SHA-256. It guards against accidents: one of 2^128 goes unseen. */
const hashBytes = 16;

/** Larger than any event we take (1 MiB): what claims to be more is damaged. */
const plainBytesMax = 16 * 1024 * 1024;

/** A payload, and what is told beside it unless that will stand beside the body (null). */
export function packPayload(payload: string, telling: Telling | null): PackedPayload {
  const text = `${payload}\n${telling === null ? '' : tellingText(telling)}`;
  const frame = zstdCompressSync(text, text.length <= smallCharsMax ? small : usual);
  const body = Buffer.concat([Buffer.of(newest), frame]);
  return { body, sha256: hashOf(body) };
}

/**
 * What a body holds. Throws where the bytes are not those that were stored, or were made with a dictionary
 * not known here.
 */
export function unpackPayload({ body, sha256 }: PackedPayload): Unpacked {
  if (!hashOf(body).equals(sha256)) throw new Error('The hash is another one.');
  const text = inflatePayload(body).toString('utf8');
  // JSON that was written without spaces has no line feed inside, whatever the payload has.
  const end = text.lastIndexOf('\n');
  const told = text.slice(end + 1);
  return { payload: text.slice(0, end), telling: told === '' ? null : tellingOf(told) };
}

/** What is kept of a grouping with each event: its frames follow from the payload. */
export function eventGrouping({ frames: _frames, ...rest }: Grouping): Grouping {
  return rest;
}

/** A hash that follows from the parts of the grouping is left out: all do but for fingerprints of clients. */
function tellingText({ grouping, errors }: Telling): string {
  const { hash: said, ...rest } = eventGrouping(grouping);
  return JSON.stringify({ grouping: said === hashOfParts(rest) ? rest : { ...rest, hash: said }, errors });
}

function tellingOf(text: string): Telling {
  const { grouping, errors } = JSON.parse(text) as Telling & { grouping: Partial<Grouping> };
  return { grouping: { ...grouping, hash: grouping.hash ?? hashOfParts(grouping) }, errors };
}

/** The bytes of all that is in a body. Throws where it cannot be read. */
export function inflatePayload(body: Uint8Array): Buffer {
  const dictionary = dictionaries.get(body[0] ?? 0);
  if (dictionary === undefined) throw new Error('No dictionary of that number is known.');
  return zstdDecompressSync(body.subarray(1), { dictionary, maxOutputLength: plainBytesMax });
}

function hashOf(body: Uint8Array): Buffer {
  return hash('sha256', body, 'buffer').subarray(0, hashBytes);
}
