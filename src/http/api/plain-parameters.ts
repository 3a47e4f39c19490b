// The parameters of a request as a handler gets them: merged as WordPress merges them, plain JavaScript
// values.
import type { Json } from '../../../schemas/event.ts';
import { invalidParam } from '../../core/errors.ts';
import { toPlain } from '../../wordpress/php/values.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { Route } from './route.ts';

/** Query parameters that speak to the engine or carry a credential: never part of what a handler reads. */
const metaParameters: ReadonlySet<string> = new Set([
  'rest_route',
  '_method',
  '_fields',
  '_envelope',
  '_pretty',
  '_jsonp',
  '_embed',
  '_locale',
  '_wpnonce',
  'sentry_key',
  'sentry_version',
  'sentry_client',
]);

/**
 * What WordPress would merge, without the query's words to the engine. `asRead`: values that JSON.parse made
 * are handed on as they are; the rules of events ask for own names only, and a copy of a wide event costs
 * more than reading it.
 */
export function plainParameters(
  request: RestRequest,
  isDialects: boolean,
  asRead: boolean,
): Record<string, Json> {
  const plain: Record<string, Json> = Object.create(null);
  const { JSON: json, POST, GET, URL } = request.parameters;
  for (const [name, value] of request.merged()) {
    // A default that only a dialect declares is for the description: our handlers have their own.
    if (isDialects && ![json, POST, GET, URL].some((source) => source.has(name))) continue;
    const inQueryAlone =
      metaParameters.has(name) && !request.parameters.JSON.has(name) && !request.parameters.POST.has(name);
    if (inQueryAlone) continue;
    const isRead = asRead && request.jsonIsPlain && json.get(name) === value;
    plain[name] = (isRead ? value : toPlain(value)) as Json;
  }
  return plain;
}

/** What WordPress's own routes declare for a method, beside what its server reads: its clients send these. */
const declaredByWordPress: Readonly<Record<Route['method'], readonly string[]>> = {
  GET: ['context'],
  POST: [],
  PUT: [],
  DELETE: ['force'],
};

const namesShownMax = 20;
const nameCharactersMax = 100;

/** Throws 400 `rest_invalid_param` that names the arguments of any source which the route does not know. */
export function refuseUnknownArguments(route: Route, request: RestRequest): void {
  const isKnown = (name: string): boolean =>
    metaParameters.has(name) ||
    declaredByWordPress[route.method].includes(name) ||
    Object.hasOwn(route.schema?.shape ?? {}, name) ||
    Object.hasOwn(request.handler?.args ?? {}, name) ||
    isOfPath(request, name);
  const sent = request.sources().filter((source) => source !== 'URL' && source !== 'defaults');
  const names = sent.flatMap((source) => [...request.parameters[source].keys()]);
  const unknown = [...new Set([...names, ...fileNames(request)])].filter((name) => !isKnown(name));
  if (unknown.length === 0) return;
  const params: Record<string, string> = Object.create(null);
  for (const name of unknown.slice(0, namesShownMax).map((each) => each.slice(0, nameCharactersMax))) {
    params[name] = `${name} is not a parameter of this route.`;
  }
  throw invalidParam(params);
}

/** WordPress's clients send the id of a path in the body again. */
function isOfPath(request: RestRequest, name: string): boolean {
  const inPath = request.parameters.URL.get(name);
  return inPath !== undefined && String(request.get(name)) === String(inPath);
}

/** A file is an argument too: none of these routes takes one. */
function fileNames({ files }: RestRequest): string[] {
  return files.map(({ fieldName }) => fieldName);
}
