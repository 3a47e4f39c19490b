// The OpenAPI 3.1 document, made from the route table, its Zod schemas and the table of operations.
import { z } from 'zod';
import type {
  Content,
  JsonSchema,
  MediaType,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '../../../schemas/openapi.ts';
import type { Route, UnauthenticatedRoute } from '../api/route.ts';
import type { Answer, AnswerHeader, Operation } from './operation.ts';

export type Examples = Readonly<
  Record<string, { readonly request?: unknown; readonly answers: Readonly<Record<string, unknown>> }>
>;

export interface DocumentParts {
  readonly routes: readonly Route[];
  readonly open: readonly UnauthenticatedRoute[];
  /** By method and path, such as `GET /issues/{id}`. */
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: Readonly<Record<string, z.ZodType>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly pathParameters: Readonly<Record<string, z.ZodType>>;
  readonly examples: Examples;
  readonly info: JsonSchema;
  /** Of the namespace; never taken from a request. */
  readonly serverUrl: string;
}

type Described = ReturnType<typeof describedRoutes>[number];

export function buildDocument(options: DocumentParts): OpenApiDocument {
  const described = describedRoutes(options);
  const answers = convertAnswers(described, options.components);
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const each of described) {
    const path = paths[plainPath(each.path)] ?? {};
    path[each.method.toLowerCase()] = operationObject(each, answers.of, options);
    paths[plainPath(each.path)] = path;
  }
  return {
    openapi: '3.1.0',
    info: options.info,
    servers: [{ url: options.serverUrl }],
    tags: Object.entries(options.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      headers: headerComponents,
      responses: sharedResponses,
      schemas: { ...answers.components, Error: errorSchema },
    },
  };
}

/** A route without an operation is left out; a test demands one of each. */
function describedRoutes({ routes, open, operations }: DocumentParts) {
  const all = [
    ...routes.map((route) => ({ method: route.method, path: route.path, route })),
    ...open.flatMap(({ methods, path }) => methods.map((method) => ({ method, path, route: null }))),
  ];
  return all.flatMap((each) => {
    const operation = operations[`${each.method} ${each.path}`];
    return operation === undefined ? [] : [{ ...each, operation }];
  });
}

/** `/api/{project:\d+}/store` is `/api/{project}/store`. */
function plainPath(path: string): string {
  return path.replace(/\{(\w+):[^{}]+\}/g, '{$1}').replaceAll('\\.', '.');
}

function operationObject(
  described: Described,
  answerOf: AnswerSchemas['of'],
  { examples, pathParameters }: DocumentParts,
): OperationObject {
  const { operation, route, path, method } = described;
  const { id, summary, description } = operation;
  const example = examples[id];
  const input = route?.schema ?? null;
  const isRead = method === 'GET' || method === 'DELETE';
  const parameters = [
    ...parametersOfPath(path, { ...pathParameters, ...operation.path }),
    ...queryParameters(isRead ? input : null),
    ...queryParameters(operation.query ?? null),
  ];
  const body = isRead ? null : requestBody(operation, route, example?.request);
  const success = Object.entries(operation.answers).map(([status, answer]) => {
    const shown = example?.answers[status];
    return [status, responseObject(answer, answerOf, shown, route)] as const;
  });
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [operation.tag ?? tagOf(path)],
    security: route === null ? [] : securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: body }),
    responses: Object.fromEntries([...success, ...errorResponses(described, body !== null)]),
  };
}

