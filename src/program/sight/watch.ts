// What is told of a running server, put together: who is admitted, what /readyz says, and what is seen of its
// answers. One an app.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Deps } from '../../core/deps.ts';
import { unavailable } from '../../core/errors.ts';
import { backupMadeSetting } from '../../core/store/storage/setting-names.ts';
import type { StoreFigures } from '../../core/store/store.ts';
import type { Receive } from '../../http/api/namespace.ts';
import { lifeOf } from '../../http/bodies/body-life.ts';
import { heldByBodies } from '../../http/bodies/body-room.ts';
import { countedAddress } from '../../http/limits/client-address.ts';
import { type Admission, type AdmissionLimits, createAdmission } from '../../http/server/admission.ts';
import { admitRequest } from '../../http/server/admit.ts';
import { createDiskRoom, type DiskRoom } from '../../http/server/disk-room.ts';
import { healthz, type Readiness, readinessOf, readyz } from '../../http/server/health.ts';
import { noteRoute, routeOf } from '../../http/sight/route-of.ts';
import { createExposition, type Exposition, type Reading } from './exposition.ts';
import { metrics } from './metrics-door.ts';
import type { Pressure } from './pressure.ts';

interface Sight {
  /** Has `handle` answer a request; what it leaves alone is seen when its connection is done with it. */
  seen(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handle): Promise<boolean>;
  readonly exposition: Exposition;
}

/** True where it answered; false, with nothing touched, where somebody else is to. */
type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<boolean>;

interface SightParts {
  /** Requests that wait for their turn now. */
  readonly waiting: () => number;
  /** What /readyz says. */
  readonly isReady: () => Promise<boolean>;
  readonly isIngestion: (template: string) => boolean;
  /** Of the program. */
  readonly version: string;
}

/** Methods that stand by their names; others are counted together. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface Watch {
  readonly readiness: Readiness;
  /** /metrics on the server's own port; null where METRICS_PORT answers it, or nobody counts. */
  readonly metrics: RequestHandler | null;
  /** For `createRouter`: what waits or is refused before anything of it is read. */
  readonly receive: Receive;
  /** Has `handle` answer a request, and sees how it, or whoever comes after it, does so. */
  readonly seen: Sight['seen'];
  /** Paths that tell how the server is, for anybody. */
  readonly health: Readonly<Record<string, RequestHandler>>;
  /** Those and /metrics, for whom METRICS_PORT lets in. */
  readonly paths: Readonly<Record<string, RequestHandler>>;
  /** Null where nobody counts. */
  readonly sight: Pick<Sight, 'exposition'> | null;
  start(): void;
  stop(): void;
}

interface WatchParts {
  /** How the process stands; absent: as if there were nothing to do: no busy machine changes a test. */
  readonly pressure: (() => Pressure) | undefined;
  readonly limits: AdmissionLimits;
  readonly version: string;
  /** The template of a route string that brings events or bug reports with a public key; null for others. */
  readonly ingestionRoute: (route: string) => string | null;
  /** Of a request's client. */
  readonly clientAddress: (incoming: IncomingMessage) => string;
}

/** What changes nothing. */
const reading: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What removes is what makes room. */
const removing: ReadonlySet<string | undefined> = new Set(['DELETE']);

const lookMs = 500;
/** How often those who wait are looked at. */
const waitLookMs = 50;
/** Of the memory and of the queue of writes that there may be: from here on nobody is given a turn. */
const memoryShareMax = 0.95;
const queueShareMax = 0.9;

const idle: Pressure = { memoryShare: 0, queueShare: 0, diskFreeBytes: null };

