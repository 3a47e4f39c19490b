// A request as a route's functions see it: method, route, headers, and the parameters of every source in
// WordPress's precedence (docs/wordpress.md, "Parameters"). Reading bytes from the network is read-body.ts.

import type { IncomingMessage } from 'node:http';
import { type DecodeOptions, decodeJson, jsonDepthMax } from '../php/json-decode.ts';
import { parseQueryString } from '../php/query-string.ts';
import { lowerAscii, trimBlanks } from '../php/text.ts';
import { entriesOf, isPhpArray, mapFrom, type PhpValue } from '../php/values.ts';
import { WpError } from '../response/wp-error.ts';
import { type BodyPolicy, isOfBytes, type SetAside } from './body-policy.ts';
import {
  isEmptyBody,
  type Parameters,
  phpMerge,
  type ReadParameters,
  type Source,
  toParameters,
  type UploadedFile,
} from './parameters.ts';
import { headerKey } from './request-headers.ts';

/** A Content-Type taken apart, each part trimmed; `value`, `type` and `subtype` in lower case. */
type ContentType = {
  readonly value: string;
  readonly type: string;
  readonly subtype: string;
  readonly parameters: string;
};

/**
 * The parts of a Content-Type header, or null where WordPress sees none: absent, empty, `0`, or without a
 * slash. Parameters are what follows the first `;`, unless that comes first.
 */
export function parseContentType(header: string | null | undefined): ContentType | null {
  if (header === null || header === undefined || header === '' || header === '0') return null;
  const semicolon = header.indexOf(';');
  const value = lowerAscii(semicolon > 0 ? header.slice(0, semicolon) : header);
  const slash = value.indexOf('/');
  if (slash < 0) return null;
  return {
    value: trimBlanks(value),
    type: trimBlanks(value.slice(0, slash)),
    subtype: trimBlanks(value.slice(slash + 1)),
    parameters: semicolon > 0 ? trimBlanks(header.slice(semicolon + 1)) : '',
  };
}

/**
 * Whether a body of this type is read as JSON: `application/json`, `…+json`, `json+oembed`, or a list with
 * one.
 */
export function isJsonContentType(contentType: ContentType | null): boolean {
  return contentType !== null && jsonMediaType.test(contentType.value);
}