function tagOf(path: string): string {
  const [, first = ''] = path.split('/');
  const words = first.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const positiveInteger: JsonSchema = { type: 'integer', minimum: 1 };

function parametersOfPath(path: string, known: DocumentParts['pathParameters']): ParameterObject[] {
  return [...plainPath(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const declared = known[name];
    const { description, ...schema } = declared === undefined ? positiveInteger : convertInput(declared);
    return {
      name,
      in: 'path',
      required: true,
      ...(typeof description === 'string' ? { description } : {}),
      schema,
    };
  });
}

function queryParameters(schema: z.ZodObject | null): ParameterObject[] {
  if (schema === null) return [];
  const root = convertInput(schema);
  const required = new Set(root['required'] as readonly string[] | undefined);
  const members = Object.entries((root['properties'] ?? {}) as Record<string, JsonSchema>);
  return members.map(([name, { description, ...member }]) => ({
    name,
    in: 'query',
    required: required.has(name),
    ...(typeof description === 'string' ? { description } : {}),
    schema: member,
  }));
}

const formType = 'application/x-www-form-urlencoded';
const multipartType = 'multipart/form-data';

function requestBody(operation: Operation, route: Route | null, example: unknown) {
  const shown = example === undefined ? {} : { example };
  if (operation.bodies !== undefined) {
    const content = Object.entries(operation.bodies).map(([type, body]) => {
      const media = mediaType(type, convertInput(body));
      return [type, type === 'application/json' ? { ...media, ...shown } : media] as const;
    });
    return { required: route !== null, content: Object.fromEntries(content) };
  }
  if (route?.schema === undefined) return null;
  const loose = withoutAnyMembers(convertInput(route.schema));
  const schema = route.refusesUnknown === true ? { ...loose, additionalProperties: false } : loose;
  const encoding = encodingOf(schema);
  const files = operation.files === undefined ? {} : propertiesOf(convertInput(operation.files));
  const withFiles = { ...schema, properties: { ...propertiesOf(schema), ...files } };
  return {
    required: schema['required'] !== undefined,
    content: {
      'application/json': { schema, ...shown },
      [formType]: { schema, ...encoding },
      [multipartType]: { schema: operation.files === undefined ? schema : withFiles, ...encoding },
      // Of events and beacons the Content-Type says nothing.
      ...(route.body === undefined ? {} : { '*/*': { schema: anyType(route, schema) } }),
    },
  };
}

function anyType({ takesBase64 }: Route, schema: JsonSchema): JsonSchema {
  const base64 = { ...text, description: 'The JSON in base64, which may be compressed before.' };
  return takesBase64 === true ? { anyOf: [schema, base64] } : schema;
}

/** What is not documented is ignored, if it is not refused. */
function withoutAnyMembers({ additionalProperties, ...schema }: JsonSchema): JsonSchema {
  const isClosed = additionalProperties === false || Object.keys(additionalProperties ?? {}).length > 0;
  return isClosed ? { ...schema, additionalProperties } : schema;
}

function mediaType(type: string, body: JsonSchema): MediaType {
  const schema = withoutAnyMembers(body);
  return { schema, ...(type === formType || type === multipartType ? encodingOf(schema) : {}) };
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/** PHP reads `ids=1,2` as a list, and `tags[name]=value` as an object. */
function encodingOf(schema: JsonSchema): Pick<MediaType, 'encoding'> {
  const encoding: Record<string, JsonSchema> = {};
  for (const [name, member] of Object.entries(propertiesOf(schema))) {
    const variants = (member['anyOf'] ?? [member]) as readonly JsonSchema[];
    const list = variants.find(({ type }) => type === 'array')?.['items'] as JsonSchema | undefined;
    const isDeep = [...variants, list].some((each) => each?.['type'] === 'object');
    if (isDeep) encoding[name] = { style: 'deepObject', explode: true };
    else if (list !== undefined && list['format'] !== 'binary')
      encoding[name] = { style: 'form', explode: false };
  }
  return Object.keys(encoding).length === 0 ? {} : { encoding };
}

function responseObject(
  answer: Answer,
  answerOf: AnswerSchemas['of'],
  example: unknown,
  route: Route | null,
): ResponseObject {
  const names: string[] = [...(answer.headers ?? [])];
  if (route !== null && route.limit !== null) names.push('RateLimit', 'RateLimit-Policy');
  if (route?.credential === 'event') names.push('X-Sentry-Rate-Limits');
  const headers = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` } as const]),
  );
  const shown = example === undefined ? {} : { example };
  const schema = answer.schema === null ? null : answerOf(answer.schema);
  const type = answer.type ?? (schema === null ? null : 'application/json');
  const other = answer.otherType === undefined ? {} : { [answer.otherType]: { schema: text } };
  const content = type === null ? null : { [type]: { schema: schema ?? text, ...shown }, ...other };
  return {
    description: answer.what,
    ...(names.length === 0 ? {} : { headers }),
    ...(content === null ? {} : { content }),
  };
}

const argumentCodes = [
  ...['rest_invalid_param', 'rest_missing_callback_param', 'rest_invalid_type', 'rest_bad_request'],
];
const bodyCodes = [
  'rest_invalid_json',
  'rest_payload_too_large',
  'rest_unsupported_media_type',
  'notifier_invalid_encoding',
  'notifier_body_too_complex',
  'notifier_body_already_read',
  'notifier_multipart_invalid',
];

function errorResponses(
  { operation, route, path }: Described,
  hasBody: boolean,
): Array<readonly [string, ResponseObject]> {
  const codes: Record<number, readonly string[]> = {
    400: [...argumentCodes, ...(hasBody ? bodyCodes : [])],
  };
  if (route?.isOfSentryProtocol === true) Object.assign(codes, sentryBodyErrors);
  const isForTokens = route?.credential === 'secret';
  for (const errors of [operation.errors ?? {}, pathErrors(path), isForTokens ? tokenErrors : {}]) {
    for (const [status, responses] of Object.entries(errors)) {
      codes[Number(status)] = [...responses, ...(codes[Number(status)] ?? [])];
    }
  }
  const responses = Object.entries(codes).map(([status, each]) => [status, errorResponse(each)] as const);
  const ofKey = route === null ? [] : (['401', '403'] as const);
  const shared = [...ofKey, '429', '500', '503'].map(
    (status) => [status, { $ref: `#/components/responses/${status}` }] as const,
  );
  return [...responses, ...shared];
}

/** `/issues/{id}/comments/{comment_id}` refuses the id of no issue and of no comment. */
function pathErrors(path: string): Readonly<Record<number, readonly string[]>> {
  const resource = path.split('/')[1]?.replace(/s$/, '').replaceAll('-', '_');
  const names = [...path.matchAll(/\{(?:id|(\w+)_(?:id|hash))\}/g)].map(([, name = resource]) => name);
  return names.length === 0 ? {} : { 404: names.map((name) => `notifier_${name}_invalid_id`) };
}

/** Of bodies that stall or are too large, as `answerAsSentry` answers them. */
const sentryBodyErrors: Readonly<Record<number, readonly string[]>> = {
  408: ['rest_bad_request'],
  413: ['rest_payload_too_large'],
};

/** A token of a person may name no project, or one that its person does not see. */
const tokenErrors: Readonly<Record<number, readonly string[]>> = {
  400: ['notifier_project_missing'],
  404: ['notifier_project_invalid_id'],
};

function errorResponse(codes: readonly string[]): ResponseObject {
  const ofCodes = { type: 'object', properties: { code: { enum: codes } } };
  return {
    description: 'Refused.',
    content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, ofCodes] } } },
  };
}

