import { createNotFoundError, type ResourceName } from '../../core/errors.ts';
import { parseId } from '../../core/ids.ts';
import type { ApiRequest } from './route.ts';

/** Throws the resource's 404 for anything but a positive integer. */
export function pathId(request: Pick<ApiRequest, 'path'>, resource: ResourceName, name = 'id'): number {
  const id = parseId(request.path[name]);
  if (id === null) throw createNotFoundError(resource);
  return id;
}
