// What the rules of WordPress's answers make of a request: bodies of refusals, and the headers of each kind
// of answer in their order (docs/wordpress.md, "Headers"). No requests here.

export type Header = readonly [string, string];

/** A request and what must come back, byte for byte where `body` is a text. */
export interface Row {
  readonly name: string;
  readonly method: string;
  /** The whole target of the request line. */
  readonly path: string;
  readonly headers?: readonly Header[];
  readonly sent?: string;
  readonly status: number;
  /** The body, or what is wrong with it (null when nothing is). */
  readonly body: string | ((body: string) => string | null);
  readonly allow?: string;
  /** Headers of the route's own. */
  readonly own?: readonly Header[];
  /** `Link` when it is not the API's. */
  readonly link?: string;
  readonly type?: string;
  /** An answer that is made before anything else, with the first four headers alone. */
  readonly isBare?: boolean;
  readonly noCache?: boolean;
}

const exposed =
  'X-WP-Total, X-WP-TotalPages, Link, Retry-After, RateLimit, RateLimit-Policy, X-Sentry-Rate-Limits';
const allowed =
  'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, X-Notifier-Key, X-Notifier-Explain, X-Sentry-Auth, Content-Encoding, Baggage, Sentry-Trace, Traceparent, Tracestate';

/** The headers of the answer to a row, in order. `apiRoot` is the public address of `/wp-json/`. */
export function headersOf(row: Row, apiRoot: string): Header[] {
  const apiLink: Header = ['Link', `<${apiRoot}>; rel="https://api.w.org/"`];
  const first: Header[] = [
    ['Content-Type', row.type ?? 'application/json; charset=UTF-8'],
    ['X-Robots-Tag', 'noindex'],
    ...(row.link === undefined ? [apiLink] : []),
    ['X-Content-Type-Options', 'nosniff'],
  ];
  const last: Header[] = [
    ...(row.method === 'OPTIONS' ? [['Access-Control-Max-Age', '600'] as const] : []),
    ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ];
  if (row.isBare === true) return [...first, ...last];
  return [
    ...first,
    ['Access-Control-Expose-Headers', exposed],
    ['Access-Control-Allow-Headers', allowed],
    ...(row.own ?? []),
    ...(row.link === undefined ? [] : [['Link', row.link] as const]),
    ...(row.allow === undefined ? [] : [['Allow', row.allow] as const]),
    ...(row.noCache === true || isReadWithBearer(row) ? noCacheHeaders : []),
    ...crossOrigin(row),
    ...last,
  ];
}

const noCacheHeaders: readonly Header[] = [
  ['Expires', 'Wed, 11 Jan 1984 05:00:00 GMT'],
  ['Cache-Control', 'no-cache, must-revalidate, max-age=0, no-store, private'],
];

/** What the secret reads, no cache on the way keeps. */
function isReadWithBearer({ method, headers = [] }: Row): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && headers.some(([name, value]) => name === 'Authorization' && value.startsWith('Bearer '));
}

function crossOrigin(row: Row): Header[] {
  const origin = row.headers?.find(([name]) => name === 'Origin')?.[1] ?? '';
  if (origin === '' || origin === '0') return row.method === 'GET' ? [['Vary', 'Origin']] : [];
  return [
    ['Access-Control-Allow-Origin', shownOrigins[origin] ?? origin],
    ['Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE'],
    ['Vary', 'Origin'],
  ];
}

/** Origins that go through the cleaning of addresses. */
const shownOrigins: Readonly<Record<string, string>> = {
  'shop.example': 'http://shop.example',
};

/** An error's body. `data` is written after the status, as JSON. */
export function errorBody(code: string, message: string, status: number, data = ''): string {
  const members = `{"status":${status}${data === '' ? '' : `,${data}`}}`;
  return `{"code":"${code}","message":"${message}","data":${members}}`;
}

export const refused = errorBody('rest_forbidden', 'Sorry, you are not allowed to do that.', 401);
export const noRoute = errorBody(
  'rest_no_route',
  'No route was found matching the URL and request method.',
  404,
);

export function missing(...names: string[]): string {
  const message = `Missing parameter(s): ${names.join(', ')}`;
  return errorBody('rest_missing_callback_param', message, 400, `"params":${JSON.stringify(names)}`);
}

/** A sentence about one parameter: its code, the sentence, and `data` in `details` as JSON. */
export type Complaint = readonly [name: string, code: string, sentence: string, data?: string];

export function invalid(...complaints: Complaint[]): string {
  const names = complaints.map(([name]) => name).join(', ');
  const params = complaints.map(([name, , sentence]) => `"${name}":"${escaped(sentence)}"`).join(',');
  const details = complaints
    .map(([name, code, sentence, data = 'null']) => {
      return `"${name}":{"code":"${code}","message":"${escaped(sentence)}","data":${data}}`;
    })
    .join(',');
  const data = `"params":{${params}},"details":{${details}}`;
  return errorBody('rest_invalid_param', `Invalid parameter(s): ${names}`, 400, data);
}

export function wrongType(name: string, types: string, parent = name): Complaint {
  return [parent, 'rest_invalid_type', `${name} is not of type ${types}.`, `{"param":"${name}"}`];
}

export function badJson(code: number, message: string): string {
  const data = `"json_error_code":${code},"json_error_message":"${message}"`;
  return errorBody('rest_invalid_json', 'Invalid JSON body passed.', 400, data);
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('/', '\\/').replaceAll('"', '\\"');
}
