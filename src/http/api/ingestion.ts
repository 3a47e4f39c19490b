// What the address alone tells, before anything of a request is read: whether it brings events and bug
// reports with a public key, which wait or are refused when there is too much to do, and which route an
// address at the root of the host stands for.
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

/**
 * What of `/api/{project}/…` at the root of the host is ours: all where the host is the server's own, the
 * routes that there are where a program around us has the rest, nothing where that gave us a folder.
 */
export type OwnAtRoot = 'all' | 'routes' | 'nothing';

/** Whatever the case, as WordPress tells routes. `/api/0/` is for Sentry's tools: 0 is no project. */
const atRoot = /^(?:https?:\/\/[^/?#]*)?\/+api\/+(0*[1-9]\d*)\/+([^/?#]*)/i;

/**
 * A function that tells for the target of a request line the one below `namespacePath` that it stands for
 * (D-16), else the target itself.
 */
export function rootAddresses(
  namespacePath: string,
  root: OwnAtRoot,
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
