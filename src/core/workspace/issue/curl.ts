// The request of an event as a curl command; every argument is quoted for a shell.
import { type Payload, pairsIn, recordOf, removed, shownValue, textOf } from './payload.ts';

/** Headers that curl sets itself. */
const leftOut = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

/** Null without a URL. Scrubbed values are left out. */
export function curlOf(event: Payload): string | null {
  const request = recordOf(event['request']);
  const address = addressOf(request);
  if (request === null || address === null) return null;
  const method = textOf(request['method']).toUpperCase();
  const hasBody = request['data'] !== undefined && request['data'] !== null;
  const parts = ['curl'];
  if (method !== '' && (method !== 'GET' || hasBody)) parts.push('-X', quoted(method));
  parts.push(quoted(address));
  for (const [name, value] of pairsIn(request['headers'])) {
    const text = shownValue(value);
    if (text === removed || leftOut.has(name.toLowerCase())) continue;
    parts.push('-H', quoted(`${name}: ${text}`));
  }
  if (hasBody && request['data'] !== removed) parts.push('--data-raw', quoted(shownValue(request['data'])));
  return parts.join(' ');
}

export function addressOf(request: Payload | null): string | null {
  const url = textOf(request?.['url']);
  if (url === '') return null;
  const query = queryOf(request?.['query_string']);
  return query === '' || url.includes('?') ? url : `${url}?${query}`;
}

function queryOf(value: unknown): string {
  if (typeof value === 'string') return value.replace(/^\?/, '');
  return pairsIn(value)
    .map(([name, each]) => `${encode(name)}=${encode(shownValue(each))}`)
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
