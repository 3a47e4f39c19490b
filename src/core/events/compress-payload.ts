// Compresses event payloads for storage: a byte for the dictionary, then a zstd frame of the payload, a line feed,
// and grouping and errors as JSON. dictionaries/1.zstd was trained on the pairs of tests/fixtures/grouping and on
// events of common SDKs: `zstd --train-cover=k=512,d=8,steps=1 --maxdict=4096 --dictID=1 -o 1.zstd FILES`. Never
// change or remove a dictionary, because stored bodies need it; add one with the next number.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  constants,
  createZstdCompress,
  type ZstdOptions,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { EventError } from '../../../schemas/event.ts';
import { hashOfParts } from '../grouping/fingerprint-parts.ts';
import type { Grouping, PackedPayload } from '../store/events.ts';

/** Data kept with a payload that is never searched. */
export interface PayloadExtras {
  readonly grouping: Grouping;
  readonly errors: readonly EventError[];
}

export interface UnpackedPayload {
  readonly payload: string;
  /** Null if it is stored outside of the body. */
  readonly extras: PayloadExtras | null;
}

/** Small, because Node loads the dictionary again for each body. */
const dictionaries = new Map(
  [1].map((number) => [number, readFileSync(join(import.meta.dirname, 'dictionaries', `${number}.zstd`))]),
);
const newest = 1;

const usual = { dictionary: dictionaries.get(newest) as Buffer };
/** For small events: small tables and buffers are faster to allocate. */
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

const compressSmall = reusedCompressor(small, smallCharsMax) ?? ((text) => zstdCompressSync(text, small));

/** Of SHA-256; guards against accidental damage only. */
const hashBytes = 16;

/** Events are at most 1 MiB; a larger claim means a damaged body. */
const plainBytesMax = 16 * 1024 * 1024;

/** Compresses a payload; `extras` is null if it will be stored separately. */
export function compressPayload(payload: string, extras: PayloadExtras | null): PackedPayload {
  const text = `${payload}\n${extras === null ? '' : summaryText(extras)}`;
  const frame = text.length <= smallCharsMax ? compressSmall(text) : zstdCompressSync(text, usual);
  // In memory of its own, so that a worker moves it; it would send a slice of Node's pool with all 64 KiB.
  const body = Buffer.allocUnsafeSlow(1 + frame.length);
  body[0] = newest;
  body.set(frame, 1);
  return { body, sha256: hashOf(body) };
}

/** Throws if the hash does not match or the dictionary is unknown. */
export function decompressPayload({ body, sha256 }: PackedPayload): UnpackedPayload {
  if (!hashOf(body).equals(sha256)) throw new Error('The hash differs.');
  const text = decompressBytes(body).toString('utf8');
  // JSON without indentation contains no line feed, whatever is in the payload.
  const end = text.lastIndexOf('\n');
  const extrasText = text.slice(end + 1);
  return { payload: text.slice(0, end), extras: extrasText === '' ? null : summaryOf(extrasText) };
}

/** The grouping without its frames, which can be derived from the payload. */
export function withoutFrames({ frames: _frames, ...rest }: Grouping): Grouping {
  return rest;
}

/** Leaves out a hash that can be computed from the grouping: all but those of client fingerprints. */
function summaryText({ grouping, errors }: PayloadExtras): string {
  const { hash, ...rest } = withoutFrames(grouping);
  return JSON.stringify({ grouping: hash === hashOfParts(rest) ? rest : { ...rest, hash }, errors });
}

function summaryOf(text: string): PayloadExtras {
  const { grouping, errors } = JSON.parse(text) as PayloadExtras & { grouping: Partial<Grouping> };
  return { grouping: { ...grouping, hash: grouping.hash ?? hashOfParts(grouping) }, errors };
}

/** The uncompressed bytes of a body. Throws if it cannot be read. */
export function decompressBytes(body: Uint8Array): Buffer {
  const dictionary = dictionaries.get(body[0] ?? 0);
  if (dictionary === undefined) throw new Error('The dictionary of this compressed body is unknown.');
  return zstdDecompressSync(body.subarray(1), { dictionary, maxOutputLength: plainBytesMax });
}

/** One context for all texts: to create one takes five times as long as to compress 2 KB. `node:zlib` does not
 * export it: null where it differs from Node 22 to 24. A frame is valid until the next call. */
function reusedCompressor(options: ZstdOptions, charactersMax: number): ((text: string) => Buffer) | null {
  const compressor = createZstdCompress(options) as unknown as Partial<ZlibInternals>;
  const { _handle: handle, _writeState: writeState } = compressor;
  if (typeof handle?.writeSync !== 'function' || writeState === undefined) return null;
  // UTF-8 takes at most three bytes for a character, and zstd adds less than a kilobyte to what it cannot compress.
  const output = Buffer.alloc(charactersMax * 3 + 1024);
  const compress = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    handle.writeSync(constants.ZSTD_e_end, bytes, 0, bytes.length, output, 0, output.length);
    return output.subarray(0, output.length - (writeState[0] ?? 0));
  };
  const isSame = ['one', 'another', ''].every((text) =>
    compress(text).equals(zstdCompressSync(text, options)),
  );
  return isSame ? compress : null;
}

/** What `zlib` has inside; `_writeState` is the room left in the output, then the input not read. */
interface ZlibInternals {
  readonly _handle: {
    writeSync(
      flush: number,
      input: Buffer,
      inputAt: number,
      inputBytes: number,
      output: Buffer,
      outputAt: number,
      outputBytes: number,
    ): void;
  };
  readonly _writeState: Uint32Array;
}

function hashOf(body: Uint8Array): Buffer {
  return hash('sha256', body, 'buffer').subarray(0, hashBytes);
}
