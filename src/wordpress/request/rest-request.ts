// WP_REST_Request, with parameters in WordPress's precedence (docs/wordpress.md, "Parameters").

import type { IncomingMessage } from 'node:http';
import { type DecodeOptions, decodeJson, jsonDepthMax } from '../php/json-decode.ts';
import { parseQueryString } from '../php/query-string.ts';
import { decodePhpString, phpTrim, toAsciiLowerCase } from '../php/strings.ts';
import { entriesOf, isPhpArray, type PhpValue, toPhpArray } from '../php/values.ts';
import { isJsonMediaType } from '../response/json-media-type.ts';
import { WpError } from '../response/wp-error.ts';
import { type BodyPolicy, type DeferredBody, isBytePolicy } from './body-policy.ts';
import {
  isEmptyBody,
  type ParameterSource,
  type Parameters,
  type ParsedParameters,
  phpArrayMerge,
  type UploadedFile,
} from './parameters.ts';

type ContentType = {
  readonly value: string;
  readonly type: string;
  readonly subtype: string;
  readonly parameters: string;
};

/** Null where WordPress finds no type: absent, empty, `0`, or without a slash. */
export function parseContentType(header: string | null | undefined): ContentType | null {
  if (header === null || header === undefined || header === '' || header === '0') return null;
  const semicolon = header.indexOf(';');
  const value = toAsciiLowerCase(semicolon > 0 ? header.slice(0, semicolon) : header);
  const slash = value.indexOf('/');
  if (slash < 0) return null;
  return {
    value: phpTrim(value),
    type: phpTrim(value.slice(0, slash)),
    subtype: phpTrim(value.slice(slash + 1)),
    parameters: semicolon > 0 ? phpTrim(header.slice(semicolon + 1)) : '',
  };
}

export class RestRequest {
  /** Upper case, after `_method` and X-HTTP-Method-Override. */
  method: string;
  readonly route: string;
  readonly parameters: { [source in ParameterSource]: Parameters };
  /** PHP's `$_FILES`. */
  fileParams: PhpValue = [];
  files: readonly UploadedFile[] = [];
  body: Buffer = noBytes;
  handler: Handler | null = null;
  matchedRoute: string | null = null;
  /** Null for internal requests (`_embed`, batch). */
  readonly incoming: IncomingMessage | null;
  /** Sent with any answer, after the answer's own headers. */
  readonly responseHeaders: Array<readonly [string, string]> = [];
  /** Results by permission callback, so that each runs once per request. */
  readonly permissionVerdicts = new Map<unknown, unknown>();
  /** Output before the body, like PHP's `echo`. */
  printed = '';
  jsonDepth: number | undefined;
  jsonBounds: Pick<DecodeOptions, 'valuesMax' | 'names'> = {};
  /** Set when the body is left to a worker; says how to parse it. */
  workerBody: DeferredBody | null = null;
  /** True when the JSON value holds nothing that only PHP has, so that no conversion is needed. */
  jsonIsPlain = false;
  jsonIsLenient = false;
  /** Paths where invalid UTF-8 in a leniently read JSON body was replaced; see `parseJsonExactly`. */
  replacedAt: readonly string[] = [];
  private jsonAnyway = false;
  private readonly headers: Map<string, string>;
  private jsonScalar: PhpValue = null;
  private jsonIsArray = false;
  private jsonOutcome: true | WpError | null = null;
  private bodyParsed = false;
  private type: ContentType | null | undefined;
  private order: readonly ParameterSource[] | null = null;

  constructor(
    method: string,
    route: string,
    headers: Map<string, string> = new Map(),
    incoming: IncomingMessage | null = null,
  ) {
    this.method = method.toUpperCase();
    this.route = route;
    this.headers = headers;
    this.incoming = incoming;
    this.parameters = {
      JSON: new Map(),
      POST: new Map(),
      GET: new Map(),
      URL: new Map(),
      defaults: new Map(),
    };
  }

  /** Case-insensitive, `-` and `_` alike. */
  header(name: string): string | undefined {
    return this.headers.get(headerKey(name));
  }

  contentType(): ContentType | null {
    if (this.type === undefined) this.type = parseContentType(this.header('content-type'));
    return this.type;
  }

