// The number in a path: what is no positive integer names nothing, with the same answer as a number nobody
// has.
import { invalidId, type ResourceName } from '../../core/errors.ts';
import { parseId } from '../../core/ids.ts';
import type { ApiRequest } from './route.ts';

/** The path parameter `name` as a positive integer (D-28). Throws the resource's 404 for any other text. */
export function pathId(request: Pick<ApiRequest, 'path'>, resource: ResourceName, name = 'id'): number {
  const id = parseId(request.path[name]);
  if (id === null) throw invalidId(resource);
  return id;
}
