// Connects the REST server to the workers for large bodies.
import type { HeavyReader, HeavyRequest } from '../../core/ports/heavy-reader.ts';
import { isHeavy } from '../../core/reading/json-weight.ts';
import type { ReadParameters } from '../../wordpress/request/parameters.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import { bodyWorkOf, readHere } from '../../wordpress/rest/body-work.ts';
import type { HeavyBodies, RestServerOptions } from '../../wordpress/rest/options.ts';
import { lifeOf } from '../bodies/body-life.ts';

/** Routes with `readsAside` have large bodies parsed themselves, after authentication. */
export function heavyBodies(heavy: HeavyReader, order: RestServerOptions['order']): HeavyBodies {
  return {
    goesAside: (bytes, incoming) => lifeOf(incoming).place !== null || isHeavy(bytes),
    async check(request, match) {
      const isReadLater = match.handler.readsAside !== undefined;
      // In core's order argument errors come before authentication, so they are checked here too.
      if (isReadLater && order === 'permission-first') return true;
      const body = bodyWorkOf(request);
      if (body === null) return readHere(request);
      const read = await heavy.readParameters({ body, isDialects: false });
      if (!isReadLater) request.adoptParameters(read as ReadParameters);
      return true;
    },
  };
}

export function bodyAsideOf(request: RestRequest, isDialects: boolean): HeavyRequest | null {
  const body = bodyWorkOf(request);
  if (body === null) return null;
  return {
    work: { body, isDialects },
    place: request.incoming === null ? null : lifeOf(request.incoming).place,
    heard: (words) => request.adoptParameters(words as ReadParameters),
  };
}