// The range from & to ^ is WordPress's own; it takes in digits, capitals and most punctuation. The blanks are
// PCRE's.
const jsonMediaType =
  /(?:^|[ \t\n\v\f\r]|,)application\/(?:[A-Za-z0-9_!#$&-^.+]+\+)?json(?:\+oembed)?(?:$|[ \t\n\v\f\r]|;|,)/i;

export class RestRequest {
  /** In capitals, after `_method` and X-HTTP-Method-Override. */
  method: string;
  /** The route string, e.g. `/notifier/v1/store`. */
  readonly route: string;
  readonly parameters: { [source in Source]: Parameters };
  /** `$_FILES` as PHP would fill it. */
  fileParams: PhpValue = [];
  files: readonly UploadedFile[] = [];
  body: Buffer = noBytes;
  /** Set while the request is being answered: the handler whose arguments hold. */
  handler: Handler | null = null;
  /** The pattern that matched. */
  matchedRoute: string | null = null;
  /** The HTTP request itself; null for requests made inside (links followed, batches). */
  readonly incoming: IncomingMessage | null;
  /** Headers to be sent with whatever answer comes, after the answer's own. */
  readonly responseHeaders: Array<readonly [string, string]> = [];
  /** What each permission said, so that it is asked once. */
  readonly permissionVerdicts = new Map<unknown, unknown>();
  /** Text that comes out before the body, as what PHP echoes does. */
  printed = '';
  jsonDepth: number | undefined;
  /** What is made of a JSON body that holds too many values. */
  jsonBounds: Pick<DecodeOptions, 'valuesMax' | 'names'> = {};
  /** How the body is to be read that is too much to be read here; null for any other. */
  setAside: SetAside | null = null;
  /** Whether the values of the JSON body are JavaScript's own, with nothing in them that only PHP has. */
  jsonIsPlain = false;
  /** Whether broken text of the JSON body is replaced in place of being refused. */
  jsonIsLenient = false;
  /** Where broken text of a JSON body that is read leniently was replaced; see `parseJsonExactly`. */
  replacedAt: readonly string[] = [];
  private jsonAnyway = false;
  private readonly headers: Map<string, string>;
  private jsonScalar: PhpValue = null;
  private jsonIsArray = false;
  private jsonOutcome: true | WpError | null = null;
  private bodyParsed = false;
  private type: ContentType | null | undefined;
  private order: readonly Source[] | null = null;

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

  /** The value of a header by any case, `-` and `_` alike; undefined when absent. */
  header(name: string): string | undefined {
    return this.headers.get(headerKey(name));
  }

  /** The Content-Type taken apart, or null where there is none that WordPress could read. */
  contentType(): ContentType | null {
    if (this.type === undefined) this.type = parseContentType(this.header('content-type'));
    return this.type;
  }

  hasJsonContentType(): boolean {
    return this.jsonAnyway || isJsonContentType(this.contentType());
  }

  /** Gives the request its body, to be read by that policy. */
  setBody(bytes: Buffer, policy: BodyPolicy = 'wordpress'): void {
    this.body = bytes;
    this.jsonAnyway = isOfBytes(policy);
    this.jsonIsLenient = policy === 'lenient-bytes';
    this.replacedAt = [];
    this.jsonIsPlain = false;
    this.jsonOutcome = null;
    this.order = null;
  }

  /**
   * Gives the request a body that nothing is read of before `adoptParameters`, or by whoever reads the bytes
   * itself.
   */
  setBodyAside(bytes: Buffer, how: SetAside): void {
    this.setBody(bytes, how.policy);
    this.setAside = how;
  }

  /** Takes what was read of the body elsewhere. */
  adoptParameters(read: ReadParameters): void {
    this.setAside = null;
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

  /** What the JSON body is once it was read. */
  jsonKind(): 'array' | 'scalar' | 'none' {
    if (this.jsonOutcome !== true) return 'none';
    return this.jsonIsArray ? 'array' : 'scalar';
  }

  /** The headers by their names in lower case with `_` for `-`. */
  headerEntries(): Array<[string, string]> {
    return [...this.headers];
  }

  /**
   * Reads a JSON body once: true, or the error `rest_invalid_json`. A body that is empty or `0` is no JSON.
   */
  parseJson(): true | WpError {
    if (this.jsonOutcome !== null) return this.jsonOutcome;
    if (this.setAside !== null || !this.hasJsonContentType() || isEmptyBody(this.body)) return true;
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
    if (this.jsonIsArray) this.parameters.JSON = toParameters(decoded.value);
    else this.jsonScalar = decoded.value;
    this.jsonOutcome = true;
    return true;
  }

  /** The sources in order of strength; asking also reads the body's form, as in WordPress. */
  sources(): readonly Source[] {
    if (this.order !== null) return this.order;
    const json = this.hasJsonContentType();
    this.parseJson();
    if (this.method !== 'POST' && this.setAside === null && !isEmptyBody(this.body)) this.parseForm();
    const order: Source[] = json ? ['JSON'] : [];
    if (bodyMethods.has(this.method)) order.push('POST');
    order.push('GET', 'URL', 'defaults');
    this.order = order;
    return order;
  }

  /** The strongest value that is there and not null; null when there is none. */
  get(name: string): PhpValue {
    for (const source of this.sources()) {
      const value = this.parameters[source].get(name);
      if (value !== undefined && value !== null) return value;
    }
    return null;
  }

  /** Whether any source names the parameter, null included. */
  has(name: string): boolean {
    return this.sources().some((source) => this.parameters[source].has(name));
  }

  /** Whether any source has a value for the parameter that is not null. */
  isSet(name: string): boolean {
    return this.get(name) !== null;
  }

  /** Sets the strongest value there is of that name, or adds one to the strongest source. */
  set(name: string, value: PhpValue): void {
    const order = this.sources();
    const holding = order.filter((source) => source !== 'defaults' && this.parameters[source].has(name));
    for (const source of holding) this.parameters[source].set(name, value);
    const [strongest] = order;
    if (holding.length === 0 && strongest !== undefined) this.parameters[strongest].set(name, value);
  }

  /**
   * All parameters merged: a name keeps the place where it first appeared, the value is the strongest
   * source's.
   */
  merged(): Parameters {
    const order = this.sources();
    // Most events are members of a JSON body and nothing else.
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

  /** The JSON body's value as it stands after checking; null where there was none. */
  jsonValue(): PhpValue {
    this.parseJson();
    return this.jsonIsArray ? mapFrom(this.parameters.JSON) : this.jsonScalar;
  }

  /** A form in the body of a method for which PHP itself does not read one. */
  private parseForm(): void {
    if (this.bodyParsed) return;
    this.bodyParsed = true;
    const type = this.contentType();
    if (type !== null && type.value !== 'application/x-www-form-urlencoded') return;
    const parsed = parseQueryString(this.body);
    this.parameters.POST = phpMerge(entriesOf(parsed), this.parameters.POST);
  }
}

const noBytes = Buffer.alloc(0);
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** A function that may refuse: an error (or a thrown one), false, or anything else for yes. */
type Verdict = unknown;

/**
 * One argument of a route: the keywords of its schema in the order they are to be shown, and how it is
 * checked.
 */
export type Argument = {
  readonly [keyword: string]: unknown;
  /** Only true makes the parameter required; a list names required members, as draft 4 has it. */
  readonly required?: boolean | readonly string[];
  /** WordPress's validate_callback: false, an error, or anything else for yes. */
  readonly validate?: (value: PhpValue, request: RestRequest, name: string) => Verdict;
  /** WordPress's sanitize_callback; null means none, absent means the schema check where there is a type. */
  readonly sanitize?: ((value: PhpValue, request: RestRequest, name: string) => PhpValue | WpError) | null;
};

export type Arguments = { readonly [name: string]: Argument };

export type HandlerDefinition = {
  /** Capitals, in the order they are to be listed. */
  readonly methods: readonly string[];
  readonly args?: Arguments;
  /** true: allowed, in `Allow`. false, null: WordPress's own refusal. An error: that one. Else: allowed. */
  readonly permission?: (request: RestRequest) => unknown;
  /**
   * Asked in place of the permission, which then is for `Allow` alone: may refuse by throwing, may add
   * `responseHeaders`.
   */
  readonly guard?: (request: RestRequest) => Promise<void>;
  readonly callback: (request: RestRequest) => unknown;
  /** WordPress's validate_callback of the whole route, before sanitizing. */
  readonly validate?: (request: RestRequest) => Verdict;
  readonly body?: BodyPolicy;
  /**
   * The callback itself reads a body that was set aside, and checks it: nothing of it is read before. `any`:
   * one that is not too much to be read here may be set aside as well.
   */
  readonly readsAside?: 'heavy' | 'any' | undefined;
  /** Bytes of the body as sent; the server's own limit where none is given. */
  readonly bodyBytesMax?: number;
  /** Bytes of the body once inflated, for a reader that inflates. */
  readonly inflatedBytesMax?: number;
  /** Whether the body may be base64 of JSON, for a reader that decodes it. */
  readonly takesBase64?: boolean;
  /** Runs, but is described nowhere. */
  readonly hidden?: boolean;
};

export type Handler = HandlerDefinition & { readonly args: Arguments };
