import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Deps } from '../../core/deps.ts';
import { createUnavailableError } from '../../core/errors.ts';
import { lastBackupSetting } from '../../core/store/setting-names.ts';
import type { StoreSizes } from '../../core/store/store.ts';
import type { BeforeRead } from '../../http/api/rest-server.ts';
import { getBodyState } from '../../http/bodies/body-state.ts';
import { countBodyMemoryBytes } from '../../http/bodies/read-body.ts';
import { toLimitAddress } from '../../http/limits/client-address.ts';
import { getRouteTemplate, setRouteTemplate } from '../../http/logging/route-template.ts';
import { Admission, type AdmissionLimits } from '../../http/server/admission.ts';
import { admitRequest } from '../../http/server/admit-request.ts';
import { createDiskReserve, type DiskReserve } from '../../http/server/disk-reserve.ts';
import { createReadinessCheck, healthz, type Readiness, readyz } from '../../http/server/health.ts';
import { createMetricsExporter, type GaugeSample, type MetricsExporter } from './exporter.ts';
import type { ProcessLoad } from './process-load.ts';

/** True if it answered; false, with nothing touched, if the next layer should. */
type HandleRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<boolean>;

/** Methods with their own label; others are counted together. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface Observability {
  readonly readiness: Readiness;
  /** /metrics on the server's port; null where METRICS_PORT is set or metrics are off. */
  readonly metrics: RequestHandler | null;
  /** For `createRouter`: queues or refuses a request before its body is read. */
  readonly receive: BeforeRead;
  /** Runs the handler and records the answer, by whomever it is given. */
  seen(incoming: IncomingMessage, outgoing: ServerResponse, handle: HandleRequest): Promise<boolean>;
  readonly health: Readonly<Record<string, RequestHandler>>;
  /** Endpoints of METRICS_PORT: those and /metrics. */
  readonly paths: Readonly<Record<string, RequestHandler>>;
  readonly requestMetrics: { readonly exporter: MetricsExporter } | null;
  start(): void;
  stop(): void;
}

interface ObservabilityOptions {
  /** Absent in tests: no load. */
  readonly pressure: (() => ProcessLoad) | undefined;
  readonly limits: AdmissionLimits;
  readonly version: string;
  readonly ingestionRoute: (route: string) => string | null;
  readonly clientAddress: (incoming: IncomingMessage) => string;
}

const reading: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Still allowed when the disk is full: deletions make space. */
const removing: ReadonlySet<string | undefined> = new Set(['DELETE']);

const waitCheckMs = 50;
/** Above these shares no waiting request is admitted. */
const memoryShareMax = 0.95;
const queueShareMax = 0.9;

const idle: ProcessLoad = { memoryShare: 0, queueShare: 0, diskFreeBytes: null };

