// Per-worker cache of parsed source maps and source texts, and of reasons why others are unusable.
import { createGunzip } from 'node:zlib';
import { toUtf8 } from './json-bytes.ts';
import { readInlineMap } from './script-comments.ts';
import { readSourceMap, type SourceMap } from './source-map.ts';
import { SourceMapError } from './source-map-error.ts';
import type { WantedContent } from './worker-messages.ts';

/** A map of 5 MB takes 12 MB parsed (measured). */
const cacheBytesMax = 64 * 1024 * 1024;
const contentBytesMax = 50 * 1024 * 1024;
/** Larger sources give no context lines. */
const textBytesMax = 5 * 1024 * 1024;
const refusedBytes = 1_024;

type Loaded =
  | { readonly kind: 'map'; readonly map: SourceMap }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

export function createContentCache() {
  const cache = createByteLru<Loaded>(cacheBytesMax);
  const keyOf = (content: WantedContent): string => `${content.reading} ${content.sha256}`;
  return {
    get: (content: WantedContent) => cache.get(keyOf(content)),
    /** Gunzips and parses; errors are cached as the reason. */
    async load(content: WantedContent, parts: readonly Uint8Array[]): Promise<void> {
      const { loaded, bytes } = await read(content, parts);
      cache.set(keyOf(content), loaded, bytes);
    },
  };
}

async function read(
  content: WantedContent,
  parts: readonly Uint8Array[],
): Promise<{ loaded: Loaded; bytes: number }> {
  try {
    const bytes = await inflate(content, parts);
    if (content.reading === 'text') {
      return { loaded: { kind: 'text', text: toUtf8(bytes).toString('utf8') }, bytes: bytes.length * 2 };
    }
    const mapBytes = content.reading === 'map' ? bytes : readInlineMap(bytes);
    if (mapBytes === null) throw new SourceMapError('the script holds no map that can be read');
    const map = readSourceMap(mapBytes);
    return { loaded: { kind: 'map', map }, bytes: map.byteLength };
  } catch (error) {
    const reason = error instanceof SourceMapError ? error.message : 'it could not be read';
    return { loaded: { kind: 'refused', reason }, bytes: refusedBytes };
  }
}

/** Inflates into one buffer of exactly the declared size, so that a large map is in memory only once. */
async function inflate(content: WantedContent, parts: readonly Uint8Array[]): Promise<Buffer> {
  const bytesMax = content.reading === 'text' ? textBytesMax : contentBytesMax;
  if (content.size > bytesMax) throw new SourceMapError(`it is larger than ${bytesMax} bytes`);
  const plain = Buffer.allocUnsafeSlow(content.size);
  const gunzip = createGunzip();
  let length = 0;
  const done = new Promise<void>((resolve, reject) => {
    gunzip.on('data', (chunk: Buffer) => {
      if (length + chunk.length > content.size) {
        gunzip.destroy(new SourceMapError('it is larger than it was said to be'));
      } else {
        length += chunk.copy(plain, length);
      }
    });
    gunzip.on('end', resolve);
    gunzip.on('error', reject);
  });
  for (const part of parts) gunzip.write(part);
  gunzip.end();
  await done;
  if (length !== content.size) throw new SourceMapError('its content is cut off');
  return plain;
}

export function createByteLru<Value>(bytesMax: number) {
  const entries = new Map<string, { value: Value; bytes: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key: string): Value | undefined {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // Re-insertion makes the entry the newest of the Map.
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key: string, value: Value, bytes: number): void {
      drop(key);
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= bytesMax || oldest === key) break;
        drop(oldest);
      }
    },
    get bytes() {
      return total;
    },
  };
}
