// The whole API on one screen, as section 4 of the specification reads: method, path, credential, limit, schema, handler.
import { artifactsQuery } from '../schemas/artifacts.ts';
import { storeRequest } from '../schemas/store.ts';
import type { Deps } from '../src/core/deps.ts';
import type { Route } from '../src/http/route.ts';
import { deleteOneArtifact, getArtifacts, getOneArtifact, postArtifacts } from './artifacts.ts';
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
    {
      method: 'POST',
      path: '/artifacts',
      credential: 'secret',
      limit: 'server',
      body: 'stream',
      handler: postArtifacts(deps),
    },
    {
      method: 'GET',
      path: '/artifacts',
      credential: 'secret',
      limit: 'server',
      schema: artifactsQuery,
      handler: getArtifacts(deps),
    },
    {
      method: 'GET',
      path: '/artifacts/{id}',
      credential: 'secret',
      limit: 'server',
      handler: getOneArtifact(deps),
    },
    {
      method: 'DELETE',
      path: '/artifacts/{id}',
      credential: 'secret',
      limit: 'server',
      handler: deleteOneArtifact(deps),
    },
  ];
}
