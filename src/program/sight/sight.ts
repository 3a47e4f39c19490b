// What is seen of a running server: each answer counted by its route, and /metrics.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Deps } from '../../core/deps.ts';
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

/** Counts into `deps.measures`; null where nobody counts. */
export function createSight(deps: Deps, parts: SightParts): Sight | null {
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
