// Reads the first lines of an envelope ahead: the `dsn` to authenticate, the first item's type to admit.
import type { IncomingMessage } from 'node:http';
import { headerLineBytesMax, parseEnvelopeHeader } from '../../core/envelopes/parse-envelope.ts';
import { getOwn } from '../../core/parsing/unknown-values.ts';
import { getBodyState } from './body-state.ts';
import { type Encoding, inflateStartSync, parseContentEncoding } from './decoders.ts';
import { inflateStart } from './inflate.ts';
import { peekBytes, type ReadAheadBytes, readAhead } from './read-ahead.ts';

const waitMsMax = 10_000;
const lineFeed = 0x0a;
const bufferedBytesMax = 16 * 1024;
/** zstd emits whole blocks of at most 128 KiB and a few header bytes (RFC 8878, section 3.1.1.2). */
const zstdBytesMax = 132 * 1024;
/** Twice the length of an incompressible line. */
const compressedLineBytesMax = 16 * 1024;

/** Null without a valid `dsn`. The bytes read stay available to the body's reader. */
export async function peekDsn(
  incoming: IncomingMessage,
  waitMs = waitMsMax,
): Promise<{ key: string; project: string } | null> {
  const header = await peekHeader(incoming, 0, waitMs);
  return header === null ? null : partsOfDsn(getOwn(header, 'dsn'));
}

/** Null if invalid or later than `waitMs`. The bytes stay available to the body's reader. */
export async function peekItemType(incoming: IncomingMessage, waitMs: number): Promise<string | null> {
  const header = await peekHeader(incoming, 1, waitMs);
  const type = header === null ? null : getOwn(header, 'type');
  return typeof type === 'string' ? type : null;
}

async function peekHeader(incoming: IncomingMessage, index: number, waitMs: number) {
  const start = await peekLines(incoming, index + 1, waitMs);
  const line = start === null ? undefined : linesOf(start, index + 1)?.[index];
  return line === undefined ? null : parseEnvelopeHeader(line);
}

function partsOfDsn(dsn: unknown): { key: string; project: string } | null {
  if (typeof dsn !== 'string' || !URL.canParse(dsn)) return null;
  const { username, pathname } = new URL(dsn);
  const project = pathname.split('/').findLast((part) => part !== '');
  return { key: username, project: project ?? '' };
}

async function peekLines(
  incoming: IncomingMessage,
  count: number,
  waitMs: number,
): Promise<BodyStart | null> {
  const encoding = encodingOrNull(incoming.headers['content-encoding']);
  if (encoding === null) return null;
  const buffered = peekBytes(incoming, bufferedBytesMax);
  // An asynchronous decoder costs more than the rest of a small event.
  const first = encoding === 'identity' ? buffered : inflateStartSync(buffered, encoding);
  if (lineFeedsIn(first, count) >= count) return { bytes: first, isAll: false };
  return encoding === 'identity'
    ? await plainLines(incoming, count, waitMs)
    : await inflatedLines(incoming, encoding, count, waitMs);
}

interface BodyStart {
  readonly bytes: Buffer;
  readonly isAll: boolean;
}

async function plainLines(incoming: IncomingMessage, count: number, waitMs: number): Promise<BodyStart> {
  let [lineFeeds, counted] = [0, 0];
  const ahead = await readAhead(incoming, waitMs, ({ chunks, length }) => {
    for (const chunk of chunks.slice(counted)) lineFeeds += lineFeedsIn(chunk, count);
    counted = chunks.length;
    return lineFeeds >= count || length > headerLineBytesMax * count;
  });
  return { bytes: Buffer.concat(ahead.chunks), isAll: ahead.ended };
}

/** Decompresses anew each time the size has doubled, so that slow clients hold no decoder. */
async function inflatedLines(
  incoming: IncomingMessage,
  encoding: Exclude<Encoding, 'identity'>,
  count: number,
  waitMs: number,
): Promise<BodyStart | null> {
  const bytesMax = encoding === 'zstd' ? zstdBytesMax : compressedLineBytesMax * count;
  const plainBytesMax = (headerLineBytesMax + 1) * count;
  const untilMs = performance.now() + waitMs;
  // Two bytes tell zlib from raw deflate.
  let wantedBytes = 2;
  for (;;) {
    const bytesMin = wantedBytes;
    const bytes: ReadAheadBytes = await readAhead(
      incoming,
      Math.max(0, untilMs - performance.now()),
      (ahead) => ahead.length >= bytesMin,
    );
    if (bytes.length === 0) return null;
    const start = await inflateStart(
      Buffer.concat(bytes.chunks),
      encoding,
      plainBytesMax,
      getBodyState(incoming),
    ).catch(() => null);
    if (start === null) return null;
    const isLast = bytes.ended || bytes.length >= bytesMax || bytes.length < bytesMin;
    if (isLast || start.length >= plainBytesMax || lineFeedsIn(start, count) >= count) {
      return { bytes: start, isAll: isLast };
    }
    wantedBytes = bytes.length * 2;
  }
}

function lineFeedsIn(bytes: Buffer | undefined, max: number): number {
  let count = 0;
  for (let at = bytes?.indexOf(lineFeed) ?? -1; at !== -1 && count < max; count += 1) {
    at = bytes?.indexOf(lineFeed, at + 1) ?? -1;
  }
  return count;
}

/** Null while a line is incomplete, or longer than a header may be. */
function linesOf({ bytes, isAll }: BodyStart, count: number): readonly Buffer[] | null {
  const lines: Buffer[] = [];
  let at = 0;
  while (lines.length < count) {
    const end = bytes.subarray(at, at + headerLineBytesMax + 1).indexOf(lineFeed);
    if (end === -1 && (!isAll || bytes.length - at > headerLineBytesMax)) return null;
    lines.push(bytes.subarray(at, end === -1 ? bytes.length : at + end));
    at = end === -1 ? bytes.length : at + end + 1;
  }
  return lines;
}

function encodingOrNull(header: string | undefined): Encoding | null {
  try {
    return parseContentEncoding(header);
  } catch {
    return null;
  }
}
