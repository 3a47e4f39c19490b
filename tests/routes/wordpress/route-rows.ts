// Rows for every route of the table, made from the table itself: refused without a key, described by OPTIONS.
import type { Route } from '../../../src/http/api/route.ts';
import { type Header, type Row, refused } from './expectations.ts';

const api = '/wp-json/notifier/v1';

/** `both` are credentials for every route. */
export function routeRows(routes: readonly Route[], both: readonly Header[]): Row[] {
  const paths = [...new Set(routes.map((route) => route.path))];
  return [
    ...routes.map((route) => refusedRow(route)),
    ...paths.map((path) => describedRow(path, routes, [])),
    ...paths.map((path) => describedRow(path, routes, both)),
    indexRow(paths, routes),
  ];
}

/** The credential comes first, whatever the body is. */
function refusedRow({ method, path }: Route): Row {
  const hasBody = method !== 'GET' && method !== 'DELETE';
  return {
    name: `${method} ${path} without a key`,
    method,
    path: addressOf(path),
    ...(hasBody ? { headers: [['Content-Type', 'application/json']] as const, sent: '{"broken' } : {}),
    status: 401,
    body: refused,
  };
}

function describedRow(path: string, routes: readonly Route[], credentials: readonly Header[]): Row {
  const own = routes.filter((route) => route.path === path);
  const isKnown = credentials.length > 0;
  const forKeys = own.filter(({ credential }) => credential !== 'personal');
  return {
    name: `OPTIONS ${path}${isKnown ? ' with keys' : ''}`,
    method: 'OPTIONS',
    path: addressOf(path),
    headers: credentials,
    status: 200,
    body: (body) => (isHidden(own) ? sameText(body, '') : wrongInDescription(JSON.parse(body), path, own)),
    // The doors ask for the key's own project in the path, which 99 is not.
    ...(isKnown && !isHidden(own) && forKeys.length > 0
      ? { allow: forKeys.map(({ method }) => method).join(', ') }
      : {}),
  };
}

function indexRow(paths: readonly string[], routes: readonly Route[]): Row {
  return {
    name: 'the index of the namespace',
    method: 'GET',
    path: api,
    status: 200,
    allow: 'GET',
    body(body) {
      const index = JSON.parse(body) as { routes: Record<string, Description> };
      const shown = paths.filter((path) => !isHidden(routes.filter((route) => route.path === path)));
      const patterns = ['/notifier/v1', ...shown.map((path) => `/notifier/v1${patternOf(path)}`)];
      const wrong = sameText(Object.keys(index.routes).join('\n'), patterns.join('\n'));
      if (wrong !== null) return wrong;
      for (const path of shown) {
        const own = routes.filter((route) => route.path === path);
        const described = index.routes[`/notifier/v1${patternOf(path)}`];
        const inIndex = described === undefined ? 'absent' : wrongInDescription(described, path, own);
        if (inIndex !== null) return `${path}: ${inIndex}`;
      }
      return null;
    },
  };
}

interface Description {
  readonly namespace: string;
  readonly methods: readonly string[];
  readonly endpoints: ReadonlyArray<{ methods: readonly string[]; args: Record<string, Described> | [] }>;
  readonly _links?: unknown;
}
type Described = Readonly<Record<string, unknown>>;

/**
 * What is asked of a description: methods in order, an endpoint each, every argument of the schema,
 * `required` last.
 */
function wrongInDescription(description: Description, path: string, own: readonly Route[]): string | null {
  const hasParameters = path.includes('{');
  const members = ['namespace', 'methods', 'endpoints', ...(hasParameters ? [] : ['_links'])];
  const methods = own.map(({ method }) => method).join(' ');
  return (
    sameText(Object.keys(description).join(' '), members.join(' ')) ??
    sameText(description.methods.join(' '), methods) ??
    sameText(description.endpoints.map((endpoint) => endpoint.methods.join('+')).join(' '), methods) ??
    own.map((route, index) => wrongInArguments(description.endpoints[index]?.args, route)).find(isText) ??
    null
  );
}

function wrongInArguments(args: Record<string, Described> | [] | undefined, route: Route): string | null {
  const names = Object.keys(route.schema?.shape ?? {});
  if (names.length === 0) return sameText(JSON.stringify(args), '[]');
  const described = args as Record<string, Described>;
  for (const [name, keywords] of Object.entries(described)) {
    const last = Object.keys(keywords).at(-1);
    if (last !== 'required' || typeof keywords['required'] !== 'boolean') {
      return `${name} does not end with required`;
    }
    const odd = ['$schema', 'const', 'additionalItems', 'pattern'].find((keyword) => keyword in keywords);
    if (odd !== undefined && !(odd === 'pattern' && /_id$/.test(name))) return `${name} has ${odd}`;
  }
  return sameText(Object.keys(described).join(' '), names.join(' '));
}

function isHidden(own: readonly Route[]): boolean {
  return own.every((route) => route.hidden === true);
}

function isText(value: string | null): value is string {
  return value !== null;
}

function sameText(ours: string, expected: string): string | null {
  return ours === expected ? null : `${ours}\n    instead of ${expected}`;
}

function patternOf(path: string): string {
  return path.replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name: string, pattern = '[\\w-]+') => {
    return `(?P<${name}>${pattern})`;
  });
}

function addressOf(path: string): string {
  return api + path.replace(/\{(\w+)(?::[^}]+)?\}/g, '99').replace('\\.', '.');
}
