// Counts metrics in plain maps. An event adds to five of them, so this has to be fast.
import type {
  CounterName,
  CounterSample,
  HistogramName,
  HistogramSample,
  MetricsRegistry,
  MetricsSnapshot,
} from '../../core/ports/metrics.ts';
import { counterDefinitions, histogramDefinitions, type MetricDefinition } from './metric-definitions.ts';

/** Separates label values; never part of one. */
const between = '\u001f';

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

interface Everything {
  readonly counters: Record<CounterName, Lines<CounterLine>>;
  readonly histograms: Record<HistogramName, Lines<HistogramLine>>;
}

export function createMeter(): MetricsRegistry {
  const all = nothing();
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
      let place = 0;
      while (place < bounds.length && value > (bounds[place] as number)) place += 1;
      line.counts[place] = (line.counts[place] as number) + 1;
      line.sum += value;
    },
    read,
  };
}

function nothing(): Everything {
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
  const key = labels.join(between);
  const known = lines.get(key);
  if (known !== undefined) return known;
  const isFull = lines.size >= family.linesMax - 1 && labels.length > 0;
  const named = isFull ? family.labels.map(() => 'other') : labels;
  const place = isFull ? named.join(between) : key;
  const line = lines.get(place) ?? make(named);
  lines.set(place, line);
  return line;
}

function mapped<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  change: (value: From) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(record).map(([name, value]) => [name, change(value)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}
