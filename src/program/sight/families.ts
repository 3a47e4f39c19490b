// Names, labels, buckets and cardinality limits of metrics. docs/metrics.md describes each.
import type { CounterName, HistogramName } from '../../core/ports/measures.ts';

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Maximum of label sets; further ones are counted as `other`. */
  readonly linesMax: number;
}

export interface HistogramFamily extends Family {
  readonly bounds: readonly number[];
}

export const counterFamilies: Readonly<Record<CounterName, Family>> = {
  requests: {
    name: 'notifier_http_requests_total',
    help: 'Requests answered, by the template of their route.',
    labels: ['route', 'method', 'status'],
    linesMax: 500,
  },
  events: {
    name: 'notifier_events_total',
    help: 'What became of events, bug reports and other items, by outcome and reason.',
    labels: ['outcome', 'reason', 'category'],
    linesMax: 300,
  },
  requestsRefused: {
    name: 'notifier_requests_refused_total',
    help: 'Requests that brought events or bug reports and were refused because there was too much to do, by reason.',
    labels: ['reason'],
    linesMax: 10,
  },
  limitDecisions: {
    name: 'notifier_ratelimit_decisions_total',
    help: 'What rate limits decided.',
    labels: ['limiter', 'decision'],
    linesMax: 60,
  },
  limitStoreErrors: {
    name: 'notifier_ratelimit_store_errors_total',
    help: 'Decisions that Redis was asked for and did not answer: counted by this server alone.',
    labels: [],
    linesMax: 1,
  },
  domainChecks: {
    name: 'notifier_domain_checks_total',
    help: 'Questions that domain checks asked of the world, by how they ended.',
    labels: ['result'],
    linesMax: 60,
  },
  storeBusy: {
    name: 'notifier_db_busy_total',
    help: 'Writes refused because too many waited, or another process held the database.',
    labels: [],
    linesMax: 1,
  },
  storeErrors: {
    name: 'notifier_db_errors_total',
    help: 'Writes that the database could not do, by its code.',
    labels: ['code'],
    linesMax: 60,
  },
  retentionRemoved: {
    name: 'notifier_retention_deleted_total',
    help: 'Rows that retention removed, by their table.',
    labels: ['table'],
    linesMax: 10,
  },
};

export const histogramFamilies: Readonly<Record<HistogramName, HistogramFamily>> = {
  waitSeconds: {
    name: 'notifier_request_wait_seconds',
    help: 'How long requests that bring events or bug reports waited for their turn.',
    labels: [],
    linesMax: 1,
    bounds: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2],
  },
  requestSeconds: {
    name: 'notifier_http_request_duration_seconds',
    help: 'From the head of a request to its answer, by the template of its route.',
    labels: ['route'],
    linesMax: 50,
    bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  bodyBytes: {
    name: 'notifier_ingest_body_bytes',
    help: 'Bytes of the bodies that brought events and bug reports, as they were sent.',
    labels: [],
    linesMax: 1,
    bounds: [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 8_388_608],
  },
  commitSeconds: {
    name: 'notifier_commit_duration_seconds',
    help: 'From the beginning of a transaction that writes to the end of its commit.',
    labels: [],
    linesMax: 1,
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
  batchEvents: {
    name: 'notifier_commit_batch_items',
    help: 'Events that were filed together in one transaction.',
    labels: [],
    linesMax: 1,
    bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  },
};

/** Gauges are read on each scrape. */
export const gaugeFamilies = {
  inflightBytes: {
    name: 'notifier_ingest_inflight_bytes',
    help: 'Bytes that bodies of requests hold in memory now.',
    labels: [],
  },
  inflightRequests: {
    name: 'notifier_ingest_inflight_requests',
    help: 'Requests that are being answered now.',
    labels: [],
  },
  queueItems: {
    name: 'notifier_write_queue_items',
    help: 'Writes that wait for the database now.',
    labels: [],
  },
  queueBytes: {
    name: 'notifier_write_queue_bytes',
    help: 'Bytes that those writes hold.',
    labels: [],
  },
  dbBytes: {
    name: 'notifier_db_size_bytes',
    help: 'Size of the SQLite file and of its write-ahead log.',
    labels: ['file'],
  },
  diskFree: {
    name: 'notifier_disk_free_bytes',
    help: 'Bytes left on the disk that the SQLite file is on.',
    labels: [],
  },
  backupMade: {
    name: 'notifier_backup_last_success_timestamp_seconds',
    help: 'When `notifier backup` last made a copy of the SQLite file; seconds since 1970.',
    labels: [],
  },
  requestsWaiting: {
    name: 'notifier_requests_waiting',
    help: 'Requests that bring events or bug reports and wait for their turn now.',
    labels: [],
  },
  limitServers: {
    name: 'notifier_ratelimit_servers',
    help: 'Servers that count rate limits together in Redis, this one among them; 0 while it counts alone.',
    labels: [],
  },
  ready: {
    name: 'notifier_ready',
    help: 'What /readyz says: 1 when events can be kept, else 0.',
    labels: [],
  },
  buildInfo: {
    name: 'notifier_build_info',
    help: 'Always 1; the labels say what runs.',
    labels: ['version', 'node', 'sqlite'],
  },
} as const;

export type GaugeName = keyof typeof gaugeFamilies;
