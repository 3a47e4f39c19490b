// Merges the parameters of a request, as WordPress does, into plain values for handlers.
import type { Json } from '../../../schemas/event.ts';
import { createInvalidParamError } from '../../core/errors.ts';
import { toPlain } from '../../wordpress/php/values.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { Route } from './route.ts';

/** Query parameters for the REST server or credentials; handlers do not see them. */
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

/** `skipsCopy` skips the copy of values from JSON.parse; consumers must then use own names only. */
export function toPlainParameters(
  request: RestRequest,
  hasProfileArguments: boolean,
  skipsCopy: boolean,
): Record<string, Json> {
  const plain: Record<string, Json> = Object.create(null);
  const { JSON: json, POST, GET, URL } = request.parameters;
  for (const [name, value] of request.merged()) {
    // Defaults of a profile are for the description only.
    if (hasProfileArguments && ![json, POST, GET, URL].some((source) => source.has(name))) continue;
    const inQueryAlone =
      metaParameters.has(name) && !request.parameters.JSON.has(name) && !request.parameters.POST.has(name);
    if (inQueryAlone) continue;
    const isRead = skipsCopy && request.jsonIsPlain && json.get(name) === value;
    plain[name] = (isRead ? value : toPlain(value)) as Json;
  }
  return plain;
}

/** WordPress's own routes accept these, so its clients send them. */
const declaredByWordPress: Readonly<Record<Route['method'], readonly string[]>> = {
  GET: ['context'],
  POST: [],
  PUT: [],
  DELETE: ['force'],
};

const namesShownMax = 10;
const nameCharactersMax = 100;

/** 400 `rest_invalid_param` with the unknown names. */
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
  throw createInvalidParamError(params);
}

/** WordPress clients repeat the id of the path in the body. */
function isOfPath(request: RestRequest, name: string): boolean {
  const inPath = request.parameters.URL.get(name);
  return inPath !== undefined && String(request.get(name)) === String(inPath);
}

/** Uploaded files count as arguments too. */
function fileNames({ files }: RestRequest): string[] {
  return files.map(({ fieldName }) => fieldName);
}
