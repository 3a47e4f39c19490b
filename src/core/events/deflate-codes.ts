// The codes of a deflate stream (RFC 1951) as they stand in a file: for each symbol the length of its code.
// What a stream says of its codes before its first symbol is the same for all of them, and is made here.

import { matchMax } from './text-matches.ts';

/** Below it stands how many bits a code has, with its extra bits; above it the bits, the first one lowest. */
export const codeShift = 5;

export interface DeflateCodes {
  /** By the byte; behind them the end of the text. */
  readonly literals: Int32Array;
  /** By the length of the match, 3 to 258. */
  readonly lengths: Int32Array;
  /** By the distance, 1 to 32,768. */
  readonly distances: Int32Array;
  /** The head of the block; of its last byte only the lowest `headBits` are taken. */
  readonly head: Buffer;
}

export const literalCount = 286;
export const distanceCount = 30;
export const endOfText = 256;
/** With the extra bits of a distance, and seven that wait to be a byte, a code fits into 32 bits. */
export const codeBitsMax = 12;
const distanceMax = 32_768;
/** What a head takes beyond whole bytes: it has the same length whatever the codes. */
export const headBits = (3 + 14 + 19 * 3 + (literalCount + distanceCount) * 4) % 8;

/**
 * What the symbols for lengths and distances begin at, and how many extra bits each has (RFC 1951 section
 * 3.2.5).
 */
export const lengthSymbols = symbolsOf(29, 3, (nth) => (nth < 8 || nth === 28 ? 0 : (nth >> 2) - 1));
// The last one means 258 alone.
lengthSymbols[28] = { first: matchMax, extra: 0 };
export const distanceSymbols = symbolsOf(distanceCount, 1, (nth) => (nth < 4 ? 0 : (nth >> 1) - 1));

interface Symbol {
  readonly first: number;
  readonly extra: number;
}

function symbolsOf(count: number, from: number, extraOf: (nth: number) => number): Symbol[] {
  let first = from;
  return Array.from({ length: count }, (_, nth) => {
    const symbol = { first, extra: extraOf(nth) };
    first += 2 ** symbol.extra;
    return symbol;
  });
}

/** Codes from their lengths, two lines of hexadecimal digits: one a literal or length, one a distance. */
export function readCodes(text: string): DeflateCodes {
  const [literal = '', distance = ''] = text.trim().split('\n');
  const literalLengths = [...literal].map((digit) => Number.parseInt(digit, 16));
  const distanceLengths = [...distance].map((digit) => Number.parseInt(digit, 16));
  const isWhole = literalLengths.length === literalCount && distanceLengths.length === distanceCount;
  const all = [...literalLengths, ...distanceLengths];
  if (!(isWhole && all.every((length) => length >= 1 && length <= codeBitsMax))) {
    throw new Error('A file of codes does not give every symbol one.');
  }
  const literalCodes = codesOf(literalLengths);
  const distanceCodes = codesOf(distanceLengths);
  return {
    literals: Int32Array.from(
      literalCodes,
      (code, symbol) => (code << codeShift) | (literalLengths[symbol] ?? 0),
    ),
    lengths: spread(lengthSymbols, matchMax, literalCodes.slice(257), literalLengths.slice(257)),
    distances: spread(distanceSymbols, distanceMax, distanceCodes, distanceLengths),
    head: headOf(all),
  };
}

/**
 * The codes that follow from their lengths (RFC 1951 section 3.2.2), turned round: a code begins with its
 * highest bit.
 */
function codesOf(lengths: readonly number[]): number[] {
  let code = 0;
  const codes = new Array<number>(lengths.length).fill(0);
  for (let length = 1; length <= 15; length += 1) {
    for (const [symbol, own] of lengths.entries()) {
      if (own !== length) continue;
      codes[symbol] = reversed(code, length);
      code += 1;
    }
    code *= 2;
  }
  return codes;
}

function reversed(code: number, length: number): number {
  return Number.parseInt([...code.toString(2).padStart(length, '0')].reverse().join(''), 2);
}

/** What each value is written as: the code of its symbol, and how far it is from the symbol's first value. */
function spread(
  symbols: readonly Symbol[],
  max: number,
  codes: readonly number[],
  lengths: readonly number[],
): Int32Array {
  const written = new Int32Array(max + 1);
  for (const [nth, { first, extra }] of symbols.entries()) {
    const length = lengths[nth] ?? 0;
    for (let value = first; value < first + 2 ** extra && value <= max; value += 1) {
      const bits = (codes[nth] ?? 0) | ((value - first) << length);
      written[value] = (bits << codeShift) | (length + extra);
    }
  }
  return written;
}

/**
 * The only block of a stream, with codes of its own (RFC 1951 section 3.2.7), each of their lengths in four
 * bits.
 */
function headOf(lengths: readonly number[]): Buffer {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit += 1) bits.push((value >> bit) & 1);
  };
  put(1, 1);
  put(2, 2);
  put(literalCount - 257, 5);
  put(distanceCount - 1, 5);
  put(19 - 4, 4);
  // Sixteen codes of four bits, and none for the three that repeat.
  for (let nth = 0; nth < 19; nth += 1) put(nth < 3 ? 0 : 4, 3);
  for (const length of lengths) put(reversed(length, 4), 4);
  const head = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [nth, bit] of bits.entries()) head[nth >> 3] = (head[nth >> 3] ?? 0) | (bit << (nth & 7));
  return head;
}