const text: JsonSchema = { type: 'string' };

/** WordPress's error body. */
const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Error body, as in WordPress.',
  properties: {
    code: { ...text, description: 'What went wrong, for programs.' },
    message: { ...text, description: 'The same for people.' },
    data: {
      type: 'object',
      properties: {
        status: { type: 'integer', description: 'The HTTP status.' },
        params: {
          description: 'Of invalid parameters: a sentence for each. Of missing ones: their names.',
          anyOf: [
            { type: 'object', additionalProperties: text },
            { type: 'array', items: text },
          ],
        },
        details: { description: 'For each invalid parameter: its own error.', type: ['object', 'array'] },
        reason: { ...text, description: 'Why the key is refused.' },
        retry_after: { type: 'integer', description: 'Seconds to wait.' },
      },
      required: ['status'],
      additionalProperties: {},
    },
    additional_errors: { type: 'array', items: { type: 'object', additionalProperties: {} } },
  },
  required: ['code', 'message', 'data'],
};

const errorExample = {
  code: 'rest_forbidden',
  message: 'Sorry, you are not allowed to do that.',
  data: { status: 401 },
};
const errorContent = (example?: unknown): Content => ({
  'application/json': {
    schema: { $ref: '#/components/schemas/Error' },
    ...(example === undefined ? {} : { example }),
  },
});
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };

const sharedResponses: Readonly<Record<string, ResponseObject>> = {
  401: { description: 'The key is missing or invalid.', content: errorContent(errorExample) },
  403: { description: 'The key has not the scope, or not the origin.', content: errorContent() },
  429: {
    description: 'Too many requests.',
    headers: { ...retryAfter, 'X-Sentry-Rate-Limits': { $ref: '#/components/headers/X-Sentry-Rate-Limits' } },
    content: errorContent(),
  },
  500: { description: 'A fault of the server.', content: errorContent() },
  503: { description: 'The database cannot write.', headers: retryAfter, content: errorContent() },
};

const header = (description: string, schema: JsonSchema, required = false): JsonSchema => ({
  description,
  ...(required ? { required } : {}),
  schema,
});