export function createObservability(deps: Deps, options: ObservabilityOptions): Observability {
  const { pressure = () => idle, ingestionRoute, version } = options;
  let load = idle;
  const disk = createDiskReserve(deps.config.overload.diskReserveBytes);
  const isMemoryLow = (): boolean => load.memoryShare > memoryShareMax;
  const admission = new Admission({
    limits: options.limits,
    nowMs: () => performance.now(),
    scarce: () => (isMemoryLow() ? 'memory' : deps.store.load().share > queueShareMax ? 'write_queue' : null),
    every(check) {
      const timer = setInterval(check, waitCheckMs);
      return () => clearInterval(timer);
    },
    waited: (milliseconds) => deps.measures?.observe('waitSeconds', [], milliseconds / 1_000),
  });
  const readiness: Readiness = {
    draining: false,
    scarce: () => (disk.isLow() ? 'disk' : isMemoryLow() ? 'memory' : null),
  };
  const checkReadiness = createReadinessCheck(deps, readiness);
  const requestMetrics = createRequestMetrics(deps, {
    waiting: () => admission.waiting,
    isReady: async () => (await checkReadiness()).ready,
    isIngestion: (template) => ingestionRoute(template) !== null,
    version,
  });
  const health = { '/livez': healthz, '/healthz': healthz, '/readyz': readyz(checkReadiness) };
  const shown = requestMetrics === null ? null : metricsHandler(requestMetrics.exporter);
  let timer: NodeJS.Timeout | undefined;
  return {
    readiness,
    metrics: deps.config.metrics === null ? shown : null,
    seen: requestMetrics?.seen ?? ((incoming, outgoing, handle) => handle(incoming, outgoing)),
    receive: options.pressure === undefined ? () => null : receiver(deps, options, admission, disk),
    requestMetrics,
    health,
    paths: shown === null ? health : { ...health, '/metrics': shown },
    start() {
      const checkPressure = (): void => {
        const before = readiness.scarce();
        load = pressure();
        disk.setFreeBytes(load.diskFreeBytes);
        const now = readiness.scarce();
        if (now !== before) deps.log.warn({ scarce: now, ...load }, 'resource pressure changed');
      };
      timer ??= setInterval(checkPressure, options.limits.pressureCheckMs).unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** Queues ingestion requests under load, and refuses writes while the disk is full. */
function receiver(
  deps: Deps,
  { ingestionRoute, clientAddress }: ObservabilityOptions,
  admission: Admission,
  disk: DiskReserve,
): BeforeRead {
  return (incoming, outgoing, restRequest) => {
    const method = restRequest?.method ?? incoming.method;
    if (reading.has(method) || removing.has(method)) return null;
    const route = restRequest === undefined ? null : ingestionRoute(restRequest.route);
    const noteRefusal = (outcome: 'failed' | 'shed'): void => {
      if (route !== null) setRouteTemplate(incoming, route);
      deps.measures?.count('events', [outcome, 'overload', 'unknown']);
    };
    if (disk.isLow()) {
      if (route !== null) noteRefusal('failed');
      return createUnavailableError();
    }
    getBodyState(incoming).admit = disk.admitBytes;
    if (route === null) return null;
    const categories = categoriesOfRoute(route);
    const admitted = admitRequest(admission, incoming, outgoing, {
      address: toLimitAddress(clientAddress(incoming)),
      categories,
      isEnvelope: route.includes('/envelope'),
      refused: (reason) => deps.measures?.count('requestsRefused', [reason]),
    });
    if (admitted === null) return null;
    return admitted.then((refusal) => {
      if (refusal !== null) noteRefusal('shed');
      return refusal;
    });
  };
}

function categoriesOfRoute(route: string): readonly string[] {
  if (route.includes('/cron/')) return ['monitor'];
  return route.endsWith('/feedback') ? ['feedback'] : ['error'];
}

function metricsHandler(exporter: MetricsExporter): RequestHandler {
  return async (_request, response) => {
    const { contentType, text } = await exporter.text();
    response.set('Cache-Control', 'no-store').set('Content-Type', contentType).send(text);
  };
}

interface RequestMetricsOptions {
  readonly waiting: () => number;
  readonly isReady: () => Promise<boolean>;
  readonly isIngestion: (template: string) => boolean;
  readonly version: string;
}

function createRequestMetrics(deps: Deps, { waiting, isReady, isIngestion, version }: RequestMetricsOptions) {
  const { measures: meter, store } = deps;
  if (meter === undefined) return null;
  let inflight = 0;
  const exporter = createMetricsExporter(meter, async () => {
    const [sizes, ready, backupTime] = await Promise.all([
      loadStoreSizes(deps),
      isReady(),
      backupTimeGauge(deps),
    ]);
    const { waitingItems, waitingBytes } = store.load();
    return [
      { gauge: 'inflightBytes', labels: [], value: countBodyMemoryBytes() },
      { gauge: 'inflightRequests', labels: [], value: inflight },
      { gauge: 'queueItems', labels: [], value: waitingItems },
      { gauge: 'queueBytes', labels: [], value: waitingBytes },
      { gauge: 'requestsWaiting', labels: [], value: waiting() },
      { gauge: 'ready', labels: [], value: ready ? 1 : 0 },
      ...(deps.limitStore === undefined
        ? []
        : [{ gauge: 'limitServers', labels: [], value: deps.limitStore.servers() } as const]),
      ...readingsOf(sizes, version),
      ...backupTime,
    ];
  });
  const count = (incoming: IncomingMessage, outgoing: ServerResponse, beganAtMs: number): void => {
    inflight -= 1;
    const route = getRouteTemplate(incoming) ?? expressRoute(incoming);
    const method = incoming.method ?? '';
    const status = outgoing.headersSent ? String(outgoing.statusCode) : 'none';
    meter.count('requests', [route, methods.has(method) ? method : 'other', status]);
    meter.observe('requestSeconds', [route], (performance.now() - beganAtMs) / 1000);
    if (isIngestion(route)) meter.observe('bodyBytes', [], getBodyState(incoming).receivedBytes);
  };
  return {
    exporter,
    async seen(incoming: IncomingMessage, outgoing: ServerResponse, handle: HandleRequest) {
      const beganAtMs = performance.now();
      inflight += 1;
      const handled = await handle(incoming, outgoing);
      // After 'close' the event is not emitted again.
      if (handled || outgoing.closed) count(incoming, outgoing, beganAtMs);
      else outgoing.once('close', () => count(incoming, outgoing, beganAtMs));
      return handled;
    },
  };
}

/** Without the database, only its own gauges are missing. */
async function loadStoreSizes({ store }: Pick<Deps, 'store'>): Promise<StoreSizes> {
  return store
    .figures()
    .catch(() => ({ sqliteVersion: null, freeBytes: null, mainBytes: null, walBytes: null }));
}

async function backupTimeGauge({ store }: Pick<Deps, 'store'>): Promise<GaugeSample[]> {
  const lastBackupAt = await store.findSetting(lastBackupSetting).catch(() => null);
  const seconds = lastBackupAt === null ? Number.NaN : Date.parse(lastBackupAt) / 1000;
  return Number.isNaN(seconds) ? [] : [{ gauge: 'backupMade', labels: [], value: seconds }];
}

function readingsOf(sizes: StoreSizes, version: string): GaugeSample[] {
  const { sqliteVersion, freeBytes, mainBytes, walBytes } = sizes;
  const readings: GaugeSample[] = [
    {
      gauge: 'buildInfo',
      labels: [version, process.versions.node, sqliteVersion ?? 'none'],
      value: 1,
    },
  ];
  if (freeBytes !== null) readings.push({ gauge: 'diskFree', labels: [], value: freeBytes });
  if (mainBytes !== null) readings.push({ gauge: 'dbBytes', labels: ['main'], value: mainBytes });
  if (walBytes !== null) readings.push({ gauge: 'dbBytes', labels: ['wal'], value: walBytes });
  return readings;
}

function expressRoute(incoming: IncomingMessage): string {
  const { route, baseUrl = '' } = incoming as Partial<Pick<Request, 'route' | 'baseUrl'>>;
  const path: unknown = route?.path;
  return typeof path === 'string' ? `${baseUrl}${path}` : 'other';
}
