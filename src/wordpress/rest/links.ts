// `_links`, and `_embed`, which runs the linked requests internally.

import { isFalsy } from '../php/casts.ts';
import { parseQueryString } from '../php/query-string.ts';
import {
  countOf,
  entriesOf,
  getMember,
  isPhpArray,
  PhpObject,
  type PhpValue,
  toPhpArray,
  valuesOf,
} from '../php/values.ts';
import { ParameterTypeError } from '../request/parameter-error.ts';
import { RestRequest } from '../request/rest-request.ts';
import type { RestResponse } from '../response/rest-response.ts';
import {
  allowedMethods,
  applyMatch,
  type Dispatcher,
  finishResponse,
  respond,
  validateAndSanitize,
} from './dispatch.ts';
import { hasOnlyIndexes, parseList } from './filter-fields.ts';

/** All embeddable links, those of some relations, or none. */
export type Embed = boolean | readonly string[];

export function parseEmbed(value: PhpValue | undefined): Embed {
  if (value === undefined) return false;
  if (value === null || value === '' || value === '0' || value === 'true' || value === '1') return true;
  const relations = parseList(value);
  return relations.length === 0 ? true : relations;
}

export async function dataWithLinks(
  server: Dispatcher,
  response: RestResponse,
  embed: Embed,
): Promise<PhpValue> {
  let { data } = response;
  if (response.links.size > 0) data = withMember(data, '_links', await compactLinks(server, response));
  if (embed === false) return data;
  const cache = new Map<string, PhpValue>();
  if (!hasOnlyIndexes(data)) return embedLinks(server, data, embed, cache);
  const embedded: Array<[string, PhpValue]> = [];
  for (const [key, item] of entriesOf(data)) {
    embedded.push([key, await embedLinks(server, item, embed, cache)]);
  }
  return toPhpArray(embedded);
}

/** As `_envelope` shows a response. */
export async function envelopeOf(
  server: Dispatcher,
  response: RestResponse,
  embed: Embed,
): Promise<Map<string, PhpValue>> {
  return new Map<string, PhpValue>([
    ['body', await dataWithLinks(server, response, embed)],
    ['status', response.status],
    ['headers', toPhpArray(response.headers)],
  ]);
}

const officialRelations = 'https://api.w.org/';

/** `self` links list the methods allowed without credentials; official relations get the `wp:` prefix. */
async function compactLinks(server: Dispatcher, response: RestResponse): Promise<PhpValue> {
  const compact = new Map<string, PhpValue>();
  const official = new Map<string, PhpValue>();
  for (const [relation, links] of response.links) {
    const described: PhpValue[] = [];
    for (const { href, attributes } of links) {
      const link = new Map<string, PhpValue>([...Object.entries(attributes), ['href', href]]);
      const allow = relation === 'self' ? await targetAllows(server, href) : [];
      if (allow.length > 0) link.set('targetHints', { allow });
      described.push(link);
    }
    if (!relation.startsWith(officialRelations)) compact.set(relation, described);
    else official.set(relation.replace(officialRelations, 'wp:'), described);
  }
  for (const [relation, links] of official) compact.set(relation, links);
  if (official.size > 0) {
    compact.set('curies', [{ name: 'wp', href: `${officialRelations}{rel}`, templated: true }]);
  }
  return compact;
}

async function targetAllows(server: Dispatcher, href: string): Promise<string[]> {
  const request = requestForUrl(server, href);
  const match = request === null ? null : server.table.match('GET', request.route);
  if (request === null || match === null) return [];
  applyMatch(request, match);
  if (validateAndSanitize(request) !== true) return [];
  const allow = await allowedMethods(server, request);
  return allow === '' ? [] : allow.split(', ');
}

async function embedLinks(
  server: Dispatcher,
  data: PhpValue,
  embed: Embed,
  cache: Map<string, PhpValue>,
): Promise<PhpValue> {
  if (data instanceof PhpObject) throw new ParameterTypeError('_embed', 'The answer has no links to follow.');
  const links = isPhpArray(data) ? getMember(data, '_links') : undefined;
  if (links === undefined || links === null) return data;
  const embedded: Array<[string, PhpValue]> = [];
  for (const [relation, items] of entriesOf(links)) {
    if (Array.isArray(embed) && !embed.includes(relation)) continue;
    const found: PhpValue[] = [];
    for (const link of valuesOf(items)) found.push(await fetchLinkedData(server, link, cache));
    if (found.some((each) => !isPhpArray(each) || countOf(each) > 0)) embedded.push([relation, found]);
  }
  return embedded.length === 0 ? data : withMember(data, '_embedded', toPhpArray(embedded));
}

/** An empty array keeps the position of a link that is not embeddable. */
async function fetchLinkedData(
  server: Dispatcher,
  link: PhpValue,
  cache: Map<string, PhpValue>,
): Promise<PhpValue> {
  const href = getMember(link, 'href');
  if (isFalsy(getMember(link, 'embeddable')) || typeof href !== 'string') return [];
  const known = cache.get(href);
  if (known !== undefined) return known;
  const request = requestForUrl(server, href);
  if (request === null) return [];
  if (request.get('context') === null) request.set('context', 'embed');
  const response = await finishResponse(server, request, await respond(server, request));
  const data = await dataWithLinks(server, response, false);
  cache.set(href, data);
  return data;
}

/** A GET request without credentials; null if the URL is not of this API. */
function requestForUrl(server: Dispatcher, href: string): RestRequest | null {
  const root = server.restUrl('/');
  const [address = '', query = ''] = href.split('#')[0]?.split(/\?(.*)/s) ?? [];
  const parameters = new Map(query === '' ? [] : entriesOf(parseQueryString(query)));
  let route: PhpValue = null;
  if (href.startsWith(root)) {
    route = address.slice(root.length - 1);
  } else if (parameters.has('rest_route')) {
    route = parameters.get('rest_route') ?? null;
    parameters.delete('rest_route');
  }
  if (typeof route !== 'string' || route === '') return null;
  const request = new RestRequest('GET', route);
  request.parameters.GET = parameters;
  return request;
}

function withMember(data: PhpValue, name: string, member: PhpValue): PhpValue {
  const entries = entriesOf(data).filter(([key]) => key !== name);
  return toPhpArray([...entries, [name, member]]);
}
