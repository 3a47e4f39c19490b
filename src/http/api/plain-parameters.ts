// The parameters of a request as a handler gets them: merged as WordPress merges them, plain JavaScript
// values.
import type { Json } from '../../../schemas/event.ts';
import { toPlain } from '../../wordpress/php/values.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';

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
