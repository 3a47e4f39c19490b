// Short texts made small: a deflate stream (RFC 1951) whose dictionary, and the codes its head would name,
// stand in files beside the program and not in every body (DECISIONS.md D-232). zlib reads it, with the head
// put back.
import { inflateRawSync } from 'node:zlib';
import { codeShift, type DeflateCodes, endOfText, headBits, readCodes } from './deflate-codes.ts';
import { TextMatches, type Tokens, textBytesMax, tokenOf } from './text-matches.ts';

/** Codes are made for what events mostly say: of a text in which they do worse than this zlib makes less. */
const worthShare = 0.6;
/** Of a code as it stands in a table: how many bits it has. */
const codeBits = 2 ** codeShift - 1;

/** One way of writing short texts: what was written with its two files is read with the same two alone. */
export class SmallTexts {
  readonly mark: number;
  readonly #dictionary: Buffer;
  readonly #matches: TextMatches;
  readonly #codes: DeflateCodes;
  readonly #room = Buffer.alloc(textBytesMax);

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
    const most = this.#matches.byteLength * worthShare;
    const length = this.#write(tokens, most);
    return length > most ? null : Buffer.from(this.#room.subarray(0, length));
  }

  /** Puts a text into the room; answers its bytes, or some more than `most`. */
  #write({ list, count }: Tokens, most: number): number {
    const room = this.#room;
    const { literals, lengths, distances } = this.#codes;
    let length = 0;
    room[length++] = this.mark;
    // Up to seven bits wait to be a byte, the first one lowest; beside them 25 more fit into 32.
    let waiting = 0;
    let bits = headBits;
    for (let nth = 0; nth <= count && length <= most; nth += 1) {
      const token = nth === count ? endOfText : (list[nth] as number);
      const isMatch = token > endOfText;
      const first = isMatch ? lengths[tokenOf.length(token)] : literals[token];
      waiting |= ((first as number) >>> codeShift) << bits;
      bits += (first as number) & codeBits;
      for (; bits >= 8; bits -= 8) {
        room[length++] = waiting & 0xff;
        waiting >>>= 8;
      }
      if (!isMatch) continue;
      const second = distances[tokenOf.distance(token)] as number;
      waiting |= (second >>> codeShift) << bits;
      bits += second & codeBits;
      for (; bits >= 8; bits -= 8) {
        room[length++] = waiting & 0xff;
        waiting >>>= 8;
      }
    }
    room[length++] = waiting;
    return bits > 0 ? length : length - 1;
  }

  /** The bytes of the texts. Throws where the body is not what was written. */
  unpack(body: Uint8Array, plainBytesMax: number): Buffer {
    const { head } = this.#codes;
    const stream = Buffer.concat([head, body.subarray(2)]);
    // The last bits of the head and the first ones of the text share a byte.
    stream[head.byteLength - 1] = (head.at(-1) as number) | (body[1] ?? 0);
    return inflateRawSync(stream, { dictionary: this.#dictionary, maxOutputLength: plainBytesMax });
  }
}