const headerComponents: Readonly<Record<AnswerHeader | string, JsonSchema>> = {
  'X-WP-Total': header('Number of rows in all.', { type: 'integer' }, true),
  'X-WP-TotalPages': header('Number of pages in all.', { type: 'integer' }, true),
  Link: header('The pages before and after (rel prev, rel next), and the index.', text),
  ETag: header('Version of the answer, for If-None-Match.', text, true),
  'Content-Disposition': header('Name of the file.', text, true),
  RateLimit: header('What is left of the limit (draft 8 of the IETF).', text),
  'RateLimit-Policy': header('The limit itself.', text),
  'Retry-After': header('Seconds to wait.', { type: 'integer' }),
  'X-Sentry-Rate-Limits': header('What a Sentry SDK must not send for how long.', text),
};

const securitySchemes: Readonly<Record<string, JsonSchema>> = {
  secretKey: { type: 'http', scheme: 'bearer', description: 'A secret key, with the scope of the route.' },
  personalToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token of a member; a key is refused.',
  },
  publicKey: { type: 'apiKey', in: 'header', name: 'X-Notifier-Key', description: 'A public key.' },
  sentryAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Sentry-Auth',
    description: 'A public key, as Sentry SDKs send it: Sentry sentry_version=7, sentry_key=….',
  },
  sentryKey: { type: 'apiKey', in: 'query', name: 'sentry_key', description: 'A public key in the URL.' },
};

function securityOf({ credential, scope }: Pick<Route, 'credential' | 'scope'>): OperationObject['security'] {
  if (credential === 'secret') return [{ secretKey: [scope] }];
  if (credential === 'personal') return [{ personalToken: [scope] }];
  const ofSentry = credential === 'event' ? [{ sentryAuth: [] }, { sentryKey: [] }] : [];
  return [{ publicKey: [] }, ...ofSentry];
}

type Mutable = Record<string, unknown>;

/** Drops what is only for WordPress's arguments, the bounds of safe integers, and patterns that need flags. */
function simplify(schema: z.core.$ZodType, json: Mutable): void {
  delete json['wordpress'];
  delete json['nullIsAbsent'];
  if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
  if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
  // Anything, or null: anything.
  const variants = json['anyOf'];
  if (Array.isArray(variants) && variants.some((each) => Object.keys(each).length === 0))
    delete json['anyOf'];
  for (const check of schema._zod.def.checks ?? []) {
    const { pattern } = check._zod.def as { pattern?: RegExp };
    if (pattern instanceof RegExp && /[imv]/.test(pattern.flags)) delete json['pattern'];
  }
}

/** PHP writes an object without members as a list. */
function allowEmptyList(json: Mutable): void {
  const isMap = json['type'] === 'object' && json['required'] === undefined;
  if (!isMap) return;
  const map = { ...json };
  for (const keyword of Object.keys(json)) delete json[keyword];
  json['anyOf'] = [map, { type: 'array', maxItems: 0 }];
}

function convertInput(schema: z.ZodType): JsonSchema {
  const { $schema: _version, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => simplify(zodSchema, jsonSchema as Mutable),
  });
  return json;
}

type AnswerSchemas = { readonly components: Record<string, JsonSchema>; of(schema: z.ZodType): JsonSchema };

/** All at once, so that a component is a reference wherever it is used. */
function convertAnswers(
  described: readonly Described[],
  components: Readonly<Record<string, z.ZodType>>,
): AnswerSchemas {
  const ids = new Map<z.ZodType, string>();
  for (const [id, schema] of Object.entries(components)) ids.set(schema, id);
  for (const { operation } of described) {
    for (const [status, { schema }] of Object.entries(operation.answers)) {
      if (schema !== null && !ids.has(schema)) ids.set(schema, `${operation.id}.${status}`);
    }
  }
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of ids) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      simplify(zodSchema, jsonSchema as Mutable);
      allowEmptyList(jsonSchema as Mutable);
      // Answers may gain members in a later version.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const plain = (id: string): JsonSchema => {
    const { $schema: _version, $id: _id, ...json } = schemas[id] as JsonSchema;
    return json;
  };
  return {
    components: Object.fromEntries(Object.keys(components).map((id) => [id, plain(id)])),
    of(schema) {
      const id = ids.get(schema) ?? '';
      return Object.hasOwn(components, id) ? { $ref: `#/components/schemas/${id}` } : plain(id);
    },
  };
}
