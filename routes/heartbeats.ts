// /heartbeats/{token}: the token in the path is the credential, so this is not in the route table.
import type { Deps } from '../src/core/deps.ts';
import { callBodyBytesMax, receiveHeartbeatCall } from '../src/core/monitors/heartbeat.ts';
import { ok, type UnauthenticatedRoute } from '../src/http/api/route.ts';

/** GET or POST, with optional `/start`, `/fail`, `/log` or exit code. */
export function heartbeatRoutes(deps: Deps): UnauthenticatedRoute[] {
  return ['/heartbeats/{token}', '/heartbeats/{token}/{signal}'].map((path) => ({
    methods: ['GET', 'POST'],
    path,
    async handler({ token = '', signal = '' }, beginningOfBody) {
      await receiveHeartbeatCall(deps, token, {
        signalText: signal,
        body: await beginningOfBody(callBodyBytesMax),
      });
      return ok({ accepted: true });
    },
  }));
}
