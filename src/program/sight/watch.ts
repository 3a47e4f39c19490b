// What is told of a running server, put together: the ladder of overload, what /readyz says, and what is seen
// of its answers. One an app.
import type { RequestHandler } from 'express';
import type { Deps } from '../../core/deps.ts';
import type { RestError } from '../../core/errors.ts';
import type { Sum } from '../../core/shared/sum.ts';
import type { Receive } from '../../http/api/namespace.ts';
import { lifeOf } from '../../http/bodies/body-life.ts';
import { healthz, type Readiness, readinessOf, readyz } from '../../http/server/health.ts';
import {
  createOverload,
  lookMs,
  type Overload,
  type Pressure,
  type Standing,
} from '../../http/server/overload.ts';
import { createUnderWay, type UnderWay } from '../../http/server/under-way.ts';
import { noteRoute } from '../../http/sight/route-of.ts';
import { metrics } from './metrics-door.ts';
import { createSight, type Sight, type WatchedThreads } from './sight.ts';

export interface Watch {
  readonly readiness: Readiness;
  readonly overload: Overload;
  /** /metrics on the server's own port; null where METRICS_PORT answers it, or nobody counts. */
  readonly metrics: RequestHandler | null;
  /** For `createRouter`: what is turned away before anything of it is read. */
  readonly receive: Receive;
  /** Has `handle` answer a request, and sees how it, or whoever comes after it, does so. */
  readonly seen: Sight['seen'];
  /** Paths that tell how the server is, for anybody. */
  readonly health: Readonly<Record<string, RequestHandler>>;
  /** Those and /metrics, for whom METRICS_PORT lets in. */
  readonly paths: Readonly<Record<string, RequestHandler>>;
  /** While nothing but health is served: answers in place of pages. */
  readonly shed: RequestHandler;
  /** Null where nobody counts. */
  readonly sight: Pick<Sight, 'counts' | 'exposition'> | null;
  start(): void;
  stop(): void;
}

interface WatchParts {
  /** How the process stands; absent: as if there were nothing to do: no busy machine changes a test. */
  readonly pressure: (() => Pressure) | undefined;
  readonly version: string;
  /** The template of a route string that brings events or bug reports with a public key; null for others. */
  readonly ingestionRoute: (route: string) => string | null;
  readonly threads: WatchedThreads | undefined;
  readonly standing: Standing | undefined;
  /** See `OverloadParts`. */
  readonly admitted: Sum | undefined;
}

/** What changes nothing. */
const reading: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What removes is what makes room. */
const removing: ReadonlySet<string | undefined> = new Set(['DELETE']);

const idle: Pressure = { loopDelayP99Ms: 0, memoryShare: 0, queueShare: 0, diskFreeBytes: null };

/** Watches a server that is made over `deps`; the ladder stands still until it is started. */
export function createWatch(deps: Deps, parts: WatchParts): Watch {
  const { pressure = () => idle, ingestionRoute, version } = parts;
  const overload = createOverload({
    pressure,
    diskReserveBytes: deps.config.overload.diskReserveBytes,
    standing: parts.standing,
    admitted: parts.admitted,
    told: (level, read) => deps.log.warn({ level, ...read }, 'the level of overload has changed'),
  });
  const readiness: Readiness = { draining: false, level: overload.level };
  const ask = readinessOf(deps, readiness);
  const sight = createSight(deps, {
    level: overload.level,
    isReady: async () => (await ask()).ready,
    isIngestion: (template) => ingestionRoute(template) !== null,
    version,
    threads: parts.threads,
  });
  const health = { '/livez': healthz, '/healthz': healthz, '/readyz': readyz(ask) };
  const underWay = createUnderWay();
  const shown = sight === null ? null : metrics(sight.exposition);
  let timer: NodeJS.Timeout | undefined;
  return {
    readiness,
    overload,
    metrics: deps.config.metrics === null ? shown : null,
    seen: sight?.seen ?? ((incoming, outgoing, handle) => handle(incoming, outgoing)),
    receive: receiver(deps, parts, overload, underWay),
    sight,
    health,
    paths: shown === null ? health : { ...health, '/metrics': shown },
    shed(_request, response, next) {
      if (overload.level() > 0) response.setHeader('Connection', 'close');
      const refusal = overload.refusal({ isIngestion: false, writes: false, underWay: 0, isLarge: false });
      if (refusal === null) return next();
      tell(refusal, response);
    },
    start() {
      timer ??= setInterval(() => {
        underWay.look();
        overload.look();
      }, lookMs).unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** Turns away what is not served now, and counts what is. */
function receiver(
  deps: Deps,
  { pressure, ingestionRoute }: WatchParts,
  overload: Overload,
  underWay: UnderWay,
): Receive {
  return (incoming, outgoing, asked) => {
    if (pressure === undefined) return null;
    const route = asked === undefined ? null : ingestionRoute(asked.route);
    const method = asked?.method ?? incoming.method;
    const writes = !reading.has(method) && !removing.has(method);
    const isIngestion = route !== null && writes;
    const all = underWay.of(incoming);
    const { isLarge } = all;
    const refusal = overload.refusal({ isIngestion, writes, underWay: all.count(), isLarge });
    // Not who brings events: coming anew would cost more than is gained by turning them away (D-186).
    if (!isIngestion && overload.level() > 0) outgoing.setHeader('Connection', 'close');
    if (refusal === null && isIngestion) all.add(incoming, outgoing);
    if (refusal === null && writes) lifeOf(incoming).admit = overload.admitBytes;
    if (refusal === null || route === null) return refusal;
    noteRoute(incoming, route);
    deps.measures?.count('events', [refusal.status === 503 ? 'failed' : 'shed', 'overload', 'unknown']);
    return refusal;
  };
}

function tell({ status, message, headers }: RestError, response: Parameters<RequestHandler>[1]): void {
  for (const [name, value] of headers) response.set(name, value);
  response.status(status).set('Cache-Control', 'no-store').type('text/plain').send(`${message}\n`);
}