/** Watches a server that is made over `deps`; how it stands is read once it is started. */
export function createWatch(deps: Deps, parts: WatchParts): Watch {
  const { pressure = () => idle, ingestionRoute, version } = parts;
  let stands = idle;
  const disk = createDiskRoom(deps.config.overload.diskReserveBytes);
  const isMemoryLow = (): boolean => stands.memoryShare > memoryShareMax;
  const admission = createAdmission({
    limits: parts.limits,
    nowMs: () => performance.now(),
    scarce: () => (isMemoryLow() ? 'memory' : deps.store.load().share > queueShareMax ? 'write_queue' : null),
    every(look) {
      const timer = setInterval(look, waitLookMs);
      return () => clearInterval(timer);
    },
    waited: (milliseconds) => deps.measures?.observe('waitSeconds', [], milliseconds / 1_000),
    refused: (reason) => deps.measures?.count('requestsRefused', [reason]),
  });
  const readiness: Readiness = {
    draining: false,
    scarce: () => (disk.isLow() ? 'disk' : isMemoryLow() ? 'memory' : null),
  };
  const ask = readinessOf(deps, readiness);
  const sight = createSight(deps, {
    waiting: () => admission.waiting,
    isReady: async () => (await ask()).ready,
    isIngestion: (template) => ingestionRoute(template) !== null,
    version,
  });
  const health = { '/livez': healthz, '/healthz': healthz, '/readyz': readyz(ask) };
  const shown = sight === null ? null : metrics(sight.exposition);
  let timer: NodeJS.Timeout | undefined;
  return {
    readiness,
    metrics: deps.config.metrics === null ? shown : null,
    seen: sight?.seen ?? ((incoming, outgoing, handle) => handle(incoming, outgoing)),
    receive: parts.pressure === undefined ? () => null : receiver(deps, parts, admission, disk),
    sight,
    health,
    paths: shown === null ? health : { ...health, '/metrics': shown },
    start() {
      const look = (): void => {
        const before = readiness.scarce();
        stands = pressure();
        disk.looked(stands.diskFreeBytes);
        const now = readiness.scarce();
        if (now !== before) deps.log.warn({ scarce: now, ...stands }, 'resource pressure changed');
      };
      timer ??= setInterval(look, lookMs).unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** Has those wait who bring events while there is no room, and refuses what writes while the disk is full. */
function receiver(
  deps: Deps,
  { ingestionRoute, clientAddress }: WatchParts,
  admission: Admission,
  disk: DiskRoom,
): Receive {
  return (incoming, outgoing, asked) => {
    const method = asked?.method ?? incoming.method;
    if (reading.has(method) || removing.has(method)) return null;
    const route = asked === undefined ? null : ingestionRoute(asked.route);
    const noteRefusal = (outcome: 'failed' | 'shed'): void => {
      if (route !== null) noteRoute(incoming, route);
      deps.measures?.count('events', [outcome, 'overload', 'unknown']);
    };
    if (disk.isLow()) {
      if (route !== null) noteRefusal('failed');
      return unavailable();
    }
    lifeOf(incoming).admit = disk.admitBytes;
    if (route === null) return null;
    const categories = categoriesOfRoute(route);
    const admitted = admitRequest(admission, incoming, outgoing, {
      address: countedAddress(clientAddress(incoming)),
      categories,
      isEnvelope: route.includes('/envelope'),
    });
    if (!(admitted instanceof Promise)) {
      if (admitted !== null) noteRefusal('shed');
      return admitted;
    }
    return admitted.then((refusal) => {
      if (refusal !== null) noteRefusal('shed');
      return refusal;
    });
  };
}

/** What an SDK is told to hold back where a route refuses it. */
function categoriesOfRoute(route: string): readonly string[] {
  if (route.includes('/cron/')) return ['monitor'];
  return route.endsWith('/feedback') ? ['feedback'] : ['error'];
}

/** Counts into `deps.measures`; null where nobody counts. */
function createSight(deps: Deps, parts: SightParts): Sight | null {
  const { waiting, isReady, isIngestion, version } = parts;
  const { measures, store } = deps;
  if (measures === undefined) return null;
  let inflight = 0;
  const exposition = createExposition(measures, async () => {
    const [figures, ready, backupMade] = await Promise.all([figuresOf(deps), isReady(), backupMadeOf(deps)]);
    const { waitingItems, waitingBytes } = store.load();
    return [
      { gauge: 'inflightBytes', labels: [], value: heldByBodies() },
      { gauge: 'inflightRequests', labels: [], value: inflight },
      { gauge: 'queueItems', labels: [], value: waitingItems },
      { gauge: 'queueBytes', labels: [], value: waitingBytes },
      { gauge: 'requestsWaiting', labels: [], value: waiting() },
      { gauge: 'ready', labels: [], value: ready ? 1 : 0 },
      ...(deps.limitStore === undefined
        ? []
        : [{ gauge: 'limitServers', labels: [], value: deps.limitStore.servers() } as const]),
      ...readingsOf(figures, version),
      ...backupMade,
    ];
  });
  const count = (incoming: IncomingMessage, outgoing: ServerResponse, beganAtMs: number): void => {
    inflight -= 1;
    const route = routeOf(incoming) ?? expressRoute(incoming);
    const method = incoming.method ?? '';
    const status = outgoing.headersSent ? String(outgoing.statusCode) : 'none';
    measures.count('requests', [route, methods.has(method) ? method : 'other', status]);
    measures.observe('requestSeconds', [route], (performance.now() - beganAtMs) / 1000);
    if (isIngestion(route)) measures.observe('bodyBytes', [], lifeOf(incoming).receivedBytes);
  };
  return {
    exposition,
    async seen(incoming, outgoing, handle) {
      const beganAtMs = performance.now();
      inflight += 1;
      const handled = await handle(incoming, outgoing);
      // Who has hung up by now tells so no more.
      if (handled || outgoing.closed) count(incoming, outgoing, beganAtMs);
      else outgoing.once('close', () => count(incoming, outgoing, beganAtMs));
      return handled;
    },
  };
}

/** A database that does not answer leaves its figures out, and not all others. */
async function figuresOf({ store }: Pick<Deps, 'store'>): Promise<StoreFigures> {
  return store
    .figures()
    .catch(() => ({ sqliteVersion: null, freeBytes: null, mainBytes: null, walBytes: null }));
}

/** Nothing where no backup was made, or nobody knows. */
async function backupMadeOf({ store }: Pick<Deps, 'store'>): Promise<Reading[]> {
  const made = await store.findSetting(backupMadeSetting).catch(() => null);
  const seconds = made === null ? Number.NaN : Date.parse(made) / 1000;
  return Number.isNaN(seconds) ? [] : [{ gauge: 'backupMade', labels: [], value: seconds }];
}

function readingsOf(figures: StoreFigures, version: string): Reading[] {
  const { sqliteVersion, freeBytes, mainBytes, walBytes } = figures;
  const readings: Reading[] = [
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

/** The route of Express that answered, such as /healthz; `other` where none did. */
function expressRoute(incoming: IncomingMessage): string {
  const { route, baseUrl = '' } = incoming as Partial<Pick<Request, 'route' | 'baseUrl'>>;
  const path: unknown = route?.path;
  return typeof path === 'string' ? `${baseUrl}${path}` : 'other';
}
