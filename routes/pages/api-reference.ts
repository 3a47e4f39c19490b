import type { OpenApiDocument } from '../../schemas/openapi.ts';
import { referenceIndex, referenceOfNoun } from '../../src/core/page-models/api-reference.ts';
import type { RequestContext } from '../../src/core/page-models/request-context.ts';
import { page } from '../../src/http/pages/declarations.ts';
import { apiNounPage, apiReferencePage } from '../../src/web/help/api-reference.ts';
import { heartbeatRoutes } from '../heartbeats.ts';
import { notifierRoutes } from '../index.ts';
import { openApiDocument } from '../openapi/openapi.ts';

export function apiReferencePages() {
  let document: OpenApiDocument | null = null;
  const documentOf = ({ deps, apiUrl }: RequestContext): OpenApiDocument => {
    document ??= openApiDocument({
      routes: notifierRoutes(deps),
      open: heartbeatRoutes(deps),
      version: '',
      serverUrl: apiUrl,
    });
    return document;
  };
  return [
    page(
      '/help/api',
      'viewer',
      async (context) => referenceIndex(documentOf(context), context),
      apiReferencePage,
    ),
    page(
      '/help/api/{noun}',
      'viewer',
      async (context) => referenceOfNoun(documentOf(context), context, context.path['noun'] ?? ''),
      apiNounPage,
    ),
  ];
}
