// /healthz: the process turns, no I/O. /readyz: the probes, 503 while draining (D-26). Both outside the
// namespace.
import type { RequestHandler } from 'express';
import type { Deps } from '../../core/deps.ts';
import type { StoreHealth } from '../../core/store/store.ts';

export interface Readiness {
  draining: boolean;
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

/** 200 when events can be kept, 503 with the reason otherwise. */
export function readyz(deps: Pick<Deps, 'store' | 'now'>, readiness: Readiness): RequestHandler {
  const probe = keptProbe(deps);
  return async (_request, response) => {
    const store = await probe();
    const ready = store.writable && !readiness.draining;
    response
      .status(ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({
        ready,
        draining: readiness.draining,
        store: { writable: store.writable, reason: store.reason },
      });
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
