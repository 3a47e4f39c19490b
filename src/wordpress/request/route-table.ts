import type { PhpValue } from '../php/values.ts';
import { WpError } from '../response/wp-error.ts';
import type { Handler, HandlerDefinition } from './rest-request.ts';

export type RouteDefinition = {
  readonly namespace: string;
  /** Relative to the namespace. `{id}` stands for `(?P<id>[\w-]+)`; `{id:\d+}` names another pattern. */
  readonly path: string;
  readonly handlers: readonly HandlerDefinition[];
  /** JSON Schema of the route's resource, shown by OPTIONS. */
  readonly schema?: () => PhpValue;
  /** `{v1: true}` allows the route in /batch/v1. */
  readonly allowBatch?: PhpValue;
};

export type Route = {
  readonly namespace: string;
  readonly pattern: string;
  readonly expression: RegExp;
  readonly handlers: Handler[];
  readonly schema: (() => PhpValue) | null;
  readonly allowBatch: PhpValue;
};

export type RouteMatch = {
  readonly route: Route;
  readonly handler: Handler;
  readonly path: Map<string, string>;
};

export class RouteTable {
  readonly routes = new Map<string, Route>();
  readonly namespaces = new Map<string, Set<string>>();
  private readonly routeLists = new Map<Set<string>, readonly Route[]>();

  add(definition: RouteDefinition): void {
    const pattern =
      (definition.namespace === '' ? '' : `/${definition.namespace}`) + expandPathParameters(definition.path);
    const handlers = definition.handlers.map((handler) => ({ ...handler, args: handler.args ?? {} }));
    const known = this.routes.get(pattern);
    if (known !== undefined) known.handlers.push(...handlers);
    else this.routes.set(pattern, newRoute(definition, pattern, handlers));
    if (definition.namespace === '') return;
    const patterns = this.namespaces.get(definition.namespace);
    if (patterns === undefined) this.namespaces.set(definition.namespace, new Set([pattern]));
    else patterns.add(pattern);
  }

  /** The first route whose pattern and method match; HEAD falls back to GET. */
  match(method: string, routeString: string): RouteMatch | null {
    for (const route of this.candidates(routeString)) {
      const found = route.expression.exec(routeString);
      if (found === null) continue;
      for (const handler of route.handlers) {
        const routedMethod = method === 'HEAD' && !handler.methods.includes('HEAD') ? 'GET' : method;
        if (handler.methods.includes(routedMethod)) return { route, handler, path: namedGroups(found) };
      }
    }
    return null;
  }

  matchAnyMethod(routeString: string): { route: Route; path: Map<string, string> } | null {
    for (const route of this.routes.values()) {
      const found = route.expression.exec(routeString);
      if (found !== null) return { route, path: namedGroups(found) };
    }
    return null;
  }

  /** Routes of namespaces that are a prefix of the route string, or all if there is none (WordPress). */
  private candidates(routeString: string): Iterable<Route> {
    const text = `${withoutOuterSlashes(routeString)}/`;
    let some: readonly Route[] | null = null;
    for (const [namespace, patterns] of this.namespaces) {
      if (!text.startsWith(namespace)) continue;
      const routes = this.routesOf(patterns);
      some = some === null ? routes : [...some, ...routes];
    }
    return some ?? this.routes.values();
  }

  private routesOf(patterns: Set<string>): readonly Route[] {
    const known = this.routeLists.get(patterns);
    if (known !== undefined && known.length === patterns.size) return known;
    const routes = [...patterns].map((pattern) => this.routes.get(pattern) as Route);
    this.routeLists.set(patterns, routes);
    return routes;
  }
}

export function noRouteError(): WpError {
  return new WpError('rest_no_route', 'No route was found matching the URL and request method.', {
    status: 404,
  });
}

function newRoute(definition: RouteDefinition, pattern: string, handlers: Handler[]): Route {
  const { namespace, schema, allowBatch } = definition;
  const expression = new RegExp(`^${toJsPattern(pattern)}\\n?$`, 'i');
  return { namespace, pattern, expression, handlers, schema: schema ?? null, allowBatch: allowBatch ?? null };
}

/** PCRE to JavaScript: named groups, and a dot that matches all but `\n`. */
function toJsPattern(pattern: string): string {
  const named = pattern.replaceAll('(?P<', '(?<');
  return named.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (part) => (part === '.' ? '[^\\n]' : part));
}

function expandPathParameters(path: string): string {
  return path.replace(
    /\{(\w+)(?::((?:[^{}]|\{\d+(?:,\d*)?\})+))?\}/g,
    (_, name: string, pattern?: string) => {
      return `(?P<${name}>${pattern ?? '[\\w-]+'})`;
    },
  );
}

function withoutOuterSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '/') start += 1;
  while (end > start && (text[end - 1] === '/' || text[end - 1] === '\\')) end -= 1;
  return text.slice(start, end);
}

function namedGroups(found: RegExpExecArray): Map<string, string> {
  const groups = new Map<string, string>();
  if (found.groups === undefined) return groups;
  for (const name of Object.keys(found.groups)) groups.set(name, found.groups[name] ?? '');
  return groups;
}
