// Decodes response bodies as browsers do: content encoding and charset.
import { pipeline, type Readable } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import type { Answer } from './ssrf-guard.ts';

/** Some servers compress despite `Accept-Encoding: identity`. */
const decompressors: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  // 8 MiB is the largest window that RFC 9659 lets a server use.
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
};

/** The decompressed body; null for an unknown encoding. */
export function decompressBody(answer: Answer): AsyncIterable<Buffer> | null {
  const body = answer.body as Readable;
  const encoding = headerOf(answer, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return body;
  const open = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (open === undefined) return null;
  const unpacker = open();
  // Errors reach the reader through the unpacker.
  pipeline(body, unpacker, () => {});
  return unpacker as unknown as AsyncIterable<Buffer>;
}

export function headerOf(answer: Answer, name: string): string | null {
  const value = answer.headers[name];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The HTML standard looks for a meta charset in the first 1024 bytes. */
const sniffedBytes = 1024;
const charsetOfType = /charset\s*=\s*["']?([\w:.+-]+)/i;
const charsetOfPage = /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.+-]+)/i;
const byteOrderMarks: ReadonlyArray<readonly [Buffer, string]> = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];

/** Decodes by byte order mark, else charset of `contentType`, else the page's meta charset, else UTF-8. */
export function decodeText(bytes: Buffer, contentType: string | null): string {
  const match = byteOrderMarks.find(([bom]) => bytes.subarray(0, bom.length).equals(bom));
  const charset = charsetOfType.exec(contentType ?? '')?.[1];
  // A meta tag that is readable as latin1 cannot be in a UTF-16 page.
  const inPage = (): string | undefined =>
    charsetOfPage.exec(bytes.toString('latin1', 0, sniffedBytes))?.[1]?.replace(/^utf-16.*/i, 'utf-8');
  return decoderOf(match?.[1] ?? charset ?? inPage()).decode(bytes);
}

function decoderOf(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch {
    return new TextDecoder();
  }
}
