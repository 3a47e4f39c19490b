// /heartbeats/{token}: what jobs call to say that all is well. The secret in the address is the credential,
// so the route stands beside the table of those that want a key, and is described nowhere.
import type { Deps } from '../src/core/deps.ts';
import { callHeartbeat } from '../src/core/monitors/calls.ts';
import { type OpenRoute, ok } from '../src/http/api/route.ts';

/** A call by GET or POST; what a POST brings is not read. */
export function heartbeatRoute(deps: Deps): OpenRoute {
  return {
    methods: ['GET', 'POST'],
    path: '/heartbeats/{token}',
    async handler({ token = '' }) {
      await callHeartbeat(deps, token);
      return ok({ accepted: true });
    },
  };
}
