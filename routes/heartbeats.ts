// /heartbeats/{token}: pings of push monitors. The token in the path is the credential, so these routes are
// not in the route table.
import type { Deps } from '../src/core/deps.ts';
import { callBytesMax, callHeartbeat } from '../src/core/monitors/calls.ts';
import { type OpenRoute, ok } from '../src/http/api/route.ts';

/** GET or POST, with optional `/start`, `/fail`, `/log` or exit code. */
export function heartbeatRoutes(deps: Deps): OpenRoute[] {
  return ['/heartbeats/{token}', '/heartbeats/{token}/{said}'].map((path) => ({
    methods: ['GET', 'POST'],
    path,
    async handler({ token = '', said = '' }, beginningOfBody) {
      await callHeartbeat(deps, token, { said, body: await beginningOfBody(callBytesMax) });
      return ok({ accepted: true });
    },
  }));
}
