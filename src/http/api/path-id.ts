// The number in a path: what is no positive integer names nothing, with the same answer as a number nobody has.
import { invalidId, type ResourceName } from '../../core/errors.ts';
import type { ApiRequest } from './route.ts';

/** The path parameter `name` as a positive integer (D-28). Throws the resource's 404 for any other text. */
export function pathId(request: Pick<ApiRequest, 'path'>, resource: ResourceName, name = 'id'): number {
  const text = request.path[name] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw invalidId(resource);
  return Number(text);
}
