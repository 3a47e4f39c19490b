// POST /batch/v1: several requests in one, as the block editor sends them. Only routes with `allowBatch`.

import { toPhpString } from '../php/casts.ts';
import { parseQueryString } from '../php/query-string.ts';
import { entriesOf, getMember, isPhpArray, type PhpValue, valuesOf } from '../php/values.ts';
import { type Arguments, RestRequest } from '../request/rest-request.ts';
import { noRouteError, type RouteMatch } from '../request/route-table.ts';
import { RestResponse } from '../response/rest-response.ts';
import { toErrorResponse, WpError } from '../response/wp-error.ts';
import { applyMatch, type Dispatcher, finishResponse, respond, validateAndSanitize } from './dispatch.ts';
import { envelopeOf } from './links.ts';

const batchRequestsMax = 25;
const multiStatus = 207;

const batchArgs: Arguments = {
  validation: { type: 'string', enum: ['require-all-validate', 'normal'], default: 'normal' },
  requests: {
    required: true,
    type: 'array',
    maxItems: batchRequestsMax,
    items: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
        path: { type: 'string', required: true },
        body: { type: 'object', properties: {}, additionalProperties: true },
        headers: {
          type: 'object',
          properties: {},
          additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
        },
      },
    },
  },
};

export function registerBatch(server: Dispatcher): void {
  server.table.add({
    namespace: '',
    path: '/batch/v1',
    handlers: [{ methods: ['POST'], args: batchArgs, callback: (request) => runBatch(server, request) }],
  });
}

type Part =
  | { readonly request: RestRequest; readonly match: RouteMatch; readonly refusal: null }
  | { readonly request: RestRequest; readonly match: null; readonly refusal: WpError }
  | { readonly request: null; readonly match: null; readonly refusal: WpError };

async function runBatch(server: Dispatcher, batch: RestRequest): Promise<RestResponse> {
  const parts = valuesOf(batch.get('requests')).map((described) => readPart(server, described));
  const failed = parts.some(({ refusal }) => refusal !== null);
  if (failed && batch.get('validation') === 'require-all-validate') {
    const responses: PhpValue[] = [];
    for (const { refusal } of parts) {
      responses.push(refusal === null ? null : await envelopeOf(server, toErrorResponse(refusal), false));
    }
    return new RestResponse({ failed: 'validation', responses }, multiStatus);
  }
  const responses: PhpValue[] = [];
  for (const part of parts) responses.push(await answerPart(server, part));
  return new RestResponse({ responses }, multiStatus);
}

function readPart(server: Dispatcher, described: PhpValue): Part {
  const request = partRequest(described);
  if (request === null) {
    const refusal = new WpError('parse_path_failed', 'Could not parse the path.', { status: 400 });
    return { request, match: null, refusal };
  }
  const match = server.table.match(request.method, request.route);
  if (match === null) return { request, match, refusal: noRouteError() };
  applyMatch(request, match);
  if (!allowsBatch(match)) {
    const words = 'The requested route does not support batch requests.';
    return { request, match: null, refusal: new WpError('rest_batch_not_allowed', words, { status: 400 }) };
  }
  const checked = validateAndSanitize(request);
  return checked === true ? { request, match, refusal: null } : { request, match: null, refusal: checked };
}

function allowsBatch(match: RouteMatch): boolean {
  const allowed = match.route.allowBatch;
  return isPhpArray(allowed) && getMember(allowed, 'v1') === true;
}

function partRequest(described: PhpValue): RestRequest | null {
  const method = getMember(described, 'method');
  const address = splitPath(toPhpString(getMember(described, 'path') ?? ''));
  if (address === null) return null;
  const request = new RestRequest(toPhpString(method ?? 'POST'), address.path, headersOf(described));
  if (address.query !== '') request.parameters.GET = new Map(entriesOf(parseQueryString(address.query)));
  const body = getMember(described, 'body');
  if (isPhpArray(body)) request.parameters.POST = new Map(entriesOf(body));
  return request;
}

function headersOf(described: PhpValue): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of entriesOf(getMember(described, 'headers') ?? null)) {
    const text = isPhpArray(value) ? valuesOf(value).map(toPhpString).join(',') : toPhpString(value);
    headers.set(name.toLowerCase().replaceAll('-', '_'), text);
  }
  return headers;
}

/** Path and query as PHP's parse_url reads them, with or without a host. */
function splitPath(text: string): { path: string; query: string } | null {
  const [address = '', query = ''] = text.split('#')[0]?.split(/\?(.*)/s) ?? [];
  if (address.startsWith('///')) return null;
  const host = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*(.*)$/is.exec(address);
  return { path: host === null ? address : (host[1] ?? ''), query };
}

async function answerPart(server: Dispatcher, part: Part): Promise<PhpValue> {
  if (part.request === null) return envelopeOf(server, toErrorResponse(part.refusal), false);
  const { request } = part;
  const response =
    part.refusal === null ? await respond(server, request, part.match) : toErrorResponse(part.refusal);
  return envelopeOf(server, await finishResponse(server, request, response), false);
}
