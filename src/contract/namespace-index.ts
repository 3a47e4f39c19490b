import type { ProfileArgument } from '../../schemas/compatibility-profile.ts';
import { isRecord } from './exchange.ts';

export interface IndexRoute {
  /** Like `POST /store`; path parameters are written `{id}`. */
  readonly name: string;
  readonly args: Readonly<Record<string, ProfileArgument>>;
}

export interface IndexDifference {
  readonly route: string;
  readonly argument: string;
  readonly keyword: string;
  readonly there: string;
  readonly here: string;
}

/** One entry per route and method, without the index itself; null if invalid. */
export function readIndex(json: unknown): IndexRoute[] | null {
  const routes = isRecord(json) ? json['routes'] : undefined;
  if (!isRecord(routes)) return null;
  return Object.entries(routes).flatMap(([pattern, route]) => {
    const path = /^\/notifier\/v1(\/.*)$/i.exec(pattern)?.[1];
    const endpoints = isRecord(route) ? route['endpoints'] : undefined;
    if (path === undefined || !Array.isArray(endpoints)) return [];
    return endpoints.flatMap((endpoint: unknown) => endpointRoutes(path, endpoint));
  });
}

/** `remoteText` is of the other server, `ourText` of ours. */
export function diffIndexes(
  remoteRoutes: readonly IndexRoute[],
  ourRoutes: readonly IndexRoute[],
): IndexDifference[] {
  const remoteByName = new Map(remoteRoutes.map((route) => [route.name, route]));
  const ourByName = new Map(ourRoutes.map((route) => [route.name, route]));
  return [...new Set([...remoteByName.keys(), ...ourByName.keys()])].flatMap((name) => {
    const [a, b] = [remoteByName.get(name), ourByName.get(name)];
    if (a === undefined || b === undefined)
      return [differing(name, '', '', presenceText(a), presenceText(b))];
    return diffArguments(name, a.args, b.args);
  });
}

function diffArguments(
  route: string,
  remoteArgs: IndexRoute['args'],
  ourArgs: IndexRoute['args'],
): IndexDifference[] {
  return [...new Set([...Object.keys(remoteArgs), ...Object.keys(ourArgs)])].flatMap((argument) => {
    const a = Object.hasOwn(remoteArgs, argument) ? remoteArgs[argument] : undefined;
    const b = Object.hasOwn(ourArgs, argument) ? ourArgs[argument] : undefined;
    if (a === undefined || b === undefined) {
      return [differing(route, argument, '', described(a), described(b))];
    }
    const keywords = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keywords
      .filter((keyword) => keyword !== 'description')
      .map((keyword) => differing(route, argument, keyword, shown(a[keyword]), shown(b[keyword])))
      .filter((each) => each.there !== each.here);
  });
}

function endpointRoutes(path: string, endpoint: unknown): IndexRoute[] {
  if (!isRecord(endpoint)) return [];
  const methods = Array.isArray(endpoint['methods'])
    ? endpoint['methods']
    : Object.keys(endpoint['methods'] ?? {});
  const args = isRecord(endpoint['args']) ? argumentsOf(endpoint['args']) : {};
  return methods
    .filter((method): method is string => typeof method === 'string')
    .map((method) => ({ name: `${method.toUpperCase()} ${withoutPatterns(path)}`, args }));
}

function argumentsOf(args: Record<string, unknown>): Record<string, ProfileArgument> {
  const found: Record<string, ProfileArgument> = Object.create(null);
  for (const [name, argument] of Object.entries(args)) {
    if (isRecord(argument)) found[name] = { ...argument, required: argument['required'] === true };
  }
  return found;
}

/** `(?P<id>[\w-]+)` becomes `{id}`; patterns may have nested brackets. */
function withoutPatterns(path: string): string {
  let plain = '';
  let depth = 0;
  for (const character of path) {
    if (character === '(') {
      if (depth === 0) plain += '{id}';
      depth += 1;
    } else if (character === ')') {
      depth = Math.max(0, depth - 1);
    } else if (depth === 0) {
      plain += character;
    }
  }
  return plain;
}

function presenceText(route: IndexRoute | undefined): string {
  return route === undefined ? '' : 'yes';
}

function described(argument: ProfileArgument | undefined): string {
  if (argument === undefined) return '';
  const type = Array.isArray(argument.type) ? argument.type.join(' or ') : (argument.type ?? 'anything');
  return argument.required ? `${type}, required` : type;
}

function shown(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function differing(
  route: string,
  argument: string,
  keyword: string,
  remoteText: string,
  ourText: string,
): IndexDifference {
  return { route, argument, keyword, there: remoteText, here: ourText };
}
