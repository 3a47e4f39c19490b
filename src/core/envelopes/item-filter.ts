// Empties unsupported items while an envelope is received, to save memory. Invalid envelopes pass unchanged.
import { isBlank } from '../../wordpress/php/json-tokens.ts';
import { getOwn } from '../parsing/unknown-values.ts';
import { supportedItemTypes } from './item-types.ts';
import { headerLineBytesMax, parseEnvelopeHeader } from './parse-envelope.ts';

const lineFeed = 0x0a;

export class ItemFilter {
  /** True once there was a supported item, or something that is not a valid envelope. */
  holdsTaken = false;
  #mode: 'envelope header' | 'item header' | 'payload' | 'all' = 'envelope header';
  #line: Buffer[] = [];
  #lineBytes = 0;
  /** Bytes of the payload still to come; null for a payload that ends with its line. */
  #bytesLeft: number | null = null;
  #isKept = false;

  /** Views of `bytes`, which the filter does not keep. */
  feed(bytes: Buffer): Buffer[] {
    const passed: Buffer[] = [];
    let at = 0;
    while (at < bytes.length) {
      if (this.#mode === 'all') {
        passed.push(bytes.subarray(at));
        break;
      }
      if (this.#mode === 'payload') {
        const end = this.#endOfPayload(bytes, at);
        if (this.#isKept) passed.push(bytes.subarray(at, end));
        at = end;
      } else {
        at = this.#takeLine(bytes, at, passed);
      }
    }
    return passed;
  }

  end(): Buffer[] {
    return this.#lineBytes === 0 ? [] : [this.#takeHeader(this.#wholeLine())];
  }

  #takeLine(bytes: Buffer, start: number, passed: Buffer[]): number {
    const feedAt = bytes.indexOf(lineFeed, start);
    const end = feedAt === -1 ? bytes.length : feedAt + 1;
    const part = bytes.subarray(start, end);
    this.#line.push(feedAt === -1 ? Buffer.from(part) : part);
    this.#lineBytes += end - start;
    if (feedAt !== -1) {
      passed.push(this.#takeHeader(this.#wholeLine()));
    } else if (this.#lineBytes > headerLineBytesMax) {
      this.#leaveAll();
      passed.push(this.#wholeLine());
    }
    return end;
  }

  #wholeLine(): Buffer {
    const [first] = this.#line;
    const line = this.#line.length === 1 && first !== undefined ? first : Buffer.concat(this.#line);
    this.#line = [];
    this.#lineBytes = 0;
    return line;
  }

  /** The rest is not a valid envelope and passes unchanged. */
  #leaveAll(): void {
    this.#mode = 'all';
    this.holdsTaken = true;
  }

  #takeHeader(bytes: Buffer): Buffer {
    if (this.#mode === 'item header' && bytes.every(isBlank)) return bytes;
    const header = parseEnvelopeHeader(bytes);
    if (this.#mode === 'envelope header') {
      if (header === null) this.#leaveAll();
      else this.#mode = 'item header';
      return bytes;
    }
    const type = header === null ? undefined : getOwn(header, 'type');
    const length = header === null ? undefined : (getOwn(header, 'length') ?? null);
    if (typeof type !== 'string' || type === '' || !isLength(length)) {
      this.#leaveAll();
      return bytes;
    }
    this.#mode = 'payload';
    this.#bytesLeft = length;
    this.#isKept = supportedItemTypes.has(type);
    this.holdsTaken ||= this.#isKept;
    return this.#isKept ? bytes : Buffer.from(`${JSON.stringify({ ...header, length: 0 })}\n`);
  }

  #endOfPayload(bytes: Buffer, start: number): number {
    if (this.#bytesLeft !== null) {
      const end = Math.min(bytes.length, start + this.#bytesLeft);
      this.#bytesLeft -= end - start;
      if (this.#bytesLeft === 0) this.#mode = 'item header';
      return end;
    }
    const end = bytes.indexOf(lineFeed, start);
    if (end === -1) return bytes.length;
    this.#mode = 'item header';
    return end;
  }
}

function isLength(length: unknown): length is number | null {
  return length === null || (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0);
}
