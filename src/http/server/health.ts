// /healthz and /livez: the process turns, no I/O. /readyz: the probes, 503 while draining (D-26). All outside
// the namespace.
import type { RequestHandler } from 'express';
import type { Deps } from '../../core/deps.ts';
import type { StoreHealth } from '../../core/store/store.ts';

export interface Readiness {
  draining: boolean;
  /** What there is too little of for events to be taken; null where nothing is. */
  scarce(): 'memory' | 'disk' | null;
}

/** What is said of whether events can be kept. */
export interface ReadyAnswer {
  readonly ready: boolean;
  readonly draining: boolean;
  readonly store: StoreHealth;
  /** Only where there is too little of it for events to be taken. */
  readonly scarce?: 'memory' | 'disk';
}

const probeMsMax = 900;
/** The probe writes: however many ask, it runs once in this time. */
const probeKeptMs = 1_000;

/**
 * 200 for as long as the event loop turns; never touches the store, so that a full disk does not restart the
 * process.
 */
export const healthz: RequestHandler = (_request, response) => {
  response.set('Cache-Control', 'no-store').type('text/plain').send('ok\n');
};

/** Whether events can be kept, and why not; the store is asked once a second. */
export function readinessOf(
  deps: Pick<Deps, 'store' | 'now'>,
  readiness: Readiness,
): () => Promise<ReadyAnswer> {
  const probe = keptProbe(deps);
  return async () => {
    const { writable, reason } = await probe();
    const scarce = readiness.scarce();
    return {
      ready: writable && !readiness.draining && scarce === null,
      draining: readiness.draining,
      store: { writable, reason },
      ...(scarce === null ? {} : { scarce }),
    };
  };
}

/** 200 when events can be kept, 503 with the reason otherwise. */
export function readyz(ask: () => Promise<ReadyAnswer>): RequestHandler {
  return async (_request, response) => {
    const answer = await ask();
    response
      .status(answer.ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json(answer);
  };
}

/** The store's health, asked once a second; a clock that is set back keeps no answer for longer. */
function keptProbe(deps: Pick<Deps, 'store' | 'now'>): () => Promise<StoreHealth> {
  let kept: { health: Promise<StoreHealth>; atMs: number } | null = null;
  return () => {
    const atMs = deps.now();
    if (kept === null || Math.abs(atMs - kept.atMs) >= probeKeptMs) {
      kept = { health: inTime(deps.store.health()), atMs };
    }
    return kept.health;
  };
}

/** What the probe says, or that it says nothing. */
function inTime(health: Promise<StoreHealth>): Promise<StoreHealth> {
  return new Promise((resolve) => {
    const silent: StoreHealth = { writable: false, reason: 'the store did not answer' };
    const timer = setTimeout(() => resolve(silent), probeMsMax);
    health
      .then(resolve, (error: unknown) => resolve({ ...silent, reason: String(error) }))
      .finally(() => clearTimeout(timer));
  });
}
