// What an answer holds, whatever it is packed and written in: a browser reads it, so the checks do too.
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Answer } from './guard.ts';

/** Some servers pack what they were asked not to pack. */
const unpackers: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The plain bytes of an answer, as they come; null for an encoding that nobody knows. */
export function unpacked(answer: Answer): AsyncIterable<Buffer> | null {
  const body = answer.body as Readable;
  const encoding = headerOf(answer, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return body;
  const open = Object.hasOwn(unpackers, encoding) ? unpackers[encoding] : undefined;
  if (open === undefined) return null;
  const unpacker = open();
  // What fails is heard of by whoever reads the unpacker.
  pipeline(body, unpacker, () => {});
  return unpacker as unknown as AsyncIterable<Buffer>;
}

/** A header's values as one text; null where there is none. */
export function headerOf(answer: Answer, name: string): string | null {
  const value = answer.headers[name];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(', ') : value;
}

/** HTML says its charset within so many bytes. */
const sniffedBytes = 1024;
const charsetOfType = /charset\s*=\s*["']?([\w:.+-]+)/i;
const charsetOfPage = /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.+-]+)/i;
const marks: ReadonlyArray<readonly [Buffer, string]> = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];

/**
 * Bytes as text: by their byte order mark, which is not part of it, else by the charset of `contentType`,
 * else by what an HTML page says of itself, else as UTF-8.
 */
export function textOf(bytes: Buffer, contentType: string | null): string {
  const marked = marks.find(([mark]) => bytes.subarray(0, mark.length).equals(mark));
  const said = charsetOfType.exec(contentType ?? '')?.[1];
  // A page whose bytes could be read to find that is not in UTF-16, whatever it says.
  const inPage = (): string | undefined =>
    charsetOfPage.exec(bytes.toString('latin1', 0, sniffedBytes))?.[1]?.replace(/^utf-16.*/i, 'utf-8');
  return decoderOf(marked?.[1] ?? said ?? inPage()).decode(bytes);
}

function decoderOf(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch {
    // A charset that nobody knows.
    return new TextDecoder();
  }
}
