// Exports metrics in Prometheus format with prom-client, which is loaded with the first scrape.
import type { Metric, MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type {
  CounterName,
  HistogramName,
  MetricsRegistry,
  MetricsSnapshot,
} from '../../core/ports/metrics.ts';
import {
  counterDefinitions,
  type GaugeName,
  gaugeDefinitions,
  histogramDefinitions,
} from './metric-definitions.ts';

export interface GaugeSample {
  readonly gauge: GaugeName;
  readonly labels: readonly string[];
  readonly value: number;
}

export interface MetricsExporter {
  text(): Promise<{ readonly contentType: string; readonly text: string }>;
}

type Value = MetricValue<string> & { metricName?: string };
type Values = readonly Value[];

export function createMetricsExporter(
  metrics: MetricsRegistry,
  readings: () => Promise<readonly GaugeSample[]>,
): MetricsExporter {
  let shown: { counted: MetricsSnapshot; read: readonly GaugeSample[] } = {
    counted: metrics.read(),
    read: [],
  };
  let opening: Promise<Registry> | null = null;
  const open = async (): Promise<Registry> => {
    const { collectDefaultMetrics, Registry: OpenedRegistry } = await import('prom-client');
    const registry = new OpenedRegistry();
    for (const [name, family] of Object.entries(counterDefinitions)) {
      register(registry, 'counter', family, () =>
        shown.counted.counters[name as CounterName].map(([labels, value]) => ({
          labels: named(family.labels, labels),
          value,
        })),
      );
    }
    for (const [name, family] of Object.entries(histogramDefinitions)) {
      register(registry, 'histogram', family, () => histogramValues(name as HistogramName, shown.counted));
    }
    for (const [name, family] of Object.entries(gaugeDefinitions)) {
      register(registry, 'gauge', family, () =>
        shown.read
          .filter(({ gauge }) => gauge === name)
          .map(({ labels, value }) => ({ labels: named(family.labels, labels), value })),
      );
    }
    collectDefaultMetrics({ register: registry });
    return registry;
  };
  return {
    async text() {
      opening ??= open();
      const registry = await opening;
      const read = await readings();
      shown = { counted: metrics.read(), read };
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function register(
  registry: Registry,
  type: 'counter' | 'gauge' | 'histogram',
  { name, help }: { readonly name: string; readonly help: string },
  values: () => Values,
): void {
  const metric = {
    name,
    help,
    async get() {
      return {
        name,
        help,
        type,
        aggregator: 'sum',
        values: values(),
      } as unknown as MetricObjectWithValues<Value>;
    },
  };
  registry.registerMetric(metric as unknown as Metric<string>);
}

function histogramValues(of: HistogramName, { histograms }: MetricsSnapshot): Values {
  const { name, labels: names, bounds } = histogramDefinitions[of];
  return histograms[of].flatMap(([values, counts, sum]) => {
    const labels = named(names, values);
    let below = 0;
    const buckets = counts.map((count, index) => {
      below += count;
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: String(bounds[index] ?? '+Inf') },
        value: below,
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: below },
    ];
  });
}

function named(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
