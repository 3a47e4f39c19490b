// Reads `user` and `request` (docs/events.md, "Fields"). Scrubbing comes later.
import { isIP } from 'node:net';
import { largeJsonLimit, limitJson, mediumJsonLimit } from '../parsing/bounded-json.ts';
import { cutBytes, cutText, isLongerThan } from '../parsing/cut-text.ts';
import type { FieldReader, TextRule } from '../parsing/field-reader.ts';
import {
  createJsonObject,
  isAbsent,
  isJsonObject,
  isTextAbsent,
  type JsonObject,
  toArray,
  toLenientString,
} from '../parsing/unknown-values.ts';
import { readBoundedMap } from './free-form-fields.ts';
import { toPairs } from './tags.ts';

/** URLs up to this length are kept whole; longer ones are cut to 256. */
const urlCharsAllowed = 296;
const urlCharsMax = 256;
const pairsMax = 200;

const word: TextRule = { charsMax: 128, over: 'cut' };
const lenientWord: TextRule = { ...word, lenient: true };
const email: TextRule = { charsMax: 75, over: 'cut' };
const region: TextRule = { charsMax: 100, over: 'cut' };
const fragment: TextRule = { charsMax: 1024, over: 'cut' };
const anyLength: TextRule = { charsMax: Number.MAX_SAFE_INTEGER, over: 'cut' };
const largeText: TextRule = { charsMax: largeJsonLimit.bytesMax, over: 'cut' };

/** Invalid IP addresses are dropped; `{{auto}}` is replaced by scrubbing. */
export function readUser(event: FieldReader, name: string): JsonObject | undefined {
  const user = event.record(name);
  if (user === undefined) return undefined;
  user.text('id', lenientWord);
  user.text('username', lenientWord);
  user.text('email', email);
  user.text('name', word);
  user.read('ip_address', readAddress);
  user.read('geo', readGeo);
  user.read('data', readBoundedMap);
  user.rest(mediumJsonLimit);
  return user.keptIfAny();
}

function readAddress(user: FieldReader, name: string): string | undefined {
  const sent = user.sent(name);
  const address = typeof sent === 'string' ? sent.trim() : '';
  if (address === '{{auto}}' || isIP(address) !== 0) return address;
  if (!isTextAbsent(sent)) user.note('invalid_data', name);
  return undefined;
}

function readGeo(user: FieldReader, name: string): JsonObject | undefined {
  const geo = user.record(name);
  for (const field of ['city', 'country_code', 'region', 'subdivision']) geo?.text(field, region);
  return geo?.keptIfAny();
}

export function readRequest(event: FieldReader, name: string): JsonObject | undefined {
  const request = event.record(name);
  if (request === undefined) return undefined;
  request.read('url', readUrl);
  request.text('method', word);
  request.text('fragment', fragment);
  request.text('api_target', word);
  request.json('data', largeJsonLimit);
  request.read('query_string', readPairs);
  request.read('cookies', readNamed);
  request.read('headers', readNamed);
  request.read('env', readNamed);
  request.rest(mediumJsonLimit);
  return request.keptIfAny();
}

function readUrl(request: FieldReader, name: string): string | undefined {
  const sent = request.sent(name);
  const url = isTextAbsent(sent) ? undefined : request.textOf(name, sent, anyLength);
  if (url === undefined || !isLongerThan(url, urlCharsAllowed)) return url;
  request.note('value_too_long', name);
  return cutText(url, urlCharsMax);
}

/** Text stays text; everything else becomes pairs, in which names may repeat. */
function readPairs(request: FieldReader, name: string): unknown {
  const sent = textOrPairs(request, name);
  if (!Array.isArray(sent)) return sent;
  const pairs = sent
    .slice(0, pairsMax)
    .map(([key, value]) => [toLenientString(key) ?? '', textOf(value)])
    .filter(([key]) => key !== '');
  if (sent.length > pairsMax) request.note('value_too_long', name);
  return pairs.length > 0 ? request.limitedJson(name, pairs, largeJsonLimit) : undefined;
}

/** Text stays text; everything else becomes an object. Repeated names are joined with ",". */
function readNamed(request: FieldReader, name: string): unknown {
  const sent = textOrPairs(request, name);
  if (!Array.isArray(sent)) return sent;
  const named = new Map<string, string>();
  for (const [rawKey, raw] of sent.slice(0, pairsMax)) {
    const key = toLenientString(rawKey) ?? '';
    if (key === '' || isAbsent(raw)) continue;
    const before = named.get(key);
    const joined = before === undefined ? textOf(raw) : `${before},${textOf(raw)}`;
    named.set(key, before === undefined ? joined : cutBytes(joined, largeJsonLimit.bytesMax));
  }
  const record = createJsonObject();
  for (const [key, text] of named) record[key] = text;
  if (sent.length > pairsMax) request.note('value_too_long', name);
  return named.size > 0 ? request.limitedJson(name, record, largeJsonLimit) : undefined;
}

function textOrPairs(request: FieldReader, name: string): string | Array<[unknown, unknown]> | undefined {
  const sent = request.sent(name);
  if (isTextAbsent(sent)) return undefined;
  if (typeof sent === 'string') return request.textOf(name, sent, largeText);
  const pairs = toPairs(sent);
  if (pairs === null) request.note('invalid_data', name, sent);
  return pairs ?? undefined;
}

function textOf(value: unknown): string {
  return cutBytes(plainText(value), largeJsonLimit.bytesMax);
}

function plainText(value: unknown): string {
  const list = toArray(value);
  if (list !== null) {
    return list
      .slice(0, pairsMax)
      .map((entry) => toLenientString(entry) ?? '')
      .join(',');
  }
  if (isJsonObject(value)) return JSON.stringify(limitJson(value, mediumJsonLimit).value) ?? '';
  return toLenientString(value) ?? '';
}
