// What is seen of a running server: each answer counted by its route, and /metrics.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Deps } from '../../core/deps.ts';
import type { Counted, UnderWay } from '../../core/ports/measures.ts';
import { backupMadeSetting } from '../../core/store/storage/setting-names.ts';
import type { StoreFigures } from '../../core/store/store.ts';
import { lifeOf } from '../../http/bodies/body-life.ts';
import { heldByBodies } from '../../http/bodies/body-room.ts';
import { routeOf } from '../../http/sight/route-of.ts';
import { createExposition, type Exposition, type Reading } from './exposition.ts';

export interface Sight {
  /** Has `handle` answer a request; what it leaves alone is seen when its connection is done with it. */
  seen(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handle): Promise<boolean>;
  readonly exposition: Exposition;
  /** What was counted since it was last asked for, and what is under way: of this thread. */
  counts(): { readonly counted: Counted } & UnderWay;
}

/** Where several threads answer: one of them has the metrics, and the others hand over what they counted. */
export interface WatchedThreads {
  /** Has the others hand it over, to whoever has the metrics; answers what they have under way. */
  gather?(): Promise<readonly UnderWay[]>;
  /** The metrics, from whoever has them. */
  metrics?: Exposition['text'];
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
  readonly threads: WatchedThreads | undefined;
}

/** Methods that stand by their names; others are counted together. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts into `deps.measures`; null where nobody counts. */
export function createSight(deps: Deps, parts: SightParts): Sight | null {
  const { waiting, isReady, isIngestion, version, threads } = parts;
  const { measures, store } = deps;
  if (measures === undefined) return null;
  let inflight = 0;
  const underWay = (): UnderWay => {
    const { waitingItems, waitingBytes } = store.load();
    return { inflightRequests: inflight, requestsWaiting: waiting(), waitingItems, waitingBytes };
  };
  const own = createExposition(measures, async () => {
    const [others = [], figures, ready, backupMade] = await Promise.all([
      threads?.gather?.(),
      figuresOf(deps),
      isReady(),
      backupMadeOf(deps),
    ]);
    const all = [underWay(), ...others];
    const sum = (of: keyof UnderWay): number => all.reduce((total, each) => total + each[of], 0);
    return [
      { gauge: 'inflightBytes', labels: [], value: heldByBodies() },
      { gauge: 'inflightRequests', labels: [], value: sum('inflightRequests') },
      { gauge: 'queueItems', labels: [], value: sum('waitingItems') },
      { gauge: 'queueBytes', labels: [], value: sum('waitingBytes') },
      { gauge: 'requestsWaiting', labels: [], value: sum('requestsWaiting') },
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
    exposition: threads?.metrics === undefined ? own : { text: threads.metrics },
    counts: () => ({ counted: measures.take(), ...underWay() }),
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
