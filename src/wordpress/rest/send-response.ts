// Builds the HTTP answer: WordPress's headers in WordPress's order, the body as PHP encodes it.
import type { IncomingMessage } from 'node:http';
import { PhpHeaders } from '../php/headers.ts';
import { type Encoded, encodeJson, encodeJsonInSlices } from '../php/json-encode.ts';
import { ParameterTypeError, toParameterError } from '../request/parameter-error.ts';
import { headerText, type RestRequest } from '../request/rest-request.ts';
import { RestResponse } from '../response/rest-response.ts';
import { type DieArguments, setNoCache, wpDie } from '../response/wp-die.ts';
import { toErrorBody, toErrorResponse, WpError } from '../response/wp-error.ts';
import { sanitizeUrl } from '../schema/sanitize-url.ts';
import type { Dispatcher } from './dispatch.ts';
import { dataWithLinks, envelopeOf, parseEmbed } from './links.ts';
import type { RestServerOptions } from './options.ts';
import { type Exchange, writeResponse } from './write-response.ts';

export class PendingResponse {
  readonly exchange: Exchange;
  readonly headers: PhpHeaders;
  /** Name of the JSONP callback, if one was requested and is allowed. */
  jsonp: string | null;
  overridden = false;
  noCache = false;
  private hasCorsLists = false;

  constructor(exchange: Exchange, headers: PhpHeaders, jsonp: string | null) {
    this.exchange = exchange;
    this.headers = headers;
    this.jsonp = jsonp;
  }

  withoutJsonp(): void {
    this.jsonp = null;
    this.headers.set('Content-Type', 'application/json; charset=UTF-8');
  }

  /** Adds the CORS lists once, however often it is called. */
  sendCorsLists(): void {
    if (this.hasCorsLists) return;
    this.hasCorsLists = true;
    const { exposed, allowed } = corsListsOf(this.exchange.options);
    this.headers.add('Access-Control-Expose-Headers', exposed);
    this.headers.add('Access-Control-Allow-Headers', allowed);
  }
}

const wordpressExposed = ['X-WP-Total', 'X-WP-TotalPages', 'Link'];
const wordpressAllowed = [
  'Authorization',
  'X-WP-Nonce',
  'Content-Disposition',
  'Content-MD5',
  'Content-Type',
];

type CorsLists = { readonly exposed: string; readonly allowed: string };

const corsLists = new WeakMap<RestServerOptions, CorsLists>();

function corsListsOf(options: RestServerOptions): CorsLists {
  const known = corsLists.get(options);
  if (known !== undefined) return known;
  const { exposedHeaders = [], allowedHeaders = [] } = options;
  const lists = {
    exposed: [...wordpressExposed, ...exposedHeaders].join(', '),
    allowed: [...wordpressAllowed, ...allowedHeaders].join(', '),
  };
  corsLists.set(options, lists);
  return lists;
}

/** Starts an answer. An invalid JSONP callback name is answered at once, with null returned. */
export function beginResponse(exchange: Exchange): PendingResponse | null {
  const callback = exchange.query.get('_jsonp');
  const isJsonp = callback !== undefined && callback !== null && callback !== '' && callback !== '0';
  const type = isJsonp ? 'application/javascript' : 'application/json';
  const headers = new PhpHeaders([
    ['Content-Type', `${type}; charset=UTF-8`],
    ['X-Robots-Tag', 'noindex'],
    ['Link', `<${exchange.apiRoot}>; rel="https://api.w.org/"`],
    ['X-Content-Type-Options', 'nosniff'],
  ]);
  if (!isJsonp) return new PendingResponse(exchange, headers, null);
  if (isJsonpCallback(callback)) return new PendingResponse(exchange, headers, callback);
  writeResponse(
    exchange,
    400,
    headers,
    '{"code":"rest_callback_invalid","message":"Invalid JSONP callback function."}',
  );
  return null;
}

export async function sendResponse(
  server: Dispatcher,
  answer: PendingResponse,
  request: RestRequest,
  finished: RestResponse,
): Promise<void> {
  const { exchange, headers } = answer;
  const embed = parseEmbed(exchange.query.get('_embed'));
  const response = exchange.query.has('_envelope')
    ? new RestResponse(await envelopeOf(server, finished, embed))
    : finished;
  for (const [name, value] of response.headers) headers.set(name, String(value));
  const cacheable = !answer.noCache && !isSignedIn(exchange) && !sendsNoCache(exchange);
  if (!cacheable || (answer.overridden && String(response.status).startsWith('4'))) setNoCache(headers);
  sendCors(exchange, headers);
  if (request.method === 'HEAD') return writeResponse(exchange, response.status, headers, '');
  if (response.raw !== null) {
    headers.set('Content-Type', response.raw.contentType);
    return writeResponse(exchange, response.status, headers, response.raw.bytes);
  }
  const data = await dataWithLinks(server, response, embed);
  if (response.status === 204 || data === null) {
    return writeResponse(exchange, response.status, headers, request.printed);
  }
  const pretty = request.has('_pretty');
  const { status, text } = textOf(await encodeJsonInSlices(data, { pretty }), pretty, response.status);
  const body = answer.jsonp === null ? text : `/**/${answer.jsonp}(${text})`;
  writeResponse(exchange, status, headers, request.printed + body);
}

