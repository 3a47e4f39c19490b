import type { Route } from './route.ts';

type IngestionRoute = (route: string) => string | null;

/** Returns a function from a route string to its template, or null if it is no ingestion route. */
export function createIngestionRouteMatcher(namespace: string, routes: readonly Route[]): IngestionRoute {
  const open = routes.filter(({ method, credential }) => method === 'POST' && credential !== 'secret');
  const known = open.map(({ path }) => ({
    template: `/${namespace}${path.replace(/\{(\w+):[^{}]*\}/g, '{$1}')}`,
    // As in WordPress: case-insensitive, with or without a trailing slash.
    pattern: new RegExp(`^/${namespace}${path.replace(/\{[^{}]*\}/g, '[^/]+')}/?$`, 'i'),
  }));
  const templates = new Set(known.map(({ template }) => template));
  return (route) =>
    templates.has(route) ? route : (known.find(({ pattern }) => pattern.test(route))?.template ?? null);
}

/** How much of `/api/{project}/…` at the root is ours: `routes` inside another app, `nothing` below a path. */
export type RootOwnership = 'all' | 'routes' | 'nothing';

/** Case-insensitive, as in WordPress. `/api/0/` is for sentry-cli; 0 is no project. */
const atRoot = /^(?:https?:\/\/[^/?#]*)?\/+api\/+(0*[1-9]\d*)\/+([^/?#]*)/i;

/** Rewrites targets at the root to the namespace; others are unchanged. */
export function createRootRewriter(
  namespacePath: string,
  root: RootOwnership,
  routes: readonly Pick<Route, 'path'>[],
): ((target: string) => string) | undefined {
  if (root === 'nothing') return undefined;
  const names = new Set(routes.flatMap(({ path }) => /^\/api\/\{[^}]*\}\/([\w-]+)/.exec(path)?.[1] ?? []));
  return (target) => {
    const [start = '', project = '', name = ''] = atRoot.exec(target) ?? [];
    if (start === '' || (root === 'routes' && !names.has(name.toLowerCase()))) return target;
    return `${namespacePath}/api/${project}/${name}${target.slice(start.length)}`;
  };
}
