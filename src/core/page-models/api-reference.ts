// The reference of the API: one page a noun, made from the OpenAPI document.
import type { Content, JsonSchema, OpenApiDocument, OperationObject } from '../../../schemas/openapi.ts';
import { pageNotFound, type RequestContext } from './request-context.ts';

export type ReferenceIndexModel = ReturnType<typeof referenceIndex>;

export type ReferenceField = ReturnType<typeof fieldsOf>[number];

export type ReferenceRoute = ReturnType<typeof routeOf>;

export type ReferenceNounModel = ReturnType<typeof referenceOfNoun>;

export function referenceIndex(document: OpenApiDocument, { apiUrl }: RequestContext) {
  const nouns = document.tags.map(({ name, description }) => ({
    noun: nounOf(name),
    name,
    description,
    routes: operationsOf(document, name).map(({ method, path, operation }) => ({
      method,
      path,
      summary: operation.summary,
    })),
  }));
  return { api_url: apiUrl, document_url: `${apiUrl}/openapi.json`, nouns };
}

export function referenceOfNoun(document: OpenApiDocument, { apiUrl }: RequestContext, noun: string) {
  const tag = document.tags.find(({ name }) => nounOf(name) === noun);
  if (tag === undefined) throw pageNotFound('This part of the API', 'Choose one from the API reference.');
  const routes = operationsOf(document, tag.name).map((each) => routeOf(document, apiUrl, each));
  return { api_url: apiUrl, noun, name: tag.name, description: tag.description, routes };
}

type Found = ReturnType<typeof operationsOf>[number];

function operationsOf({ paths }: OpenApiDocument, tag: string) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function nounOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

function routeOf(document: OpenApiDocument, apiUrl: string, found: Found) {
  const { method, path, operation } = found;
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = success?.content?.['application/json'];
  return {
    method,
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    /** Such as `secret key, scope read`. */
    key: keyOf(operation.security),
    fields: fieldsOf(document, operation),
    answers: Object.entries(operation.responses).map(([status, response]) => {
      const { description = '', content } =
        response.$ref === undefined ? response : (document.components.responses[status] ?? response);
      return { status, what: description, codes: codesOf(content) };
    }),
    /** Members of a successful answer, of its rows for a list. */
    members: answer === undefined ? [] : membersOf(document, answer.schema),
    curl: curlOf(apiUrl, found),
    /** JSON; null for files. */
    example: answer?.example === undefined ? null : JSON.stringify(answer.example, null, 2),
  };
}

function keyOf(security: OperationObject['security']): string {
  const [first] = security;
  if (first === undefined) return 'no key';
  const { secretKey, personalToken } = first;
  if (personalToken !== undefined) return `API token of a member, scope ${personalToken[0]}`;
  return secretKey === undefined ? 'public key' : `secret key, scope ${secretKey[0]}`;
}

function fieldsOf(document: OpenApiDocument, operation: OperationObject) {
  const parameters = (operation.parameters ?? []).map(({ schema, description = '', ...field }) => ({
    ...field,
    type: typeOf(schema),
    description,
  }));
  const schema = operation.requestBody?.content['application/json']?.schema ?? {};
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const members = Object.entries(propertiesOf(document, schema)).map(([name, member]) => ({
    name,
    in: 'body',
    type: typeOf(member),
    required: required.has(name),
    description: typeof member['description'] === 'string' ? member['description'] : '',
  }));
  return [...parameters, ...members];
}

function membersOf(document: OpenApiDocument, schema: JsonSchema) {
  const rows = schema['type'] === 'array' ? ((schema['items'] ?? {}) as JsonSchema) : schema;
  return Object.entries(propertiesOf(document, rows)).map(([name, member]) => ({
    name,
    type: typeOf(member),
  }));
}

function propertiesOf(document: OpenApiDocument, schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const named = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
  const found = named === undefined ? schema : (document.components.schemas[named] ?? {});
  const [first] = (found['anyOf'] ?? []) as readonly JsonSchema[];
  if (found['properties'] === undefined && first !== undefined) return propertiesOf(document, first);
  return (found['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/** In words: `integer or null`, `list of text`, `new, ongoing or regressed`. */
function typeOf(schema: JsonSchema): string {
  const { type, items, anyOf, $ref, enum: values, const: constant } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? '';
  if (Array.isArray(anyOf)) return [...new Set((anyOf as JsonSchema[]).map(typeOf))].join(' or ');
  if (Array.isArray(values)) return values.join(', ');
  if (constant !== undefined) return String(constant);
  if (type === 'array') return `list of ${typeOf((items ?? {}) as JsonSchema)}`;
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'anything';
}

function codesOf(content: Content | undefined): readonly string[] {
  const schema = content?.['application/json']?.schema;
  const [, ofCodes] = (schema?.['allOf'] ?? []) as readonly JsonSchema[];
  const { code } = (ofCodes?.['properties'] ?? {}) as { code?: { enum?: readonly string[] } };
  return code?.enum ?? [];
}

/** To be pasted into a shell that has the key in a variable. */
function curlOf(apiUrl: string, { method, path, operation }: Found): string {
  const [first] = operation.security;
  const key =
    first === undefined
      ? []
      : first['personalToken'] !== undefined
        ? ['-H "Authorization: Bearer $NOTIFIER_API_TOKEN"']
        : first['secretKey'] === undefined
          ? ['-H "X-Notifier-Key: $NOTIFIER_PUBLIC_KEY"']
          : ['-H "Authorization: Bearer $NOTIFIER_SECRET_KEY"'];
  const required = (operation.parameters ?? []).filter((each) => each.in === 'query' && each.required);
  const query = required.map(({ name }) => `${name}=…`).join('&');
  const url = `"${apiUrl}${path}${query === '' ? '' : `?${query}`}"`;
  const example = operation.requestBody?.content['application/json']?.example;
  const body =
    example === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`];
  const lines = [`curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${url}`, ...key, ...body];
  return lines.join(' \\\n  ');
}
