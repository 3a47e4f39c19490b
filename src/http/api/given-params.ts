// What a form leaves empty was not said: parameters without those that are null or blank.
import type { ApiRequest } from './route.ts';

/** The parameters that say something, for `parseBody`; names stay data (no prototype). */
export function givenParams(request: Pick<ApiRequest, 'params'>): Pick<ApiRequest, 'params'> {
  const params: Record<string, ApiRequest['params'][string]> = Object.create(null);
  for (const [name, value] of Object.entries(request.params)) {
    const isBlank = value === null || (typeof value === 'string' && value.trim() === '');
    if (!isBlank) params[name] = value;
  }
  return { params };
}
