// Every request that a test app accepts and every answer must fit the OpenAPI document.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { JsonSchema, OpenApiDocument, OperationObject } from '../../schemas/openapi.ts';
import type { Deps } from '../../src/core/deps.ts';
import { parseQueryString } from '../../src/wordpress/php/query-string.ts';
import { toPlain } from '../../src/wordpress/php/values.ts';
import { isJsonMediaType } from '../../src/wordpress/response/json-media-type.ts';

type Validate = { (value: unknown): boolean; errors?: unknown };

interface DocumentedRoute {
  readonly method: string;
  readonly expression: RegExp;
  readonly pointer: string;
  readonly operation: OperationObject;
}

export interface Documented {
  readonly document: OpenApiDocument;
  readonly routes: readonly DocumentedRoute[];
  /** Of answers, closed: no member may be missing from the document. */
  answer(pointer: string): Validate;
  /** Of requests: texts are converted as WordPress does. */
  request(pointer: string): Validate;
}

const cacheKey = Symbol.for('notifier.tests.documented');
const namespace = '/wp-json/notifier/v1';

/** Made once in a worker: it takes as long as many tests. */
export async function readDocumented(deps: Deps): Promise<Documented> {
  const cached = globalThis as { [cacheKey]?: Documented };
  cached[cacheKey] ??= await makeDocumented(deps);
  return cached[cacheKey];
}

async function makeDocumented(deps: Deps): Promise<Documented> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { notifierRoutes } = await import('../../routes/index.ts');
  const { heartbeatRoutes } = await import('../../routes/heartbeats.ts');
  const { openApiDocument, openApiRoute } = await import('../../routes/openapi/openapi.ts');
  const routes = notifierRoutes(deps);
  const open = [...heartbeatRoutes(deps), openApiRoute(() => document)];
  const serverUrl = 'https://notifier.example/wp-json/notifier/v1';
  const document: OpenApiDocument = openApiDocument({ routes, open, version: '1.0.0', serverUrl });
  const options = { strict: false, validateFormats: false, code: { optimize: false } } as const;
  const closed = new Ajv2020(options).addSchema(closeObjects(document) as object, 'document');
  const lenient = new Ajv2020({ ...options, coerceTypes: 'array' }).addSchema(document, 'document');
  const reader =
    (ajv: typeof closed) =>
    (pointer: string): Validate => {
      const found = ajv.getSchema(`document#${encodeURI(pointer)}`);
      if (found === undefined) throw new Error(`The document has no ${pointer}.`);
      return found as Validate;
    };
  return { document, routes: routesOf(document), answer: reader(closed), request: reader(lenient) };
}

function routesOf({ paths }: OpenApiDocument): DocumentedRoute[] {
  return Object.entries(paths).flatMap(([path, methods]) => {
    const pattern = path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '[^/]+');
    return Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      expression: new RegExp(`^${pattern}/?$`, 'i'),
      pointer: `/paths/${path.replaceAll('/', '~1')}/${method}`,
      operation,
    }));
  });
}

/** Answers may gain members in a later version; in this one all of them are documented. */
function closeObjects(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((each) => closeObjects(each));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    const parts = name === 'allOf' && Array.isArray(member);
    return [name, parts ? member.map((each) => closeObjects(each, true)) : closeObjects(member)] as const;
  });
  const closed = Object.fromEntries(entries);
  const isOpen = closed['type'] === 'object' && 'properties' in closed && !('additionalProperties' in closed);
  return isOpen && !isPart ? { ...closed, additionalProperties: false } : closed;
}

/** Watches all that the server answers; `throwFaults` says what the document does not. */
export async function checkDocumented(server: Server, deps: Deps): Promise<{ throwFaults(): Promise<void> }> {
  const documented = await readDocumented(deps);
  const found: Array<Promise<string | null>> = [];
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const sent = capture(request);
    const answered = captureAnswer(response);
    response.once('finish', () => {
      const fault = findFault(documented, request, response, sent, answered).catch(String);
      found.push(fault.then((each) => (each === null ? null : `${request.method} ${request.url}: ${each}`)));
    });
  });
  return {
    async throwFaults() {
      const faults = (await Promise.all(found)).filter((fault) => fault !== null);
      const different = [...new Set(faults)].slice(0, 10).map((fault) => fault.slice(0, 1_500));
      if (different.length > 0) throw new Error(`Not as the OpenAPI document says:\n${different.join('\n')}`);
    },
  };
}