  hasJsonContentType(): boolean {
    return this.jsonAnyway || isJsonMediaType(this.contentType()?.value ?? '');
  }

  setBody(bytes: Buffer, policy: BodyPolicy = 'wordpress'): void {
    this.body = bytes;
    this.jsonAnyway = isBytePolicy(policy);
    this.jsonIsLenient = policy === 'lenient-bytes';
    this.replacedAt = [];
    this.jsonIsPlain = false;
    this.jsonOutcome = null;
    this.order = null;
  }

  /** Sets a body that is not parsed here: `adoptParameters` or the handler takes what a worker made of it. */
  setWorkerBody(bytes: Buffer, deferred: DeferredBody): void {
    this.setBody(bytes, deferred.policy);
    this.workerBody = deferred;
  }

  adoptParameters(read: ParsedParameters): void {
    this.workerBody = null;
    this.order = null;
    this.jsonOutcome = true;
    this.bodyParsed = true;
    this.jsonIsArray = read.json !== null;
    this.jsonScalar = read.scalar;
    this.parameters.JSON = new Map(read.json ?? []);
    this.parameters.POST = new Map(read.form);
    this.fileParams = read.fileParams;
    this.files = read.files;
  }

  jsonKind(): 'array' | 'scalar' | 'none' {
    if (this.jsonOutcome !== true) return 'none';
    return this.jsonIsArray ? 'array' : 'scalar';
  }

  headerEntries(): Array<[string, string]> {
    return [...this.headers];
  }

  /** True, or `rest_invalid_json`. An empty body and `0` are no JSON, as in PHP's `empty()`. */
  parseJson(): true | WpError {
    if (this.jsonOutcome !== null) return this.jsonOutcome;
    if (this.workerBody !== null || !this.hasJsonContentType() || isEmptyBody(this.body)) return true;
    const depthMax = this.jsonDepth ?? jsonDepthMax;
    const options = { ...this.jsonBounds, depthMax, isLenient: this.jsonIsLenient };
    const decoded = decodeJson(this.body, { ...options, keepsObjects: true });
    if (!decoded.ok) {
      this.jsonOutcome = new WpError('rest_invalid_json', 'Invalid JSON body passed.', {
        status: 400,
        json_error_code: decoded.code,
        json_error_message: decoded.message,
      });
      return this.jsonOutcome;
    }
    this.jsonIsPlain = decoded.isPlain;
    this.replacedAt = decoded.replacedAt;
    this.jsonIsArray = isPhpArray(decoded.value);
    if (this.jsonIsArray) this.parameters.JSON = new Map(entriesOf(decoded.value));
    else this.jsonScalar = decoded.value;
    this.jsonOutcome = true;
    return true;
  }

  /** Sources by precedence, strongest first. As in WordPress, this also parses a form body. */
  sources(): readonly ParameterSource[] {
    if (this.order !== null) return this.order;
    const json = this.hasJsonContentType();
    this.parseJson();
    if (this.method !== 'POST' && this.workerBody === null && !isEmptyBody(this.body)) this.parseForm();
    const order: ParameterSource[] = json ? ['JSON'] : [];
    if (bodyMethods.has(this.method)) order.push('POST');
    order.push('GET', 'URL', 'defaults');
    this.order = order;
    return order;
  }

  get(name: string): PhpValue {
    for (const source of this.sources()) {
      const value = this.parameters[source].get(name);
      if (value !== undefined && value !== null) return value;
    }
    return null;
  }

  has(name: string): boolean {
    return this.sources().some((source) => this.parameters[source].has(name));
  }

  isSet(name: string): boolean {
    return this.get(name) !== null;
  }

  /** Replaces the value in each source that has the name, else adds it to the strongest source. */
  set(name: string, value: PhpValue): void {
    const order = this.sources();
    const holding = order.filter((source) => source !== 'defaults' && this.parameters[source].has(name));
    for (const source of holding) this.parameters[source].set(name, value);
    const [strongest] = order;
    if (holding.length === 0 && strongest !== undefined) this.parameters[strongest].set(name, value);
  }

