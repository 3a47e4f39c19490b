// Codes for what texts are written as once their matches are found: short ones for what is frequent.
import {
  codeBitsMax,
  distanceCount,
  distanceSymbols,
  endOfText,
  lengthSymbols,
  literalCount,
} from '../../src/core/events/deflate-codes.ts';
import { TextMatches, tokenOf } from '../../src/core/events/text-matches.ts';

/** The lengths of the codes, as `readCodes` reads them; texts that are too long say nothing. */
export function trainCodes(dictionary: Uint8Array, texts: readonly string[]): string {
  const literals = new Array<number>(literalCount).fill(0);
  const distances = new Array<number>(distanceCount).fill(0);
  const matches = new TextMatches(dictionary);
  for (const text of texts) {
    const tokens = matches.tokensOf([text]);
    if (tokens === null) continue;
    for (const token of tokens.list.subarray(0, tokens.count)) {
      if (token < endOfText) {
        add(literals, token);
      } else {
        add(literals, endOfText + 1 + symbolOf(lengthSymbols, tokenOf.length(token)));
        add(distances, symbolOf(distanceSymbols, tokenOf.distance(token)));
      }
    }
    add(literals, endOfText);
  }
  return `${lineOf(literals)}\n${lineOf(distances)}\n`;
}

function add(counts: number[], symbol: number): void {
  counts[symbol] = (counts[symbol] ?? 0) + 1;
}

function symbolOf(symbols: ReadonlyArray<{ readonly first: number }>, value: number): number {
  return symbols.findLastIndex(({ first }) => first <= value);
}

function lineOf(counts: readonly number[]): string {
  return codeLengths(counts)
    .map((length) => length.toString(16))
    .join('');
}

/**
 * Every symbol has a code: what no sample says a text may say. The rarer ones are made more frequent until
 * all fit.
 */
function codeLengths(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  for (let least = total / 2 ** (codeBitsMax + 3); ; least *= 1.25) {
    const lengths = huffman(counts.map((count) => Math.max(count, least)));
    if (Math.max(...lengths) <= codeBitsMax) return lengths;
  }
}

interface Tree {
  readonly weight: number;
  readonly symbols: readonly number[];
}

function huffman(weights: readonly number[]): number[] {
  const lengths = new Array<number>(weights.length).fill(0);
  let trees: Tree[] = weights.map((weight, symbol) => ({ weight, symbols: [symbol] }));
  while (trees.length > 1) {
    trees = trees.toSorted((left, right) => left.weight - right.weight);
    const [one, two] = trees.splice(0, 2) as [Tree, Tree];
    const symbols = [...one.symbols, ...two.symbols];
    for (const symbol of symbols) add(lengths, symbol);
    trees.push({ weight: one.weight + two.weight, symbols });
  }
  return lengths;
}
