// Metrics (docs/metrics.md). src/app/metrics/metric-definitions.ts maps these names to the exported ones.

import type { Outcome } from '../store/counts.ts';

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

export type CounterSample = readonly [labels: readonly string[], sum: number];

/** Label values, the count of each bucket (not cumulative, the last is above all bounds), and the sum. */
export type HistogramSample = readonly [labels: readonly string[], counts: readonly number[], sum: number];

export interface MetricsSnapshot {
  readonly counters: Readonly<Record<CounterName, readonly CounterSample[]>>;
  readonly histograms: Readonly<Record<HistogramName, readonly HistogramSample[]>>;
}

/** Never waits, never throws. */
export interface Meter {
  /** Labels are in the order of the metric's definition. */
  count(name: CounterName, labels: readonly string[], by?: number): void;
  observe(name: HistogramName, labels: readonly string[], value: number): void;
}

export interface MetricsRegistry extends Meter {
  read(): MetricsSnapshot;
}

export interface OutcomeCounter {
  /** Never waits, never throws. */
  count(outcome: Outcome): void;
  /** Writes the counts since the last flush; failed writes are retried with the next one. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
