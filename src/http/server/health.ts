// /healthz, /livez (no I/O) and /readyz (checks the store; 503 while draining).
import type { RequestHandler } from 'express';
import type { Deps } from '../../core/deps.ts';
import type { StoreHealth } from '../../core/store/store.ts';

export interface Readiness {
  draining: boolean;
  /** The shortage for which no events are accepted. */
  scarce(): 'memory' | 'disk' | null;
}

const probeKeptMs = 1_000;

/** Does not use the store, so that a full disk does not restart the process. */
export const healthz: RequestHandler = (_request, response) => {
  response.set('Cache-Control', 'no-store').type('text/plain').send('ok\n');
};

/** The check writes to the store, so it runs at most once a second, and is not waited for longer than that. */
export function createReadinessCheck(
  deps: Pick<Deps, 'store' | 'now'>,
  readiness: Readiness,
  probeMsMax = 900,
) {
  const probe = cachedProbe(deps, probeMsMax);
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

/** 503 with the reason when events cannot be stored. */
export function readyz(checkReadiness: ReturnType<typeof createReadinessCheck>): RequestHandler {
  return async (_request, response) => {
    const answer = await checkReadiness();
    response
      .status(answer.ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json(answer);
  };
}

/** The clock may be set back. */
function cachedProbe(deps: Pick<Deps, 'store' | 'now'>, probeMsMax: number): () => Promise<StoreHealth> {
  let cached: { health: Promise<StoreHealth>; atMs: number } | null = null;
  return () => {
    const atMs = deps.now();
    if (cached === null || Math.abs(atMs - cached.atMs) >= probeKeptMs) {
      cached = { health: withTimeout(deps.store.health(), probeMsMax), atMs };
    }
    return cached.health;
  };
}

function withTimeout(health: Promise<StoreHealth>, probeMsMax: number): Promise<StoreHealth> {
  return new Promise((resolve) => {
    const silent: StoreHealth = { writable: false, reason: 'the database did not respond' };
    const timer = setTimeout(() => resolve(silent), probeMsMax);
    health
      .then(resolve, (error: unknown) => resolve({ ...silent, reason: String(error) }))
      .finally(() => clearTimeout(timer));
  });
}
