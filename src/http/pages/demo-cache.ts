import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NextFunction, Request, Response } from 'express';
import type { TextResponse } from './send-text.ts';

const compress = promisify(gzip);
const keptBytesMax = 16 * 1_048_576;
/** Less than the interval of the demo's clock. */
const freshSeconds = 60;

interface CachedPage {
  readonly status: number;
  readonly contentType: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/** The demo's pages are the same for all visitors until `timeNow` changes, which empties the cache. */
export function createDemoCache(timeNow: () => number) {
  const entries = new Map<string, CachedPage>();
  let [keptAt, keptBytes] = [Number.NaN, 0];
  function currentEntries(): Map<string, CachedPage> {
    const now = timeNow();
    if (now !== keptAt) {
      entries.clear();
      [keptAt, keptBytes] = [now, 0];
    }
    return entries;
  }
  /** URLs with queries are endless, so the least recently used are dropped. */
  function store(address: string, entry: CachedPage): void {
    const all = currentEntries();
    keptBytes += bytesOf(entry) - bytesOf(all.get(address));
    all.set(address, entry);
    for (const [oldest, each] of all) {
      if (keptBytes <= keptBytesMax) return;
      all.delete(oldest);
      keptBytes -= bytesOf(each);
    }
  }
  return {
    sendCached(request: Request, response: Response, next: NextFunction) {
      const address = addressOf(request);
      const found = currentEntries().get(address);
      if (found === undefined) return next();
      entries.delete(address);
      entries.set(address, found);
      answer(request, response, found, true);
    },
    async send(request: Request, response: Response, answered: TextResponse) {
      const { status, contentType, text, hasUnknown = false } = answered;
      const plain = Buffer.from(text);
      const entry = { status, contentType, plain, gzip: await compress(plain) };
      // URLs that do not exist are endless, so only existing pages are cached.
      const isKept = status === 200 && !hasUnknown;
      if (isKept) store(addressOf(request), entry);
      answer(request, response, entry, isKept);
    },
  };
}

/** Normalized: `?`, `?&&` and none are the same. */
function addressOf({ originalUrl }: Request): string {
  const url = URL.parse(originalUrl, 'http://host');
  return url === null ? originalUrl : `${url.pathname}?${url.searchParams}`;
}

function bytesOf(entry: CachedPage | undefined): number {
  return entry === undefined ? 0 : entry.plain.length + entry.gzip.length;
}

/** `isKept`: whether shared caches may store it. */
function answer(
  request: Request,
  response: Response,
  { status, contentType, plain, gzip }: CachedPage,
  isKept: boolean,
): void {
  const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
  const bytes = isCompressed ? gzip : plain;
  response
    .status(status)
    .vary('Accept-Encoding')
    .set({
      'Cache-Control': isKept ? `public, max-age=${freshSeconds}` : 'no-store',
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
    });
  if (isCompressed) response.set('Content-Encoding', 'gzip');
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
