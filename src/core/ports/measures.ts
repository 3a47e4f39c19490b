// Metrics (docs/metrics.md). src/program/sight/families.ts maps these names to the exported ones.

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

export type HistogramName = 'waitSeconds' | 'requestSeconds' | 'bodyBytes' | 'commitSeconds' | 'batchEvents';

export type CountedLine = readonly [labels: readonly string[], sum: number];

/** Label values, the count of each bucket (not cumulative, the last is above all bounds), and the sum. */
export type MeasuredLine = readonly [labels: readonly string[], counts: readonly number[], sum: number];

export interface Counted {
  readonly counters: Readonly<Record<CounterName, readonly CountedLine[]>>;
  readonly histograms: Readonly<Record<HistogramName, readonly MeasuredLine[]>>;
}

/** Never waits, never throws. */
export interface Meter {
  /** Labels are in the order of the metric's definition. */
  count(name: CounterName, labels: readonly string[], by?: number): void;
  observe(name: HistogramName, labels: readonly string[], value: number): void;
}

export interface Measures extends Meter {
  read(): Counted;
}
