// Names, labels, buckets and cardinality limits of metrics. docs/metrics.md describes each.
import type { CounterName, HistogramName } from '../../core/ports/metrics.ts';

export interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Maximum of label sets; further ones are counted as `other`. */
  readonly linesMax: number;
}

export interface HistogramDefinition extends MetricDefinition {
  readonly bounds: readonly number[];
}

export const counterDefinitions: Readonly<Record<CounterName, MetricDefinition>> = {
  requests: {
    name: 'notifier_http_requests_total',
    help: 'Requests by route template.',
    labels: ['route', 'method', 'status'],
    linesMax: 500,
  },
  events: {
    name: 'notifier_events_total',
    help: 'Outcomes of events, bug reports and other items, by outcome and reason.',
    labels: ['outcome', 'reason', 'category'],
    linesMax: 300,
  },
  requestsRefused: {
    name: 'notifier_requests_refused_total',
    help: 'Requests with events or bug reports that were refused because of overload, by reason.',
    labels: ['reason'],
    linesMax: 10,
  },
  limitDecisions: {
    name: 'notifier_ratelimit_decisions_total',
    help: 'Decisions of rate limits.',
    labels: ['limiter', 'decision'],
    linesMax: 60,
  },
  limitStoreErrors: {
    name: 'notifier_ratelimit_store_errors_total',
    help: 'Rate limit decisions without a response from Redis, counted by this server only.',
    labels: [],
    linesMax: 1,
  },
  domainChecks: {
    name: 'notifier_domain_checks_total',
    help: 'Outgoing requests of domain checks, by result.',
    labels: ['result'],
    linesMax: 60,
  },
  storeBusy: {
    name: 'notifier_db_busy_total',
    help: 'Writes refused because the queue was full or another process locked the database.',
    labels: [],
    linesMax: 1,
  },
  storeErrors: {
    name: 'notifier_db_errors_total',
    help: 'Writes that failed in the database, by error code.',
    labels: ['code'],
    linesMax: 60,
  },
  retentionRemoved: {
    name: 'notifier_retention_deleted_total',
    help: 'Rows deleted by retention, by table.',
    labels: ['table'],
    linesMax: 10,
  },
};

export const histogramDefinitions: Readonly<Record<HistogramName, HistogramDefinition>> = {
  waitSeconds: {
    name: 'notifier_request_wait_seconds',
    help: 'Queue time of requests with events or bug reports.',
    labels: [],
    linesMax: 1,
    bounds: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2],
  },
  requestSeconds: {
    name: 'notifier_http_request_duration_seconds',
    help: 'Time from the request headers to the response, by route template.',
    labels: ['route'],
    linesMax: 50,
    bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  bodyBytes: {
    name: 'notifier_ingest_body_bytes',
    help: 'Size of request bodies with events and bug reports, as sent.',
    labels: [],
    linesMax: 1,
    bounds: [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 8_388_608],
  },
  commitSeconds: {
    name: 'notifier_commit_duration_seconds',
    help: 'Duration of write transactions, including the commit.',
    labels: [],
    linesMax: 1,
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
  batchEvents: {
    name: 'notifier_commit_batch_items',
    help: 'Events per batch insert.',
    labels: [],
    linesMax: 1,
    bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  },
};

/** Gauges are read on each scrape. */
export const gaugeDefinitions = {
  inflightBytes: {
    name: 'notifier_ingest_inflight_bytes',
    help: 'Memory used by request bodies.',
    labels: [],
  },
  inflightRequests: {
    name: 'notifier_ingest_inflight_requests',
    help: 'Requests in flight.',
    labels: [],
  },
  queueItems: {
    name: 'notifier_write_queue_items',
    help: 'Writes in the write queue.',
    labels: [],
  },
  queueBytes: {
    name: 'notifier_write_queue_bytes',
    help: 'Memory used by the write queue.',
    labels: [],
  },
  dbBytes: {
    name: 'notifier_db_size_bytes',
    help: 'Size of the SQLite file and of its write-ahead log.',
    labels: ['file'],
  },
  diskFree: {
    name: 'notifier_disk_free_bytes',
    help: 'Free space on the disk of the SQLite file.',
    labels: [],
  },
  backupMade: {
    name: 'notifier_backup_last_success_timestamp_seconds',
    help: 'Time of the last `notifier backup`, in seconds since 1970.',
    labels: [],
  },
  requestsWaiting: {
    name: 'notifier_requests_waiting',
    help: 'Requests with events or bug reports in the queue.',
    labels: [],
  },
  limitServers: {
    name: 'notifier_ratelimit_servers',
    help: 'Servers that share rate limits in Redis, including this one; 0 while it counts alone.',
    labels: [],
  },
  ready: {
    name: 'notifier_ready',
    help: 'Result of /readyz: 1 if events can be stored, else 0.',
    labels: [],
  },
  buildInfo: {
    name: 'notifier_build_info',
    help: 'Always 1; the labels describe the running program.',
    labels: ['version', 'node', 'sqlite'],
  },
} as const;

export type GaugeName = keyof typeof gaugeDefinitions;
