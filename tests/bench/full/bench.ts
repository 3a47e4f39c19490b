// What every measurement is handed, and the arithmetic that all share.
import type { Generator } from '../load/generator.ts';
import type { Options } from './options.ts';

export interface Bench {
  readonly options: Options;
  readonly generator: Generator;
  print(text: string): void;
  /** Says where the run is; `seconds` of what was planned are done with it. */
  progress(text: string, seconds?: number): void;
}

/** A table of results: of a name, with rows of plain values, as it is printed and kept. */
export interface Table {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: ReadonlyArray<ReadonlyArray<string | number | null>>;
}

/** A median with the least and the most. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper;
}

/** Of one by the other, round by round. */
export function ratios(ones: readonly number[], others: readonly number[]): Spread {
  const all = ones.map((one, round) => one / (others[round] ?? Number.NaN));
  return { median: median(all), least: Math.min(...all), most: Math.max(...all) };
}

export function spreadText({ median: middle, least, most }: Spread): string {
  return `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}
