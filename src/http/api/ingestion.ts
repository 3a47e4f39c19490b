// Which addresses bring events and bug reports with a public key: what is turned away first when there is too
// much to do. Told by the address alone, before anything of a request is read.
import type { Route } from './route.ts';

/** What is asked of the path of a route: its parameters are those of the table. */
type IngestionRoute = (route: string) => string | null;

/**
 * A function that tells the template of a route string, `/notifier/v1/api/7/store`, where it is one of
 * `routes` that anybody with a public key posts to; null for all others.
 */
export function ingestionRoutes(namespace: string, routes: readonly Route[]): IngestionRoute {
  const open = routes.filter(({ method, credential }) => method === 'POST' && credential !== 'secret');
  const known = open.map(({ path }) => ({
    template: `/${namespace}${path.replace(/\{(\w+):[^{}]*\}/g, '{$1}')}`,
    // As WordPress tells routes: whatever the case, with or without a slash at the end.
    pattern: new RegExp(`^/${namespace}${path.replace(/\{[^{}]*\}/g, '[^/]+')}/?$`, 'i'),
  }));
  const templates = new Set(known.map(({ template }) => template));
  return (route) =>
    templates.has(route) ? route : (known.find(({ pattern }) => pattern.test(route))?.template ?? null);
}
