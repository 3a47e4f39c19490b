// The whole API on one screen, as section 4 of the specification reads: method, path, credential, limit, schema, handler.
import { storeRequest } from '../schemas/store.ts';
import type { Deps } from '../src/core/deps.ts';
import type { Route } from '../src/http/route.ts';
import { postStore } from './store.ts';

/** Every route under the namespace; the engine runs them in this order. */
export function notifierRoutes(deps: Deps): Route[] {
  return [
    {
      method: 'POST',
      path: '/store',
      credential: 'event',
      limit: 'events',
      schema: storeRequest,
      body: 'event',
      handler: postStore(deps),
    },
  ];
}
