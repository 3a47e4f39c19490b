// Who and what asked: `user` and `request` of an event, read as docs/events.md, "Fields" says. Nothing is
// dropped for privacy here: core/scrub does that.
import { isIP } from 'node:net';
import type { EventError } from '../../../schemas/event.ts';
import { boundedJson, largeBag, mediumBag, notedBag } from '../reading/bounded-json.ts';
import { cutBytes, cutText, isLongerThan } from '../reading/cut-text.ts';
import {
  absent,
  emptyRecord,
  isRecord,
  type JsonRecord,
  lenientString,
  note,
  own,
  readText,
} from '../reading/lenient.ts';
import { keepUnknown, pairsOf } from './fields.ts';

/** A URL may be this long before it is cut to 256: an allowance that spares most of them. */
const urlCharsAllowed = 296;
const urlCharsMax = 256;
const headersMax = 200;

const userTexts: ReadonlyArray<readonly [string, number]> = [
  ['id', 128],
  ['username', 128],
  ['email', 75],
  ['name', 128],
];
const geoTexts = ['city', 'country_code', 'region', 'subdivision'];
const userFields = new Set(['id', 'username', 'email', 'name', 'ip_address', 'geo', 'data']);

/** `user`: id and username as lenient strings, an address that is none set aside, `{{auto}}` kept for scrubbing to answer. */
export function readUser(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  if (absent(value)) return undefined;
  if (!isRecord(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const user = emptyRecord();
  for (const [field, charsMax] of userTexts) {
    const lenient = field === 'id' || field === 'username';
    const text = readText(own(value, field), `${name}.${field}`, errors, { charsMax, over: 'cut', lenient });
    if (text !== undefined) user[field] = text;
  }
  const address = own(value, 'ip_address');
  if (typeof address === 'string' && (address.trim() === '{{auto}}' || isIP(address.trim()) !== 0)) {
    user['ip_address'] = address.trim();
  } else if (!absent(address)) note(errors, 'invalid_data', `${name}.ip_address`);
  addGeo(user, own(value, 'geo'), `${name}.geo`, errors);
  const data = own(value, 'data');
  if (isRecord(data)) user['data'] = notedBag(data, mediumBag, `${name}.data`, errors);
  else if (!absent(data)) note(errors, 'invalid_data', `${name}.data`, data);
  keepUnknown(user, value, userFields, mediumBag, name, errors);
  return Object.keys(user).length === 0 ? undefined : user;
}

function addGeo(user: JsonRecord, value: unknown, name: string, errors: EventError[]): void {
  if (absent(value)) return;
  if (!isRecord(value)) {
    note(errors, 'invalid_data', name, value);
    return;
  }
  const geo = emptyRecord();
  for (const field of geoTexts) {
    const text = readText(own(value, field), `${name}.${field}`, errors, { charsMax: 100, over: 'cut' });
    if (text !== undefined) geo[field] = text;
  }
  if (Object.keys(geo).length > 0) user['geo'] = geo;
}

const requestFields = new Set([
  'url',
  'method',
  'data',
  'query_string',
  'cookies',
  'headers',
  'env',
  'fragment',
  'api_target',
]);

/** `request`, each part in any of its forms: pairs for the query, objects for headers, cookies and environment. */
export function readRequest(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  if (absent(value)) return undefined;
  if (!isRecord(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const request = emptyRecord();
  addUrl(request, own(value, 'url'), `${name}.url`, errors);
  for (const [field, charsMax] of [
    ['method', 128],
    ['fragment', 1024],
    ['api_target', 128],
  ] as const) {
    const text = readText(own(value, field), `${name}.${field}`, errors, { charsMax, over: 'cut' });
    if (text !== undefined) request[field] = text;
  }
  const data = own(value, 'data');
  if (!absent(data)) {
    request['data'] = notedBag(data, largeBag, `${name}.data`, errors);
  }
  addPairs(request, 'query_string', value, name, errors);
  addNamed(request, 'cookies', value, name, errors);
  addNamed(request, 'headers', value, name, errors);
  addNamed(request, 'env', value, name, errors);
  keepUnknown(request, value, requestFields, mediumBag, name, errors);
  return Object.keys(request).length === 0 ? undefined : request;
}

function addUrl(request: JsonRecord, value: unknown, name: string, errors: EventError[]): void {
  const url = readText(value, name, errors, { charsMax: Number.MAX_SAFE_INTEGER, over: 'cut' });
  if (url === undefined) return;
  const isTooLong = isLongerThan(url, urlCharsAllowed);
  if (isTooLong) note(errors, 'value_too_long', name);
  request['url'] = isTooLong ? cutText(url, urlCharsMax) : url;
}

/** Text stays text; an object or pairs become pairs, in which a name may come twice. */
function addPairs(
  request: JsonRecord,
  field: string,
  source: JsonRecord,
  name: string,
  errors: EventError[],
): void {
  const pairs = textOrPairs(request, field, own(source, field), `${name}.${field}`, errors);
  if (pairs === null) return;
  const kept = pairs
    .slice(0, headersMax)
    .map(([key, text]) => [lenientString(key) ?? '', textOf(text)])
    .filter(([key]) => key !== '');
  if (pairs.length > headersMax) note(errors, 'value_too_long', `${name}.${field}`);
  if (kept.length > 0) request[field] = notedBag(kept, largeBag, `${name}.${field}`, errors);
}

/** Text stays text; an object or pairs become an object, list values and repeated names joined with ",". */
function addNamed(
  request: JsonRecord,
  field: string,
  source: JsonRecord,
  name: string,
  errors: EventError[],
): void {
  const pairs = textOrPairs(request, field, own(source, field), `${name}.${field}`, errors);
  if (pairs === null) return;
  const named = new Map<string, string>();
  for (const [rawKey, raw] of pairs.slice(0, headersMax)) {
    const key = lenientString(rawKey) ?? '';
    if (key === '' || absent(raw)) continue;
    const before = named.get(key);
    named.set(
      key,
      before === undefined ? textOf(raw) : cutBytes(`${before},${textOf(raw)}`, largeBag.bytesMax),
    );
  }
  const record = emptyRecord();
  for (const [key, text] of named) record[key] = text;
  if (pairs.length > headersMax) note(errors, 'value_too_long', `${name}.${field}`);
  if (named.size > 0) request[field] = notedBag(record, largeBag, `${name}.${field}`, errors);
}

/** Puts a text in its place by itself; answers the pairs of anything else, or null where there is nothing more to read. */
function textOrPairs(
  request: JsonRecord,
  field: string,
  value: unknown,
  place: string,
  errors: EventError[],
): ReturnType<typeof pairsOf> {
  if (absent(value) || value === '') return null;
  if (typeof value === 'string') {
    const text = readText(value, place, errors, { charsMax: largeBag.bytesMax, over: 'cut' });
    if (text !== undefined) request[field] = text;
    return null;
  }
  const pairs = pairsOf(value);
  if (pairs === null) note(errors, 'invalid_data', place, value);
  return pairs;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    return cutBytes(
      value
        .slice(0, headersMax)
        .map((entry) => lenientString(entry) ?? '')
        .join(','),
      largeBag.bytesMax,
    );
  }
  if (isRecord(value))
    return cutBytes(JSON.stringify(boundedJson(value, mediumBag).value) ?? '', largeBag.bytesMax);
  return cutBytes(lenientString(value) ?? '', largeBag.bytesMax);
}
