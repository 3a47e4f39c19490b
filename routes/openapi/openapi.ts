// GET /openapi.json: the description of this API, without a key as WordPress's index is.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../schemas/openapi.ts';
import { matchesEtag } from '../../src/http/api/caching.ts';
import type { UnauthenticatedRoute } from '../../src/http/api/route.ts';
import { buildDocument, type DocumentParts, type Examples } from '../../src/http/openapi/document.ts';
import { components, operations, pathParameters, tags } from './operations.ts';

const description = [
  'Error tracking, uptime and status pages. Dates are ISO 8601 in UTC.',
  'Parameters may be sent in the query, as a form or as JSON. Bodies may be compressed: gzip, deflate, br, zstd.',
  'Every route also takes `_fields`, `_envelope`, `_pretty`, `_jsonp` and `_method`, as in WordPress.',
  'Later versions may add members to answers.',
].join('\n\n');

/** Real requests and answers, recorded by a test. */
function readExamples(): Examples {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')) as Examples;
}

export function openApiDocument({
  routes,
  open,
  version,
  serverUrl,
}: Pick<DocumentParts, 'routes' | 'open' | 'serverUrl'> & { readonly version: string }): OpenApiDocument {
  return buildDocument({
    routes,
    open,
    operations,
    components,
    tags,
    pathParameters,
    examples: readExamples(),
    info: {
      title: 'Notifier',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    serverUrl,
  });
}

/** `document` is called once, on the first request. */
export function openApiRoute(document: () => OpenApiDocument): UnauthenticatedRoute {
  let cached: { readonly bytes: Buffer; readonly etag: string } | null = null;
  const render = () => {
    const bytes = Buffer.from(JSON.stringify(document()));
    return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` };
  };
  return {
    methods: ['GET'],
    path: '/openapi\\.json',
    async handler(_path, _body, header) {
      cached ??= render();
      const { bytes, etag } = cached;
      const headers = [
        ['ETag', etag],
        ['Cache-Control', 'public, max-age=300'],
      ] as const;
      if (matchesEtag(header('if-none-match'), etag)) return { status: 304, body: null, headers };
      return {
        status: 200,
        body: null,
        headers,
        raw: { contentType: 'application/json; charset=UTF-8', bytes },
      };
    },
  };
}
