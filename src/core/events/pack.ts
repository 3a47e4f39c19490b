// The payload of an event made small for keeping, and read again. Pure: in a thread for heavy events, else by
// the store. A body says by its first bytes how it was made (DECISIONS.md D-169, D-232): a zlib stream, whose
// head names its dictionary, holds the payload alone; one that begins with a mark of ours, a short text,
// holds beside it how the event was grouped and what was set aside of it, and leaves out the event's id.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import type { EventError } from '../../../schemas/event.ts';
import { hashOfParts } from '../grouping/ng1/fingerprint.ts';
import type { Grouping, PackedPayload } from '../store/events.ts';
import { SmallTexts } from './small-text.ts';
import { textBytesMax } from './text-matches.ts';

/** What is kept beside a payload and never searched for. */
export interface Telling {
  readonly grouping: Grouping;
  readonly errors: readonly EventError[];
}

/** An event's id stands in its row, and is not repeated in a short body. */
export interface Told extends Telling {
  readonly eventId: string;
}

/** What a body holds. */
export interface Unpacked {
  readonly payload: string;
  /** Null where it stands beside the body. */
  readonly telling: Telling | null;
}

/** Up to here a small window is enough, and its room is made much faster than the usual 256 KiB. */
const smallBytesMax = 8 * 1024;

/** Of the hash of a short body. It guards against accidents: one of 2^128 goes unseen. */
const hashBytes = 16;

/**
 * None of the files in dictionaries/ ever changes or goes: bodies that were made with it could not be read
 * again.
 */
function fileOf(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, 'dictionaries', name));
}

/** For zlib, by what it calls them in the head of a stream; for what is no short text. */
const dictionaries = ['1.txt'].map(fileOf);
const newest = dictionaries.at(-1) as Buffer;
const byName = new Map(
  dictionaries.map((dictionary) => [nameIn(deflateSync('', { dictionary })), dictionary]),
);

/** For short texts, by the mark they begin with. No zlib stream begins with one of them: these end in 8. */
const shortTexts = [new SmallTexts(2, fileOf('2.txt'), fileOf('2.codes').toString('latin1'))];
const byMark = new Map(shortTexts.map((texts) => [texts.mark, texts]));
const newestShort = shortTexts.at(-1) as SmallTexts;

/**
 * The payload, with what is kept beside it where the two are a short text. Measured on events of 2 KB: they
 * take a seventh of their bytes, in less time than zlib takes for the payload alone with a dictionary of 4
 * KiB.
 */
export function packWhole(payload: string, told: Told): PackedPayload {
  const texts = payload.length > textBytesMax ? null : shortTextsOf(payload, told);
  const body = texts === null ? null : newestShort.pack(texts);
  return body === null ? packPayload(payload) : { body, sha256: hashOf(body) };
}

/** Whether the body says itself how the event was grouped. */
export function holdsTelling(body: Uint8Array): boolean {
  return byMark.has(body[0] ?? 0);
}

/**
 * The payload by itself, as zlib makes it. Measured on events of 2 KB beside deflate without a dictionary:
 * 0.55 to 0.66 of the bytes in about the same time.
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
 * The bytes of all that is in a body. Throws where it does not inflate, or was made with a dictionary not
 * known here.
 */
export function inflateBody(body: Uint8Array, plainBytesMax: number): Buffer {
  const texts = byMark.get(body[0] ?? 0);
  if (texts !== undefined) return texts.unpack(body, plainBytesMax);
  const name = nameIn(body);
  const dictionary = name === null ? undefined : byName.get(name);
  const options = { maxOutputLength: plainBytesMax };
  return inflateSync(body, dictionary === undefined ? options : { ...options, dictionary });
}

/**
 * What these bytes of a body say of the event of that id; null where the hash that stands beside it is
 * another one's.
 */
export function readInflated(
  { body, sha256 }: PackedPayload,
  plain: Buffer,
  eventId: string,
): Unpacked | null {
  const isShort = holdsTelling(body);
  const found = isShort ? hashOf(body) : hash('sha256', plain, 'buffer');
  if (!found.equals(sha256)) return null;
  const text = plain.toString('utf8');
  return isShort ? partsOf(text, eventId) : { payload: text, telling: null };
}

/** What a short body is made of; null for a payload that could not be told from one whose id was left out. */
export function shortTextsOf(payload: string, told: Told): [string, string] | null {
  if (payload.startsWith(',')) return null;
  const begun = beginningOf(told.eventId);
  const isNamed = payload.startsWith(`${begun},`);
  return [isNamed ? payload.slice(begun.length) : payload, tellingText(told)];
}

/** What all payloads begin with that normalising has made. */
function beginningOf(eventId: string): string {
  return `{"event_id":"${eventId}"`;
}

/** What is kept of a grouping with each event: its frames follow from the payload. */
export function eventGrouping({ frames: _frames, ...rest }: Grouping): Grouping {
  return rest;
}

/** What stands behind the payload, on a line of its own: what is grouped repeats what the payload says. */
function tellingText({ grouping, errors }: Telling): string {
  const { hash: said, ...rest } = eventGrouping(grouping);
  // It follows from the parts, but for a fingerprint of the client's.
  const told = said === hashOfParts(rest) ? rest : { ...rest, hash: said };
  return `\n${JSON.stringify({ grouping: told, errors })}`;
}

function partsOf(text: string, eventId: string): Unpacked {
  // JSON that was written without spaces has no line of its own inside, whatever the payload has.
  const end = text.lastIndexOf('\n');
  const { grouping, errors } = JSON.parse(text.slice(end + 1)) as Telling & { grouping: Partial<Grouping> };
  const told = { ...grouping, hash: grouping.hash ?? hashOfParts(grouping) };
  const begun = text.startsWith(',') ? beginningOf(eventId) : '';
  return { payload: begun + text.slice(0, end), telling: { grouping: told, errors } };
}

function hashOf(body: Uint8Array): Buffer {
  return hash('sha256', body, 'buffer').subarray(0, hashBytes);
}

/**
 * What the head of a zlib stream calls its dictionary (RFC 1950: FDICT, DICTID); null where it needs none.
 */
function nameIn(body: Uint8Array): number | null {
  const [flags = 0, a = 0, b = 0, c = 0, d = 0] = [body[1], body[2], body[3], body[4], body[5]];
  return (flags & 0x20) === 0 ? null : ((a * 256 + b) * 256 + c) * 256 + d;
}
