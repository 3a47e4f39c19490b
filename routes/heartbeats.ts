// /heartbeats/{token}: what jobs call to say that all is well, that a run began, or how it ended. The secret
// in the address is the credential, so the routes stand beside the table of those that want a key, and are
// described nowhere.
import type { Deps } from '../src/core/deps.ts';
import { callBytesMax, callHeartbeat } from '../src/core/monitors/calls.ts';
import { type OpenRoute, ok } from '../src/http/api/route.ts';

/** Calls by GET or POST, with `/start`, `/fail`, `/log` or an exit code behind the secret, or nothing. */
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
