// The envelope's `dsn`, read before anyone is known: the first line of an uncredentialed body, at most 8 KiB
// inflated (D-15).
import type { IncomingMessage } from 'node:http';
import { headerLineBytesMax, readEnvelopeHeader } from '../../core/envelopes/grammar.ts';
import { own } from '../../core/reading/lenient.ts';
import { lifeOf } from './body-life.ts';
import { type Encoding, encodingOf } from './encodings.ts';
import { type HeldBytes, holdBytes } from './held-bytes.ts';
import { inflateStart } from './inflate.ts';

/** A client that says nothing for so long is nobody. */
const waitMsMax = 10_000;
const lineFeed = 0x0a;
/** zstd gives out whole blocks only, of at most 128 KiB and a few header bytes (RFC 8878 section 3.1.1.2). */
const zstdBytesMax = 132 * 1024;
/** The others give out what they have; these are twice what 8 KiB can need when they do not shrink at all. */
const compressedBytesMax = 16 * 1024;

/**
 * Key and project id of the envelope header's `dsn`, or null. The bytes looked at are held for whoever reads
 * the body.
 */
export async function peekDsn(
  incoming: IncomingMessage,
  waitMs = waitMsMax,
): Promise<{ key: string; project: string } | null> {
  const encoding = encodingOrNull(incoming.headers['content-encoding']);
  if (encoding === null) return null;
  const line =
    encoding === 'identity'
      ? await plainLine(incoming, waitMs)
      : await inflatedLine(incoming, encoding, waitMs);
  const header = line === null ? null : readEnvelopeHeader(line);
  return header === null ? null : partsOfDsn(own(header, 'dsn'));
}

function partsOfDsn(dsn: unknown): { key: string; project: string } | null {
  if (typeof dsn !== 'string' || !URL.canParse(dsn)) return null;
  const { username, pathname } = new URL(dsn);
  const project = pathname.split('/').findLast((part) => part !== '');
  return { key: username, project: project ?? '' };
}

async function plainLine(incoming: IncomingMessage, waitMs: number): Promise<Buffer | null> {
  const bytes = await holdBytes(
    incoming,
    waitMs,
    (held) => held.length > headerLineBytesMax || held.chunks.at(-1)?.includes(lineFeed) === true,
  );
  return lineOf(Buffer.concat(bytes.chunks), bytes.ended);
}

/**
 * Inflates what came each time that it has doubled: small chunks cost no more than large ones, and while we
 * wait for a slow client no decoder is held.
 */
async function inflatedLine(
  incoming: IncomingMessage,
  encoding: Exclude<Encoding, 'identity'>,
  waitMs: number,
): Promise<Buffer | null> {
  const bytesMax = encoding === 'zstd' ? zstdBytesMax : compressedBytesMax;
  const untilMs = performance.now() + waitMs;
  // Two bytes tell the two forms of deflate apart.
  let wanted = 2;
  for (;;) {
    const aim = wanted;
    const bytes: HeldBytes = await holdBytes(
      incoming,
      Math.max(0, untilMs - performance.now()),
      (held) => held.length >= aim,
    );
    if (bytes.length === 0) return null;
    const start = await inflateStart(
      Buffer.concat(bytes.chunks),
      encoding,
      headerLineBytesMax + 1,
      lifeOf(incoming),
    ).catch(() => null);
    if (start === null) return null;
    const isLast = bytes.ended || bytes.length >= bytesMax || bytes.length < aim;
    if (isLast || start.length > headerLineBytesMax || start.includes(lineFeed)) return lineOf(start, isLast);
    wanted = bytes.length * 2;
  }
}

/** The first line, or null while it is not whole or longer than a header may be. */
function lineOf(bytes: Buffer, isAll: boolean): Buffer | null {
  const end = bytes.subarray(0, headerLineBytesMax + 1).indexOf(lineFeed);
  if (end !== -1) return bytes.subarray(0, end);
  return isAll && bytes.length <= headerLineBytesMax ? bytes : null;
}

function encodingOrNull(header: string | undefined): Encoding | null {
  try {
    return encodingOf(header);
  } catch {
    return null;
  }
}
