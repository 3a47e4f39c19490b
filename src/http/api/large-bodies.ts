import { isLargeJson } from '../../core/parsing/item-json.ts';
import type { LargeBodyReader, LargeBodyRequest } from '../../core/ports/large-body-reader.ts';
import type { ParsedParameters } from '../../wordpress/request/parameters.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import { readBodyInThisThread, toBodyTask } from '../../wordpress/rest/body-task.ts';
import type { LargeBodies, RestServerOptions } from '../../wordpress/rest/options.ts';
import { getBodyState } from '../bodies/body-state.ts';

/** Routes with `readsInWorker` have large bodies parsed themselves, after authentication. */
export function deferLargeBodies(
  largeBodyReader: LargeBodyReader,
  order: RestServerOptions['order'],
): LargeBodies {
  return {
    mayUseWorker: (bytes, incoming) => getBodyState(incoming).slot !== null || isLargeJson(bytes),
    async check(request, match) {
      const isReadLater = match.handler.readsInWorker !== undefined;
      // In core's order argument errors come before authentication, so they are checked here too.
      if (isReadLater && order === 'permission-first') return true;
      const body = toBodyTask(request);
      if (body === null) return readBodyInThisThread(request);
      const read = await largeBodyReader.readParameters({ body, isDialects: false });
      if (!isReadLater) request.adoptParameters(read as ParsedParameters);
      return true;
    },
  };
}

export function getDeferredBody(request: RestRequest, isDialects: boolean): LargeBodyRequest | null {
  const body = toBodyTask(request);
  if (body === null) return null;
  return {
    work: { body, isDialects },
    slot: request.incoming === null ? null : getBodyState(request.incoming).slot,
    onQueryParams: (parameters) => request.adoptParameters(parameters as ParsedParameters),
  };
}
