import type { PhpValue } from '../php/values.ts';
import { notStringError } from '../request/parameter-error.ts';
import type { RestRequest } from '../request/rest-request.ts';
import { RestResponse } from '../response/rest-response.ts';
import { WpError } from '../response/wp-error.ts';
import { describeRoutes } from './describe-routes.ts';
import type { Dispatcher } from './dispatch.ts';
import { parseList } from './filter-fields.ts';

export type SiteTexts = {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly home: string;
  readonly gmtOffset?: string;
  readonly timezone?: string;
  /** Empty on a site without TLS, as in WordPress. */
  readonly authentication?: PhpValue;
};

type Site = Pick<Dispatcher, 'table' | 'restUrl'>;

export function registerSiteIndex(server: Site, texts: SiteTexts): void {
  server.table.add({
    namespace: '',
    path: '/',
    handlers: [
      {
        methods: ['GET'],
        args: { context: { default: 'view' } },
        callback: (request) => siteIndex(server, texts, request),
      },
    ],
  });
}

export function registerNamespaceIndex(server: Site, namespace: string): void {
  server.table.add({
    namespace,
    path: '',
    handlers: [
      {
        methods: ['GET'],
        args: { namespace: { default: namespace }, context: { default: 'view' } },
        callback: (request) => namespaceIndex(server, request),
      },
    ],
  });
}

function siteIndex({ table, restUrl }: Site, texts: SiteTexts, request: RestRequest): RestResponse {
  const data = new Map<string, PhpValue>([
    ['name', texts.name],
    ['description', texts.description],
    ['url', texts.url],
    ['home', texts.home],
    ['gmt_offset', texts.gmtOffset ?? '0'],
    ['timezone_string', texts.timezone ?? ''],
    ['page_for_posts', 0],
    ['page_on_front', 0],
    ['show_on_front', 'posts'],
    ['namespaces', [...table.namespaces.keys()]],
    ['authentication', texts.authentication ?? []],
    ['routes', describeRoutes(table.routes.values(), contextOf(request), restUrl)],
  ]);
  const response = new RestResponse(data);
  const input = parseList(request.get('_fields') ?? '');
  const fields = input.length === 0 ? ['_links'] : input;
  const includesLinks = isIncluded('_links', fields);
  if (includesLinks) response.addLink('help', 'https://developer.wordpress.org/rest-api/');
  if (includesLinks || isIncluded('site_logo', fields)) data.set('site_logo', 0);
  if (includesLinks || isIncluded('site_icon', fields) || isIncluded('site_icon_url', fields)) {
    data.set('site_icon', 0).set('site_icon_url', '');
  }
  return response;
}

function namespaceIndex({ table, restUrl }: Site, request: RestRequest): RestResponse | WpError {
  const namespace = request.get('namespace');
  if (typeof namespace === 'object' && namespace !== null) throw notStringError('namespace');
  const patterns = table.namespaces.get(String(namespace));
  if (patterns === undefined) {
    return new WpError('rest_invalid_namespace', 'The specified namespace could not be found.', {
      status: 404,
    });
  }
  const routes = [...table.routes.values()].filter((route) => patterns.has(route.pattern));
  const response = new RestResponse({
    namespace: String(namespace),
    routes: describeRoutes(routes, contextOf(request), restUrl),
  });
  return response.addLink('up', restUrl('/'));
}

function contextOf(request: RestRequest): string {
  const context = request.get('context');
  return typeof context === 'string' ? context : 'view';
}

/** WordPress's rest_is_field_included: the field, a member of it, or a parent of it. */
function isIncluded(field: string, fields: readonly string[]): boolean {
  return fields.some(
    (each) => each === field || each.startsWith(`${field}.`) || field.startsWith(`${each}.`),
  );
}
