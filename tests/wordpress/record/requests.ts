// The requests that are sent to both sides: some written down, most made from the route table, so that a new
// route or a new argument brings its own.
import type { Argument } from '../../../src/wordpress/request/rest-request.ts';
import type { RecordedRoute } from './ours.ts';
import { sampleOf, wrongValues } from './values.ts';

/** Why an answer must differ from WordPress's, by the name of the decision. */
type DifferenceName = 'D-10' | 'D-17' | 'D-18' | 'D-27';

export interface FixtureRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
  readonly differs?: DifferenceName;
}

export interface Keys {
  readonly public: string;
  readonly secret: string;
}

type Json = Readonly<Record<string, unknown>>;
type Header = readonly [string, string];

const namespace = '/wp-json/notifier/v1';
export const jsonType: Header = ['Content-Type', 'application/json'];

/** All requests, each with an id of its own. */
export function fixtureRequests(routes: readonly RecordedRoute[], keys: Keys): FixtureRequest[] {
  const tried = new Set<string>();
  return routes.flatMap((recorded) => requestsOfRoute(recorded, keys, tried));
}

/** What lets a request in at a route. */
function credentialOf(recorded: RecordedRoute, keys: Keys): Header {
  return recorded.route.credential === 'secret'
    ? ['Authorization', `Bearer ${keys.secret}`]
    : ['X-Notifier-Key', keys.public];
}

function requestsOfRoute(recorded: RecordedRoute, keys: Keys, tried: Set<string>): FixtureRequest[] {
  const { route, handler } = recorded;
  const address = route.path.replace('{project:\\d+}', '1').replace(/\{\w+[^}]*\}/g, '7');
  const path = `${namespace}${address}`;
  const id = `${route.method} ${route.path}`;
  const credential = credentialOf(recorded, keys);
  const { method } = route;
  const sample = sampleOf(handler.args);
  const asks = (name: string, given: Json, headers: readonly Header[], differs?: DifferenceName) => ({
    ...withParameters(recorded, path, given),
    id: `${id}: ${name}`,
    method,
    headers: [...headers, ...(readsJson(recorded) ? [jsonType] : [])],
    ...(differs === undefined ? {} : { differs }),
  });
  const isNeedy = Object.values(handler.args).some((argument) => argument.required === true);
  return [
    { id: `OPTIONS ${id}`, method: 'OPTIONS', path, headers: [] },
    { id: `OPTIONS ${id}: with a key`, method: 'OPTIONS', path, headers: [credential] },
    asks('without a key', sample, []),
    asks('with a wrong key', sample, [[credential[0], `${credential[1]}x`]]),
    asks('nothing given, without a key', {}, [], isNeedy ? 'D-10' : undefined),
    asks('nothing given', {}, [credential]),
    asks('as it should be', sample, [credential]),
    ...wrongRequests(handler.args, sample, tried).map(([name, given]) => asks(name, given, [credential])),
  ];
}

function readsJson({ route }: RecordedRoute): boolean {
  return route.method !== 'GET' && route.body !== 'stream';
}

function withParameters(recorded: RecordedRoute, path: string, given: Json): { path: string; body?: string } {
  if (readsJson(recorded)) return { path, body: JSON.stringify(given) };
  const query = Object.entries(given).map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`);
  return { path: query.length === 0 ? path : `${path}?${query.join('&')}` };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Each argument wrong in each way its description knows, then all of them wrong at once. An argument that
 * many routes have, such as `page`, is tried at the first of them.
 */
function wrongRequests(
  args: Readonly<Record<string, Argument>>,
  sample: Json,
  tried: Set<string>,
): Array<[string, Json]> {
  const requests: Array<[string, Json]> = [];
  const all: Record<string, unknown> = { ...sample };
  for (const [name, argument] of Object.entries(args)) {
    const description = JSON.stringify([name, argument]);
    const isNew = !tried.has(description);
    tried.add(description);
    for (const [way, value] of wrongValues(argument)) {
      if (isNew) requests.push([`${name} ${way}`, { ...sample, [name]: value }]);
      all[name] = value;
    }
  }
  if (Object.keys(args).length > 1) requests.push(['all wrong at once', all]);
  return requests;
}
