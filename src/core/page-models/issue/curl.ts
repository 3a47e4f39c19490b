import {
  displayValue,
  type EventPayload,
  filteredText,
  objectOrNull,
  scalarText,
  toPairs,
} from './parse-event.ts';

/** Headers that curl sets itself. */
const omittedHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'transfer-encoding',
]);

/** The event's request, arguments quoted for a shell. Null without a URL. Scrubbed values are left out. */
export function buildCurlCommand(event: EventPayload): string | null {
  const request = objectOrNull(event['request']);
  const address = requestUrl(request);
  if (request === null || address === null) return null;
  const method = scalarText(request['method']).toUpperCase();
  const hasBody = request['data'] !== undefined && request['data'] !== null;
  const args = ['curl'];
  if (method !== '' && (method !== 'GET' || hasBody)) args.push('-X', quoteForShell(method));
  args.push(quoteForShell(address));
  for (const [name, value] of toPairs(request['headers'])) {
    const text = displayValue(value);
    if (text === filteredText || omittedHeaders.has(name.toLowerCase())) continue;
    args.push('-H', quoteForShell(`${name}: ${text}`));
  }
  if (hasBody && request['data'] !== filteredText)
    args.push('--data-raw', quoteForShell(displayValue(request['data'])));
  return args.join(' ');
}

export function requestUrl(request: EventPayload | null): string | null {
  const url = scalarText(request?.['url']);
  if (url === '') return null;
  const query = queryOf(request?.['query_string']);
  return query === '' || url.includes('?') ? url : `${url}?${query}`;
}

function queryOf(value: unknown): string {
  if (typeof value === 'string') return value.replace(/^\?/, '');
  return toPairs(value)
    .map(([name, each]) => `${encode(name)}=${encode(displayValue(each))}`)
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