/** The parser hands the body to `push`; a listener would start the stream. */
function capture(request: IncomingMessage): Buffer[] {
  const chunks: Buffer[] = [];
  const { push } = request;
  request.push = function pushed(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (Buffer.isBuffer(chunk)) chunks.push(Buffer.from(chunk));
    return push.call(this, chunk, encoding);
  };
  return chunks;
}

function captureAnswer(response: ServerResponse): Buffer[] {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const { write, end } = response as {
    write: (...given: unknown[]) => boolean;
    end: (...given: unknown[]) => unknown;
  };
  Object.assign(response, {
    write(...given: unknown[]) {
      keep(given[0]);
      return write.apply(response, given);
    },
    end(...given: unknown[]) {
      keep(given[0]);
      return end.apply(response, given);
    },
  });
  return chunks;
}

/** WordPress's own parameters, which change the form of the answer. */
const otherForm = /^_|^rest_route/;
const metaMembers = ['"_fields', '"_envelope', '"_pretty', '"_method', '"_jsonp'];

async function findFault(
  documented: Documented,
  request: IncomingMessage,
  response: ServerResponse,
  sent: readonly Buffer[],
  answered: readonly Buffer[],
): Promise<string | null> {
  const { method = '', headers } = request;
  const url = URL.parse(request.url ?? '', 'http://localhost');
  if (url === null || headers['x-http-method-override'] !== undefined) return null;
  if ([...url.searchParams.keys()].some((name) => otherForm.test(name))) return null;
  const body = Buffer.concat(sent);
  if (metaMembers.some((name) => body.includes(name))) return null;
  const path = url.pathname.startsWith(namespace) ? url.pathname.slice(namespace.length) : url.pathname;
  if (path === url.pathname && !/^\/api\/\d+\//.test(path)) return null;
  const route = documented.routes.find((each) => each.method === method && each.expression.test(path));
  if (route === undefined) return null;
  const answer = answerFault(documented, route, response, Buffer.concat(answered));
  if (answer !== null) return `the answer: ${answer}`;
  if (response.statusCode >= 300) return null;
  const asked =
    queryFault(documented, route, url) ?? (await requestBodyFault(documented, route, headers, body));
  return asked === null ? null : `the request: ${asked}`;
}

function answerFault(
  documented: Documented,
  { operation, pointer }: DocumentedRoute,
  response: ServerResponse,
  bytes: Buffer,
): string | null {
  const status = String(response.statusCode);
  // Also what stands below this app, which is no JSON.
  const isNoRoute = status === '404' && (bytes.includes('"rest_no_route"') || bytes[0] !== 0x7b);
  if (isNoRoute) return null;
  const own = operation.responses[status];
  if (own === undefined) return `${status} is not documented: ${bytes.toString().slice(0, 500)}`;
  const at = own.$ref === undefined ? `${pointer}/responses/${status}` : own.$ref.slice(1);
  const { headers = {}, content } =
    own.$ref === undefined ? own : (documented.document.components.responses[status] ?? own);
  for (const name of Object.keys(headers)) {
    const isRequired = documented.document.components.headers[name]?.['required'] === true;
    if (isRequired && !isSent(response, name)) return `${status} has no header ${name}`;
  }
  if (content === undefined) return bytes.length === 0 ? null : `${status} has a body`;
  // OTLP answers protobuf to protobuf.
  const head = (response as { readonly _header?: string })._header ?? '';
  const isJson = !/^content-type: (?!.*json)/im.test(head);
  if (content['application/json'] === undefined || !isJson) return null;
  const value: unknown = JSON.parse(bytes.toString());
  const validate = documented.answer(`${at}/content/application~1json/schema`);
  return validate(value)
    ? null
    : `${status}: ${JSON.stringify(validate.errors)} ${bytes.toString().slice(0, 700)}`;
}

/** `writeHead` with a list of headers leaves nothing for `hasHeader`. */
function isSent(response: ServerResponse, name: string): boolean {
  const head = (response as { readonly _header?: string })._header ?? '';
  return head.toLowerCase().includes(`\r\n${name.toLowerCase()}: `);
}

function queryFault(
  documented: Documented,
  { operation, pointer }: DocumentedRoute,
  url: URL,
): string | null {
  for (const [index, { name, in: where, required }] of (operation.parameters ?? []).entries()) {
    if (where !== 'query') continue;
    // PHP takes the last one.
    const value = url.searchParams.getAll(name).at(-1);
    if (value === undefined) {
      if (required) return `no ${name}`;
      continue;
    }
    // `validate` converts a member of an object.
    const validate = documented.request(`${pointer}/parameters/${index}/schema`);
    if (!validate(fitted(value))) return `${name}=${value}: ${JSON.stringify(validate.errors)}`;
  }
  return null;
}

/** A text of digits may also be meant as a number. */
function fitted(value: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

const formType = 'application/x-www-form-urlencoded';
const multipartType = 'multipart/form-data';

/** What the document does not say of a body that was accepted. */
export async function requestBodyFault(
  documented: Documented,
  route: DocumentedRoute,
  headers: IncomingMessage['headers'],
  sent: Buffer,
): Promise<string | null> {
  const content = route.operation.requestBody?.content;
  if (sent.length === 0 || content === undefined) return null;
  const bytes = decoded(sent, headers['content-encoding']);
  if (bytes === null) return null;
  const type = headers['content-type'] ?? 'application/json';
  const media = (type.split(/[;, ]/, 1)[0] ?? '').toLowerCase();
  // No type at all: the body is not read, and a route that needs nothing of it accepts.
  if (!media.includes('/')) return null;
  if (media === multipartType) {
    const parts = await partsOf(bytes, type);
    return parts === null ? null : formFault(documented, route, media, parts);
  }
  const json = readJson(bytes);
  // curl sends a form's Content-Type with any document.
  const isForm =
    media === formType && json === undefined && /^[\w.%+*-]+(\[|%5B|=(?!=*$))/i.test(bytes.toString());
  if (isForm) return formFault(documented, route, media, [...new URLSearchParams(bytes.toString())]);
  const isJson = isJsonMediaType(media);
  // Where the Content-Type says nothing, JSON may come under any.
  const isAny = content['*/*'] !== undefined;
  const known = [
    ...(isJson || (isAny && json !== undefined) ? ['application/json'] : []),
    ...(media === formType ? [] : [media]),
    '*/*',
  ].filter((each) => content[each] !== undefined);
  if (known.length === 0) return `a body of ${media} is not documented`;
  // Broken JSON, which is read leniently.
  if (json === undefined && isJson) return null;
  const faults = known.map((each) => {
    const value =
      json === undefined ? bytes.toString() : asWordPress(json, route.operation, content[each]?.schema);
    const validate = documented.request(`${route.pointer}/requestBody/content/${escaped(each)}/schema`);
    return validate(value)
      ? null
      : `${JSON.stringify(validate.errors)} ${JSON.stringify(value).slice(0, 700)}`;
  });
  return faults.includes(null) ? null : (faults[0] ?? null);
}

type Part = readonly [name: string, value: string | File];

/** Null for one that only the program can read. */
async function partsOf(bytes: Buffer, type: string): Promise<Part[] | null> {
  const form = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } });
  return form.formData().then(
    (parts) => [...parts],
    () => null,
  );
}

