// The engine's side of heavy bodies: which ones are set aside, and how the parameters of most routes are read
// then.
import type { HeavyReader, HeavyRequest } from '../../core/ports/heavy-reader.ts';
import { isHeavy } from '../../core/reading/json-weight.ts';
import type { ReadParameters } from '../../wordpress/request/parameters.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import { bodyWorkOf, readHere } from '../../wordpress/rest/body-work.ts';
import type { HeavyBodies, RestServerOptions } from '../../wordpress/rest/options.ts';
import { lifeOf } from '../bodies/body-life.ts';

/**
 * What the engine is told of heavy bodies: a thread reads and checks them, and what comes back is taken in as
 * if it had been read here. A route that `readsAside` asks the thread itself, for more than parameters, once
 * its caller is known.
 */
export function heavyBodies(heavy: HeavyReader, order: RestServerOptions['order']): HeavyBodies {
  return {
    goesAside: (bytes, incoming) => lifeOf(incoming).place !== null || isHeavy(bytes),
    async check(request, match) {
      const isReadLater = match.handler.readsAside !== undefined;
      // In core's order the arguments are told wrong before the caller is known: they are checked for that
      // alone.
      if (isReadLater && order === 'permission-first') return true;
      const body = bodyWorkOf(request);
      if (body === null) return readHere(request);
      const read = await heavy.readParameters({ body, isDialects: false });
      if (!isReadLater) request.adoptParameters(read as ReadParameters);
      return true;
    },
  };
}

/**
 * The body of a request that was set aside for its route, to be handed to a thread; null where it was read
 * already.
 */
export function bodyAsideOf(request: RestRequest, isDialects: boolean): HeavyRequest | null {
  const body = bodyWorkOf(request);
  if (body === null) return null;
  return {
    work: { body, isDialects },
    place: request.incoming === null ? null : lifeOf(request.incoming).place,
    heard: (words) => request.adoptParameters(words as ReadParameters),
  };
}
