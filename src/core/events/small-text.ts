// Short texts made small: a deflate stream (RFC 1951) whose dictionary, and the codes its head would name,
// stand in files beside the program and not in every body (DECISIONS.md D-232). zlib reads it, with the head
// put back.
import { inflateRawSync } from 'node:zlib';
import { type DeflateCodes, endOfText, headBits, readCodes } from './deflate-codes.ts';
import { TextMatches, textBytesMax, tokenOf } from './text-matches.ts';

/** Codes are made for what events mostly say: of a text in which they do worse than this zlib makes less. */
const worthShare = 0.6;

/** One way of writing short texts: what was written with its two files is read with the same two alone. */
export class SmallTexts {
  readonly mark: number;
  readonly #dictionary: Buffer;
  readonly #matches: TextMatches;
  readonly #codes: DeflateCodes;
  readonly #room = Buffer.alloc(textBytesMax);
  /** Bits that are not yet a byte of the room, and how many. */
  #bits = 0;
  #count = 0;
  #length = 0;

  /** `mark` is the first byte of all that is written. */
  constructor(mark: number, dictionary: Buffer, codes: string) {
    this.mark = mark;
    this.#dictionary = dictionary;
    this.#matches = new TextMatches(dictionary);
    this.#codes = readCodes(codes);
  }

  /** The texts as one; null where they are too long for this, or would not become small. */
  pack(texts: readonly string[]): Buffer | null {
    const tokens = this.#matches.tokensOf(texts);
    if (tokens === null) return null;
    const { literals, lengths, distances } = this.#codes;
    const most = this.#matches.byteLength * worthShare;
    this.#room[0] = this.mark;
    this.#length = 1;
    this.#bits = 0;
    this.#count = headBits;
    for (let nth = 0; nth < tokens.count && this.#length <= most; nth += 1) {
      const token = tokens.list[nth] as number;
      if (token < endOfText) {
        this.#put(literals.bits[token] as number, literals.counts[token] as number);
      } else {
        const [length, distance] = [tokenOf.length(token), tokenOf.distance(token)];
        this.#put(lengths.bits[length] as number, lengths.counts[length] as number);
        this.#put(distances.bits[distance] as number, distances.counts[distance] as number);
      }
    }
    this.#put(literals.bits[endOfText] as number, literals.counts[endOfText] as number);
    this.#put(0, 7);
    return this.#length > most ? null : Buffer.from(this.#room.subarray(0, this.#length));
  }

  /** The bytes of the texts. Throws where the body is not what was written. */
  unpack(body: Uint8Array, plainBytesMax: number): Buffer {
    const { head } = this.#codes;
    const stream = Buffer.concat([head, body.subarray(2)]);
    // The last bits of the head and the first ones of the text share a byte.
    stream[head.byteLength - 1] = (head.at(-1) as number) | (body[1] ?? 0);
    return inflateRawSync(stream, { dictionary: this.#dictionary, maxOutputLength: plainBytesMax });
  }

  /** Up to 25 bits, the first one lowest: beside the seven that may wait they fit into 32. */
  #put(bits: number, count: number): void {
    let waiting = this.#bits | (bits << this.#count);
    let filled = this.#count + count;
    while (filled >= 8) {
      this.#room[this.#length++] = waiting & 0xff;
      waiting >>>= 8;
      filled -= 8;
    }
    this.#bits = waiting;
    this.#count = filled;
  }
}