/** Parts of these names are sent to see them ignored. */
const ignored = /^(ignored|_)/;

function formFault(
  documented: Documented,
  { operation, pointer }: DocumentedRoute,
  media: string,
  parts: readonly Part[],
): string | null {
  const described = operation.requestBody?.content[media];
  if (described === undefined) return `a form of ${media} is not documented`;
  const { schema } = described;
  const ofPath = (operation.parameters ?? []).filter((each) => each.in === 'path').map(({ name }) => name);
  const files: Record<string, unknown> = {};
  const fields = new URLSearchParams();
  for (const [name, value] of parts) {
    if (ignored.test(name) || ofPath.includes(name)) continue;
    const isFile = typeof value !== 'string';
    const part = partSchema(schema, name, described.encoding);
    if (part === undefined) return `the part ${name} is not documented`;
    if (isFile ? !takes(part, 'file') : !takes(part, 'text')) {
      return `the part ${name} is documented as another kind than ${isFile ? 'a file' : 'text'}`;
    }
    // A file is a string to JSON Schema.
    if (!isFile) fields.append(name, value);
    else if (part['type'] === 'array') files[name] = [...((files[name] ?? []) as string[]), ''];
    else files[name] = '';
  }
  const texts = toPlain(parseQueryString(fields.toString(), 'form'));
  const value = { ...(asWordPress(texts, operation, schema) as object), ...files };
  const validate = documented.request(`${pointer}/requestBody/content/${escaped(media)}/schema`);
  return validate(value) ? null : `${JSON.stringify(validate.errors)} ${JSON.stringify(value).slice(0, 700)}`;
}

