// /healthz: the process turns, no I/O. /readyz: the probes, 503 while draining (D-26). Both outside the namespace.
import type { RequestHandler } from 'express';
import type { Deps } from '../core/deps.ts';

export interface Readiness {
  draining: boolean;
}

const probeMsMax = 900;

/** 200 for as long as the event loop turns; never touches the store, so that a full disk does not restart the process. */
export const healthz: RequestHandler = (_request, response) => {
  response.set('Cache-Control', 'no-store').type('text/plain').send('ok\n');
};

/** 200 when events can be kept, 503 with the reason otherwise. */
export function readyz(deps: Deps, readiness: Readiness): RequestHandler {
  return async (_request, response) => {
    const timeout = new Promise<{ writable: false; queueLength: number; reason: string }>((resolve) => {
      setTimeout(
        () => resolve({ writable: false, queueLength: -1, reason: 'the store did not answer' }),
        probeMsMax,
      ).unref();
    });
    const store = await Promise.race([deps.store.health(), timeout]);
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
