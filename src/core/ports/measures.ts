// Who counts what the program does, for whoever watches it (docs/metrics.md): types alone. Names here are
// ours; what they are called outside stands in src/program/sight/families.ts.

/** What is only ever added to. */
export type CounterName =
  | 'requests'
  | 'events'
  | 'requestsRefused'
  | 'limitDecisions'
  | 'limitStoreErrors'
  | 'domainChecks'
  | 'storeBusy'
  | 'storeErrors'
  | 'retentionRemoved';

/** What is measured, and kept as how many measurements lay below each bound. */
export type HistogramName = 'waitSeconds' | 'requestSeconds' | 'bodyBytes' | 'commitSeconds' | 'batchEvents';

/** One line of a counter: the values of its labels in their order, and the sum. */
export type CountedLine = readonly [labels: readonly string[], sum: number];

/**
 * One line of a histogram: how many lay at or below each bound and above the one before, the last above all
 * of them; and the sum of all that was measured.
 */
export type MeasuredLine = readonly [labels: readonly string[], counts: readonly number[], sum: number];

/** All that was counted. */
export interface Counted {
  readonly counters: Readonly<Record<CounterName, readonly CountedLine[]>>;
  readonly histograms: Readonly<Record<HistogramName, readonly MeasuredLine[]>>;
}

/** The side that counts: never waits and never throws. */
export interface Meter {
  /** Adds to a counter; `labels` are values in the order in which the family names them. */
  count(name: CounterName, labels: readonly string[], by?: number): void;
  /** Adds a measurement to a histogram. */
  observe(name: HistogramName, labels: readonly string[], value: number): void;
}

/**
 * What is counted, and who may have it.
 */
export interface Measures extends Meter {
  /** All that was counted since the start. */
  read(): Counted;
}
