// Items of types that we do not take are emptied while an envelope comes, so that what they hold is neither
// kept in memory nor parsed. What is no envelope is left as it is, for the grammar to refuse.
import { own } from '../reading/lenient.ts';
import { headerLineBytesMax, readEnvelopeHeader } from './grammar.ts';
import { takenTypes } from './item-types.ts';

export interface ItemFilter {
  /** What is left of the next bytes of the envelope: views of them, and headers written anew. */
  feed(bytes: Buffer): Buffer[];
  /** What is left once all has come. */
  end(): Buffer[];
  /** Whether something came that is no emptied item: an item that we take, or what is no envelope. */
  readonly holdsTaken: boolean;
}

const lineFeed = 0x0a;

/** A filter for one envelope. */
export function createItemFilter(): ItemFilter {
  let mode: 'envelope header' | 'item header' | 'payload' | 'all' = 'envelope header';
  /** The part of a header line that came. */
  let line: Buffer[] = [];
  let lineBytes = 0;
  /** Of a payload: bytes still to come, null up to the end of its line; and whether it is kept. */
  let left: number | null = null;
  let isKept = false;
  let holdsTaken = false;

  function wholeLine(): Buffer {
    const whole = line.length === 1 ? (line[0] as Buffer) : Buffer.concat(line);
    line = [];
    lineBytes = 0;
    return whole;
  }
  /** From here on nothing is known: all of it is left as it is. */
  function leaveAll(): void {
    mode = 'all';
    holdsTaken = true;
  }
  /** A header line, its line feed with it where it has one. Answers what is left of it. */
  function takeHeader(bytes: Buffer): Buffer {
    const header = readEnvelopeHeader(bytes);
    if (mode === 'envelope header') {
      if (header === null) leaveAll();
      else mode = 'item header';
      return bytes;
    }
    // Blank lines between items are passed over.
    if (bytes.every((byte) => byte === lineFeed || byte === 0x20 || byte === 0x09 || byte === 0x0d))
      return bytes;
    const type = header === null ? undefined : own(header, 'type');
    const length = header === null ? undefined : (own(header, 'length') ?? null);
    const isLength =
      length === null || (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0);
    if (typeof type !== 'string' || type === '' || !isLength) {
      leaveAll();
      return bytes;
    }
    mode = 'payload';
    left = length as number | null;
    isKept = takenTypes.has(type);
    holdsTaken ||= isKept;
    return isKept ? bytes : Buffer.from(`${JSON.stringify({ ...header, length: 0 })}\n`);
  }
  /** Where the payload ends in these bytes from `start` on. */
  function endOfPayload(bytes: Buffer, start: number): number {
    if (left !== null) {
      const end = Math.min(bytes.length, start + left);
      left -= end - start;
      if (left === 0) mode = 'item header';
      return end;
    }
    const end = bytes.indexOf(lineFeed, start);
    if (end === -1) return bytes.length;
    mode = 'item header';
    return end;
  }
  function feed(bytes: Buffer): Buffer[] {
    const kept: Buffer[] = [];
    let at = 0;
    while (at < bytes.length) {
      if (mode === 'all') {
        kept.push(bytes.subarray(at));
        break;
      }
      if (mode === 'payload') {
        const end = endOfPayload(bytes, at);
        if (isKept) kept.push(bytes.subarray(at, end));
        at = end;
        continue;
      }
      const feedAt = bytes.indexOf(lineFeed, at);
      const end = feedAt === -1 ? bytes.length : feedAt + 1;
      line.push(bytes.subarray(at, end));
      lineBytes += end - at;
      at = end;
      if (feedAt !== -1) kept.push(takeHeader(wholeLine()));
      else if (lineBytes > headerLineBytesMax) {
        leaveAll();
        kept.push(wholeLine());
      }
    }
    return kept;
  }
  return {
    feed,
    end: () => (lineBytes === 0 ? [] : [takeHeader(wholeLine())]),
    get holdsTaken() {
      return holdsTaken;
    },
  };
}