function partSchema(schema: JsonSchema, name: string, encoding: object = {}): JsonSchema | undefined {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const [member = ''] = name.split('[', 1);
  if (Object.hasOwn(properties, name)) return properties[name];
  // PHP also reads a list as `name[]`; what may be anything may be an object.
  const isAny =
    Object.hasOwn(properties, member) && !/"(type|anyOf|enum)"/.test(JSON.stringify(properties[member]));
  if (member !== name && (isAny || Object.hasOwn(encoding, member))) return {};
  const patterns = Object.entries(
    (schema['patternProperties'] ?? {}) as Readonly<Record<string, JsonSchema>>,
  );
  const [, matching] = patterns.find(([pattern]) => new RegExp(pattern).test(name)) ?? [];
  const rest = schema['additionalProperties'];
  return matching ?? (typeof rest === 'object' ? (rest as JsonSchema) : undefined);
}

function takes(schema: JsonSchema, kind: 'file' | 'text'): boolean {
  const variants = schema['anyOf'] as readonly JsonSchema[] | undefined;
  if (variants !== undefined) return variants.some((each) => takes(each, kind));
  if (schema['type'] === 'array' && kind === 'file') return takes(schema['items'] as JsonSchema, kind);
  return (schema['format'] === 'binary') === (kind === 'file');
}

function escaped(media: string): string {
  return media.replaceAll('/', '~1');
}

/** WordPress also takes a list as text with commas, PHP's `false` and `[]` for nothing, and the id of the path. To PHP
 * `{}` is an empty list. */
function asWordPress(sent: unknown, { parameters = [] }: OperationObject, schema: JsonSchema = {}): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const ofPath = new Set(parameters.filter((each) => each.in === 'path').map(({ name }) => name));
  const members = (schema['properties'] ?? {}) as Record<string, unknown>;
  const kept = Object.entries(sent).filter(([name, value]) => {
    const isNothing = value === false || (typeof value === 'object' && value !== null && isEmpty(value));
    return !ofPath.has(name) && !isNothing && !otherForm.test(name);
  });
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const isList = typeof value === 'string' && JSON.stringify(members[name] ?? '').includes('"array"');
      return [name, isList ? value.split(',') : withoutEmptyObjects(value)];
    }),
  );
}

function withoutEmptyObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyObjects);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, each]) => !isEmptyObject(each));
  return Object.fromEntries(members.map(([name, each]) => [name, withoutEmptyObjects(each)]));
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isEmpty(value);
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Null for what only the program can read. */
function decoded(bytes: Buffer, encoding = 'identity'): Buffer | null {
  try {
    return decoders[encoding]?.(bytes) ?? bytes;
  } catch {
    return null;
  }
}

/** Undefined for anything but JSON, which tests of lenient reading send. */
function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as JsonSchema;
  } catch {
    return undefined;
  }
}
