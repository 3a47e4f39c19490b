// The plugin's probe routes, which exist only to make WordPress's own behaviour visible.

import { toPhpString } from '../../../src/wordpress/php/casts.ts';
import { entriesOf, type PhpValue, toPhpArray } from '../../../src/wordpress/php/values.ts';
import type {
  Arguments,
  HandlerDefinition,
  RestRequest,
} from '../../../src/wordpress/request/rest-request.ts';
import type { RouteDefinition } from '../../../src/wordpress/request/route-table.ts';
import { RestResponse } from '../../../src/wordpress/response/rest-response.ts';
import { WpError } from '../../../src/wordpress/response/wp-error.ts';
import { hasPublicKey, namespace } from './plugin-routes.ts';
import type { PluginStore } from './plugin-store.ts';
import { probeArgs, probeSchemaArgs } from './probe-args.ts';
import { failure, verdict } from './probe-errors.ts';
import { output } from './probe-outputs.ts';

const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const open = (): true => true;
const caseOf = (request: RestRequest): string => toPhpString(request.get('case'));
const integerArg: Arguments = { n: { type: 'integer' } };

const requiredArgs: Arguments = {
  title: { type: 'string', required: true, minLength: 2 },
  count: { type: 'integer', required: true },
  flag: { type: 'boolean', required: true },
  opt: { type: 'string', enum: ['x', 'y'] },
  reqdef: { type: 'integer', required: true, default: 5 },
};

/** The probe routes in the order the plugin registers them. */
export function probeRoutes(store: PluginStore, restUrl: (route: string) => string): RouteDefinition[] {
  const wrong = (): WpError => {
    return new WpError('notifier_whole', 'The request as a whole is wrong.', { status: 422, hint: 'n' });
  };
  return [
    route('/_probe', allMethods, echoParameters, { args: probeArgs }),
    route('/_probe_schema', allMethods, echoParameters, { args: probeSchemaArgs }),
    route('/_required', allMethods, echoParameters, { args: requiredArgs }),
    route('/_whole/error', ['POST'], echoParameters, { args: integerArg, validate: wrong }),
    route('/_whole/false', ['POST'], echoParameters, { args: integerArg, validate: () => false }),
    route('/_echo', allMethods, echoRequest),
    route('/_echo/(?P<id>[\\w-]+)', allMethods, echoRequest, { args: { id: { type: 'string' } } }),
    route('/_num/(?P<id>\\d+)', ['GET'], echoParameters, { args: { id: { type: 'integer', minimum: 5 } } }),
    route('/_any/(?P<rest>.+)', ['GET'], echoParameters),
    route('/_out/(?P<case>[\\w-]+)', ['GET', 'POST'], (request) => output(caseOf(request), restUrl)),
    route('/_error/(?P<case>[\\w-]+)', ['GET', 'POST'], (request) => failure(caseOf(request), request)),
    route('/_perm/(?P<case>[\\w-]+)', ['GET'], () => ({ ok: true }), {
      args: integerArg,
      permission: (request) => verdict(caseOf(request)),
    }),
    multiRoute(store),
    route('/_hidden', ['GET'], echoParameters, { hidden: true }),
    route('/_head', ['HEAD'], () => new RestResponse({ never: 'sent' }, 200, [['X-Head', 'own']])),
    route('/_reset', ['POST'], () => {
      store.reset();
      return { reset: true };
    }),
  ];
}

function route(
  path: string,
  methods: readonly string[],
  callback: HandlerDefinition['callback'],
  more: Partial<HandlerDefinition> = {},
): RouteDefinition {
  return { namespace, path, handlers: [{ methods, callback, permission: open, ...more }] };
}

function multiRoute(store: PluginStore): RouteDefinition {
  const page = { type: 'integer', default: 1, minimum: 1, description: 'Page "1" & up' };
  return {
    namespace,
    path: '/_multi',
    schema: () => ({
      $schema: 'http://json-schema.org/draft-04/schema#',
      title: 'multi',
      type: 'object',
      properties: { name: { type: 'string', context: ['view', 'edit'] } },
    }),
    allowBatch: { v1: true },
    handlers: [
      { methods: ['GET'], callback: echoParameters, permission: open, args: { page } },
      {
        methods: ['POST'],
        callback: echoParameters,
        permission: () => false,
        args: { name: { type: 'string', required: true } },
      },
      { methods: ['DELETE'], callback: echoParameters, permission: hasPublicKey(store) },
    ],
  };
}

function echoParameters(request: RestRequest): PhpValue {
  return { params: toPhpArray(request.merged()) };
}

const echoedHeaders = [
  'content_type',
  'content_length',
  'x_notifier_key',
  'authorization',
  'x_custom',
  'x_custom_two',
  'accept',
];

function echoRequest(request: RestRequest): PhpValue {
  const type = request.contentType();
  // In the plugin's order: some of these questions make the request read its body.
  return new Map<string, PhpValue>([
    ['method', request.method],
    ['route', request.route],
    ['content_type', type === null ? null : { ...type }],
    ['is_json', request.hasJsonContentType()],
    ['json', request.jsonValue()],
    ['body_params', toPhpArray(request.parameters.POST)],
    ['query_params', toPhpArray(request.parameters.GET)],
    ['url_params', toPhpArray(request.parameters.URL)],
    ['files', filesWithoutPlaces(request)],
    ['params', toPhpArray(request.merged())],
    ['has_a', request.has('a')],
    ['isset_a', request.isSet('a')],
    ['body_length', request.body.length],
    ['headers', headersOf(request)],
  ]);
}

function filesWithoutPlaces(request: RestRequest): PhpValue {
  return toPhpArray(
    entriesOf(request.fileParams).map(([name, file]) => {
      return [name, toPhpArray(entriesOf(file).filter(([member]) => member !== 'tmp_name'))] as const;
    }),
  );
}

/** nginx hands PHP the type and the length of a body even where there is none. */
function headersOf(request: RestRequest): PhpValue {
  const headers: Array<[string, PhpValue]> = [];
  for (const name of echoedHeaders) {
    const value = name === 'content_length' ? bodyLength(request) : request.header(name);
    if (value !== undefined) headers.push([name, value]);
    else if (name === 'content_type') headers.push([name, '']);
  }
  return toPhpArray(headers);
}

/** A chunked body has a length by the time PHP sees it. */
function bodyLength(request: RestRequest): string {
  const said = request.header('content-length');
  if (said !== undefined) return said;
  return request.header('transfer-encoding') === undefined ? '' : String(request.body.length);
}
