import type { ApiRequest } from './route.ts';

/** Without those that are null or blank, as empty form fields are. For `parseParameters`; no prototype. */
export function dropBlankParams(request: Pick<ApiRequest, 'params'>): Pick<ApiRequest, 'params'> {
  const params: Record<string, ApiRequest['params'][string]> = Object.create(null);
  for (const [name, value] of Object.entries(request.params)) {
    const isBlank = value === null || (typeof value === 'string' && value.trim() === '');
    if (!isBlank) params[name] = value;
  }
  return { params };
}
