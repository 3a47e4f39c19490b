// Answers of the demo: the same for everybody until its time moves on, so they are made once and kept, and
// whoever stands in between may keep them for as long.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';

const compress = promisify(gzip);
/** All that is kept, plain and compressed together. */
const keptBytesMax = 16 * 1_048_576;
/** Sooner than the demo's time moves on; nobody sees a page older than both. */
const freshSeconds = 60;

interface Kept {
  readonly status: number;
  readonly contentType: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

export interface DemoAnswers {
  /** Answers what was asked before at this time; leaves everything else to who comes next. */
  readonly again: RequestHandler;
  /** Sends a text, and keeps it until `timeNow` says another time. */
  send(
    request: Request,
    response: Response,
    answer: { readonly status: number; readonly contentType: string; readonly text: string },
  ): Promise<void>;
}

/** Answers kept for as long as `timeNow` stays what it is. */
export function demoAnswers(timeNow: () => number): DemoAnswers {
  const kept = new Map<string, Kept>();
  let [keptAt, keptBytes] = [Number.NaN, 0];
  function atThisTime(): Map<string, Kept> {
    const now = timeNow();
    if (now !== keptAt) {
      kept.clear();
      [keptAt, keptBytes] = [now, 0];
    }
    return kept;
  }
  /** Any page has endless addresses too, by what is asked of it: those that nobody asks again give way. */
  function keep(address: string, made: Kept): void {
    const all = atThisTime();
    keptBytes += bytesOf(made) - bytesOf(all.get(address));
    all.set(address, made);
    for (const [oldest, each] of all) {
      if (keptBytes <= keptBytesMax) return;
      all.delete(oldest);
      keptBytes -= bytesOf(each);
    }
  }
  return {
    again(request, response, next) {
      const found = atThisTime().get(request.originalUrl);
      if (found === undefined) return next();
      // What is asked for again goes last.
      kept.delete(request.originalUrl);
      kept.set(request.originalUrl, found);
      answer(request, response, found);
    },
    async send(request, response, { status, contentType, text }) {
      const plain = Buffer.from(text);
      const made = { status, contentType, plain, gzip: await compress(plain) };
      // What is not there has endless addresses: only what is keeps its place.
      if (status === 200) keep(request.originalUrl, made);
      answer(request, response, made);
    },
  };
}

function bytesOf(kept: Kept | undefined): number {
  return kept === undefined ? 0 : kept.plain.length + kept.gzip.length;
}

function answer(request: Request, response: Response, { status, contentType, plain, gzip }: Kept): void {
  const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
  const bytes = isCompressed ? gzip : plain;
  response
    .status(status)
    .vary('Accept-Encoding')
    .set({
      'Cache-Control': status === 200 ? `public, max-age=${freshSeconds}` : 'no-store',
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
    });
  if (isCompressed) response.set('Content-Encoding', 'gzip');
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