  /** Names are ordered from the weakest source on; the strongest value wins. */
  merged(): Parameters {
    const order = this.sources();
    const isJsonAlone = order.every((source) => source === 'JSON' || this.parameters[source].size === 0);
    if (isJsonAlone && order[0] === 'JSON' && this.jsonIsArray) return new Map(this.parameters.JSON);
    const merged: Parameters = new Map();
    for (const source of order.toReversed()) {
      for (const [name, value] of this.parameters[source]) merged.set(name, value);
      if (source === 'JSON' && !this.jsonIsArray && this.jsonScalar !== null) {
        merged.set('0', this.jsonScalar);
      }
    }
    return merged;
  }

  jsonValue(): PhpValue {
    this.parseJson();
    return this.jsonIsArray ? toPhpArray(this.parameters.JSON) : this.jsonScalar;
  }

  private parseForm(): void {
    if (this.bodyParsed) return;
    this.bodyParsed = true;
    const type = this.contentType();
    if (type !== null && type.value !== 'application/x-www-form-urlencoded') return;
    const parsed = parseQueryString(this.body);
    this.parameters.POST = phpArrayMerge(entriesOf(parsed), this.parameters.POST);
  }
}

const noBytes = Buffer.alloc(0);
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** An error (returned or thrown) or false refuses; anything else accepts. */
type Verdict = unknown;

/** Schema keywords, in the order of the description, and callbacks. */
export type Argument = {
  readonly [keyword: string]: unknown;
  /** Only `true` makes the parameter required; a list names required members, as in draft 4. */
  readonly required?: boolean | readonly string[];
  /** WordPress's validate_callback. */
  readonly validate?: (value: PhpValue, request: RestRequest, name: string) => Verdict;
  /** WordPress's sanitize_callback. Null: none. Absent: `rest_parse_request_arg` where there is a type. */
  readonly sanitize?: ((value: PhpValue, request: RestRequest, name: string) => PhpValue | WpError) | null;
  /** Null and blank text are accepted, whatever the type. */
  readonly nullIsAbsent?: boolean;
};

export type Arguments = { readonly [name: string]: Argument };

export type HandlerDefinition = {
  readonly methods: readonly string[];
  readonly args?: Arguments;
  /** permission_callback. Only exactly true is listed in `Allow`; false and null are `rest_forbidden`. */
  readonly permission?: (request: RestRequest) => unknown;
  /** Replaces the permission check, except for `Allow`. Throws to refuse; may add `responseHeaders`. */
  readonly guard?: (request: RestRequest) => Promise<void>;
  readonly callback: (request: RestRequest) => unknown;
  /** WordPress's validate_callback of the whole route, run before sanitizing. */
  readonly validate?: (request: RestRequest) => Verdict;
  readonly body?: BodyPolicy;
  /** The callback has large bodies read in a worker itself; with `any` small ones too. */
  readonly readsInWorker?: 'large' | 'any' | undefined;
  readonly bodyBytesMax?: number;
  readonly inflatedBytesMax?: number;
  readonly takesBase64?: boolean;
  /** Left out of the index and the site's route list. */
  readonly hidden?: boolean;
};

export type Handler = HandlerDefinition & { readonly args: Arguments };

/** As PHP gets them: of repeated ones the last, but the first Content-Type. Names with `_` are dropped. */
export function readHeaders(incoming: IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>();
  const raw = incoming.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] as string;
    if (name.includes('_')) continue;
    const key = headerKey(name);
    if (key === 'content_type' && headers.has(key)) continue;
    headers.set(key, headerText(raw[index + 1] as string));
  }
  return headers;
}

/** Limits of the cache of header names, which clients choose. */
const keysMax = 500;
const keptCharactersMax = 64;
const keys = new Map<string, string>();

/** Lower case with `_` for `-`, as WordPress stores header names. */
function headerKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = name.toLowerCase().replaceAll('-', '_');
  if (keys.size < keysMax && name.length <= keptCharactersMax) keys.set(name, key);
  return key;
}

/** Node decodes header values as Latin-1; this reads their bytes as UTF-8. */
export function headerText(value: string): string {
  return /^[\x00-\x7f]*$/.test(value) ? value.trim() : decodePhpString(Buffer.from(value.trim(), 'latin1'));
}