/** A Halt carries its own answer; anything else is a fault (500). */
export function sendThrown(answer: PendingResponse, thrown: unknown): void {
  if (thrown instanceof ParameterTypeError && answer.exchange.options.faults !== 'die') {
    answerRefusal(answer, toParameterError(thrown));
    return;
  }
  if (!(thrown instanceof Halt)) {
    answerThrown(answer, thrown);
    return;
  }
  const { exchange, headers } = answer;
  if (thrown.dieArgs === null) {
    if (thrown.contentType !== null) headers.set('Content-Type', thrown.contentType);
    writeResponse(exchange, thrown.status, headers, thrown.body);
    return;
  }
  const body = wpDie(thrown.dieArgs, readerOf(exchange, answer.jsonp), headers, exchange.options.diePage);
  writeResponse(exchange, thrown.status, headers, body);
}

function answerThrown(answer: PendingResponse, thrown: unknown): void {
  const { exchange } = answer;
  const { options, incoming, outgoing } = exchange;
  if (incoming.destroyed && !incoming.complete) {
    outgoing.destroy();
    return;
  }
  options.onFault?.(thrown, incoming);
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const message = options.faultMessage ?? 'There has been a critical error on this website.';
  const dieArgs: DieArguments = { code: 'internal_server_error', message, status: 500 };
  if (options.faults !== 'die') {
    answerRefusal(answer, new WpError(dieArgs.code, message, { status: 500 }));
    return;
  }
  const body = wpDie(dieArgs, readerOf(exchange, answer.jsonp), answer.headers, options.diePage);
  writeResponse(exchange, 500, answer.headers, body);
}

export function sendError(exchange: Exchange, error: WpError): void {
  const answer = beginResponse(exchange);
  if (answer !== null) answerRefusal(answer, error);
}

function answerRefusal(answer: PendingResponse, error: WpError): void {
  const { exchange, headers, jsonp } = answer;
  const { data, status } = toErrorResponse(error);
  answer.sendCorsLists();
  if (sendsNoCache(exchange)) setNoCache(headers);
  sendCors(exchange, headers);
  const { text } = textOf(encodeJson(data), false, status);
  writeResponse(exchange, status, headers, jsonp === null ? text : `/**/${jsonp}(${text})`);
}

/** wp_die for addresses at which WordPress stops before the REST API. */
export function sendWpDie(exchange: Exchange, kind: 'badType' | 'mismatch'): void {
  const headers = new PhpHeaders();
  const dieArgs: DieArguments =
    kind === 'badType'
      ? { code: 'rest_path_invalid_type', message: 'The REST route parameter must be a string.', status: 400 }
      : {
          code: 'wp_die',
          message: 'A variable mismatch has been detected.',
          title: 'Sorry, you are not allowed to view this item.',
          status: 400,
        };
  const body = wpDie(dieArgs, readerOf(exchange, null), headers, exchange.options.diePage);
  writeResponse(exchange, 400, headers, body);
}

function readerOf(exchange: Exchange, jsonp: string | null) {
  const { accept, 'content-type': contentType } = exchange.incoming.headers;
  return { accept, contentType, jsonp };
}

/** WordPress's URL sanitizing makes an empty string of these (`file://`, `chrome-extension://…`). */
const appOrigin = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[\w.:[\]-]*$/i;

function sendCors(exchange: Exchange, headers: PhpHeaders): void {
  const { options, incoming } = exchange;
  const origin = lastOrigin(incoming);
  if (origin !== '' && origin !== '0') {
    const isAsSent = origin === 'null' || (options.appOrigins === true && appOrigin.test(origin));
    headers.set('Access-Control-Allow-Origin', isAsSent ? origin : sanitizeUrl(origin));
    headers.set('Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
    if (options.allowCredentials !== false) headers.set('Access-Control-Allow-Credentials', 'true');
    headers.add('Vary', 'Origin');
  } else if (incoming.method === 'GET' && !isSignedIn(exchange)) {
    headers.add('Vary', 'Origin');
  }
}

/** PHP gets the last of repeated Origin headers; Node's `headers` has the first. */
function lastOrigin({ rawHeaders }: IncomingMessage): string {
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 6 && name.toLowerCase() === 'origin') return headerText(rawHeaders[index + 1] ?? '');
  }
  return '';
}

function isSignedIn(exchange: Exchange): boolean {
  return exchange.options.signedIn?.(exchange.incoming) === true;
}

function sendsNoCache({ options, incoming }: Exchange): boolean {
  return options.sendsNoCache?.(incoming) === true;
}

type Text = { readonly status: number; readonly text: string };

function textOf(encoded: Encoded, pretty: boolean, status: number): Text {
  if (encoded.ok) return { status, text: encoded.text };
  const error = toErrorBody(new WpError('rest_encode_error', encoded.message, { status: 500 }));
  const encodedError = encodeJson(error, { pretty });
  return { status: 500, text: encodedError.ok ? encodedError.text : '' };
}

/** Only ASCII letters, digits, `_` and `.`. */
export function isJsonpCallback(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z0-9_.]*$/.test(name);
}

/** Thrown by a handler. `die` is wp_die; `with` sends a body without `Allow`, CORS and the like. */
export class Halt {
  readonly dieArgs: DieArguments | null;
  readonly status: number;
  readonly body: string;
  readonly contentType: string | null;

  private constructor(
    dieArgs: DieArguments | null,
    status: number,
    body: string,
    contentType: string | null,
  ) {
    this.dieArgs = dieArgs;
    this.status = status;
    this.body = body;
    this.contentType = contentType;
  }

  static die(dieArgs: DieArguments): Halt {
    return new Halt(dieArgs, dieArgs.status, '', null);
  }

  static with(status: number, body: string, contentType: string | null = null): Halt {
    return new Halt(null, status, body, contentType);
  }
}
