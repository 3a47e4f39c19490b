// Counts metrics in plain maps. An event adds to five of them, so this has to be fast.
import type {
  CounterSample,
  HistogramName,
  HistogramSample,
  MetricsRegistry,
  MetricsSnapshot,
} from '../../core/ports/metrics.ts';
import { counterDefinitions, histogramDefinitions, type MetricDefinition } from './metric-definitions.ts';

/** Separates label values; never part of one. */
const labelSeparator = '\u001f';

interface CounterLine {
  readonly labels: readonly string[];
  sum: number;
}

interface HistogramLine {
  readonly labels: readonly string[];
  readonly counts: number[];
  sum: number;
}

type Lines<Line> = Map<string, Line>;

export function createMeter(): MetricsRegistry {
  const all = createSeries();
  const count: MetricsRegistry['count'] = (name, labels, by = 1) => {
    lineOf(all.counters[name], counterDefinitions[name], labels, newCounterLine).sum += by;
  };
  const histogramLine = (name: HistogramName, labels: readonly string[]): HistogramLine => {
    const family = histogramDefinitions[name];
    return lineOf(all.histograms[name], family, labels, (named) => ({
      labels: named,
      counts: new Array(family.bounds.length + 1).fill(0),
      sum: 0,
    }));
  };
  const read = (): MetricsSnapshot => ({
    counters: mapped(all.counters, (lines): CounterSample[] =>
      [...lines.values()].map(({ labels, sum }) => [labels, sum]),
    ),
    histograms: mapped(all.histograms, (lines): HistogramSample[] =>
      [...lines.values()].map(({ labels, counts, sum }) => [labels, [...counts], sum]),
    ),
  });
  return {
    count,
    observe(name, labels, value) {
      const line = histogramLine(name, labels);
      const { bounds } = histogramDefinitions[name];
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket += 1;
      line.counts[bucket] = (line.counts[bucket] as number) + 1;
      line.sum += value;
    },
    read,
  };
}

function createSeries() {
  return {
    counters: mapped(counterDefinitions, (): Lines<CounterLine> => new Map()),
    histograms: mapped(histogramDefinitions, (): Lines<HistogramLine> => new Map()),
  };
}

const newCounterLine = (labels: readonly string[]): CounterLine => ({ labels, sum: 0 });

/** New label sets beyond the family's limit share one line. */
function lineOf<Line>(
  lines: Lines<Line>,
  family: MetricDefinition,
  labels: readonly string[],
  make: (labels: readonly string[]) => Line,
): Line {
  const key = labels.join(labelSeparator);
  const known = lines.get(key);
  if (known !== undefined) return known;
  const isFull = lines.size >= family.linesMax - 1 && labels.length > 0;
  const named = isFull ? family.labels.map(() => 'other') : labels;
  const seriesKey = isFull ? named.join(labelSeparator) : key;
  const line = lines.get(seriesKey) ?? make(named);
  lines.set(seriesKey, line);
  return line;
}

function mapped<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  change: (value: From) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(record).map(([name, value]) => [name, change(value)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}
