// Fields of an event that are text, pairs or bags: tags, message, breadcrumbs, contexts, sdk … Stacks and requests have files of their own.
import { type EventError, type Level, levels } from '../../../schemas/event.ts';
import {
  type BagLimit,
  boundedJson,
  jsonAsText,
  largeBag,
  mediumBag,
  noteBag,
  notedBag,
} from '../reading/bounded-json.ts';
import { cutText, isLongerThan } from '../reading/cut-text.ts';
import {
  absent,
  emptyRecord,
  isRecord,
  type JsonRecord,
  lenientString,
  note,
  own,
  readText,
  readValues,
} from '../reading/lenient.ts';
import { formatTimestamp, parseTimestamp } from '../reading/moments.ts';

export const messageCharsMax = 8192;
export const tagsMax = 100;
export const tagCharsMax = 200;
export const breadcrumbsMax = 100;
const unknownFieldsMax = 100;

/** Keeps fields that no rule reads, together within one bag; past it they are left out with one note. */
export function keepUnknown(
  target: JsonRecord,
  source: JsonRecord,
  known: ReadonlySet<string>,
  limit: BagLimit,
  name: string,
  errors: EventError[],
): void {
  let bytesLeft = limit.bytesMax;
  let count = 0;
  for (const field in source) {
    if (known.has(field) || !Object.hasOwn(source, field) || absent(source[field])) continue;
    count += 1;
    if (count > unknownFieldsMax || bytesLeft <= field.length) {
      note(errors, 'value_too_long', name === '' ? field : `${name}.${field}`);
      return;
    }
    const kept = boundedJson(source[field], { bytesMax: bytesLeft, depthMax: limit.depthMax });
    bytesLeft -= kept.bytes + field.length;
    noteBag(kept, name === '' ? field : `${name}.${field}`, errors);
    target[cutText(field, 256)] = kept.value;
  }
}

const levelAliases = new Map<string, Level>([
  ['log', 'info'],
  ['notice', 'info'],
  ['trace', 'debug'],
  ['warn', 'warning'],
  ['critical', 'fatal'],
  ['alert', 'fatal'],
  ['emergency', 'fatal'],
  ['10', 'debug'],
  ['20', 'info'],
  ['30', 'warning'],
  ['40', 'error'],
  ['50', 'fatal'],
]);

/** A level by name, by another logger's name, or by Python's number; undefined (noted) for all else. */
export function readLevel(value: unknown, name: string, errors: EventError[]): Level | undefined {
  if (absent(value)) return undefined;
  const text =
    typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
  const level = levels.find((known) => known === text) ?? levelAliases.get(text);
  if (level === undefined) note(errors, 'invalid_data', name, value);
  return level;
}

/** `logentry` or `message`: text becomes `formatted`, an object keeps template, text and parameters; `false` is ignored. */
export function readMessage(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  if (absent(value) || value === false || value === '') return undefined;
  const rule = { charsMax: messageCharsMax, over: 'cut' } as const;
  if (!isRecord(value)) {
    const text = typeof value === 'string' ? value : jsonAsText(value, messageCharsMax);
    if (typeof value !== 'string') note(errors, 'invalid_data', name, value);
    const formatted = readText(text, name, errors, rule);
    return formatted === undefined ? undefined : { formatted };
  }
  const entry = emptyRecord();
  for (const field of ['message', 'formatted']) {
    const sent = own(value, field);
    const plain = isRecord(sent) || Array.isArray(sent) ? jsonAsText(sent, messageCharsMax) : sent;
    const text = readText(plain, `${name}.${field}`, errors, { ...rule, lenient: true });
    if (text !== undefined) entry[field] = text;
  }
  const params = own(value, 'params');
  if (Array.isArray(params) || isRecord(params))
    entry['params'] = notedBag(params, largeBag, `${name}.params`, errors);
  else if (!absent(params)) note(errors, 'invalid_data', `${name}.params`, params);
  if (entry['message'] === undefined && entry['formatted'] === undefined) {
    // An object that is no log entry still says something: kept as text.
    if (Object.keys(value).length === 0) return undefined;
    note(errors, 'invalid_data', name);
    if (entry['params'] !== undefined) return undefined;
    entry['formatted'] = jsonAsText(value, messageCharsMax);
  }
  return entry;
}

/** Pairs of an object, of `[[k, v], …]` or of `[{key, value}, …]`, in their order; null for any other form. */
export function pairsOf(value: unknown): Array<[unknown, unknown]> | null {
  if (isRecord(value)) return Object.keys(value).map((key) => [key, value[key]]);
  if (!Array.isArray(value)) return null;
  return value
    .filter((entry) => !absent(entry))
    .map((entry) => {
      if (Array.isArray(entry)) return [entry[0], entry[1]];
      if (isRecord(entry)) return [own(entry, 'key') ?? own(entry, 'name'), own(entry, 'value')];
      return [undefined, entry];
    });
}

/** Tags as pairs, at most 100; a pair that cannot be one is left out with an error that names it. */
export function readTags(
  value: unknown,
  name: string,
  errors: EventError[],
): Array<[string, string]> | undefined {
  if (absent(value)) return undefined;
  const pairs = pairsOf(value);
  if (pairs === null) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const tags = new Map<string, string>();
  for (const [rawKey, rawValue] of pairs) {
    if (rawValue === null) continue;
    const key = tagKey(rawKey);
    const text = tagValue(rawValue);
    if (tags.size >= tagsMax) {
      note(errors, 'value_too_long', name);
      break;
    }
    if (key === null || text === null)
      note(errors, 'invalid_data', `${name}.${lenientString(rawKey) ?? '?'}`, rawValue);
    else if (!tags.has(key)) tags.set(key, text);
  }
  return tags.size === 0 ? undefined : [...tags];
}

function tagKey(value: unknown): string | null {
  const key = (lenientString(value) ?? '').trim().replaceAll(/\s/g, '-');
  return key.length <= tagCharsMax && /^[A-Za-z0-9_.:-]+$/.test(key) ? key : null;
}

function tagValue(value: unknown): string | null {
  const text = lenientString(value)?.trim() ?? '';
  return text !== '' && !isLongerThan(text, tagCharsMax) && !/[\r\n]/.test(text) ? text : null;
}

const crumbTexts = ['type', 'category', 'event_id'];
const crumbFields = new Set([...crumbTexts, 'timestamp', 'message', 'level', 'data']);

/** Breadcrumbs in any of the three forms; the newest 100. */
export function readBreadcrumbs(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  const entries = readValues(value, name, errors);
  if (entries === undefined || entries.length === 0) return undefined;
  if (entries.length > breadcrumbsMax) note(errors, 'value_too_long', name);
  const values = entries
    .slice(-breadcrumbsMax)
    .map((entry, index) => readBreadcrumb(entry, `${name}.values.${index}`, errors))
    .filter((entry) => entry !== undefined);
  return values.length === 0 ? undefined : { values };
}

function readBreadcrumb(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  if (!isRecord(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const crumb = emptyRecord();
  const time = own(value, 'timestamp');
  const micros = parseTimestamp(time);
  if (micros !== null) crumb['timestamp'] = formatTimestamp(micros);
  else if (!absent(time)) note(errors, 'invalid_data', `${name}.timestamp`, time);
  for (const field of crumbTexts) {
    const text = readText(own(value, field), `${name}.${field}`, errors, { charsMax: 128, over: 'cut' });
    if (text !== undefined) crumb[field] = text;
  }
  const message = readText(own(value, 'message'), `${name}.message`, errors, {
    charsMax: messageCharsMax,
    over: 'cut',
    lenient: true,
  });
  if (message !== undefined) crumb['message'] = message;
  const level = readLevel(own(value, 'level'), `${name}.level`, errors);
  if (level !== undefined) crumb['level'] = level;
  const data = own(value, 'data');
  if (isRecord(data) || Array.isArray(data))
    crumb['data'] = notedBag(data, mediumBag, `${name}.data`, errors);
  else if (!absent(data)) note(errors, 'invalid_data', `${name}.data`, data);
  keepUnknown(crumb, value, crumbFields, mediumBag, name, errors);
  return crumb;
}

const sdkFields = new Set(['name', 'version']);

/** The SDK that sent the event; where the event does not say, its User-Agent or sentry_client may (`raven-php/1.2`). */
export function readSdk(
  value: unknown,
  name: string,
  errors: EventError[],
  userAgent: string,
): JsonRecord | undefined {
  if (!absent(value) && !isRecord(value)) note(errors, 'invalid_data', name, value);
  if (isRecord(value)) {
    const sdk = emptyRecord();
    for (const field of sdkFields) {
      const text = readText(own(value, field), `${name}.${field}`, errors, {
        charsMax: 128,
        over: 'cut',
        lenient: true,
      });
      if (text !== undefined) sdk[field] = text;
    }
    keepUnknown(sdk, value, sdkFields, largeBag, name, errors);
    return Object.keys(sdk).length === 0 ? undefined : sdk;
  }
  const client = /^([a-z][\w.-]{1,63})\/(\d[\w.+-]{0,31})(?:\s|$)/i.exec(cutText(userAgent, 256));
  if (client === null || /^(?:mozilla|opera|curl|wget|wordpress|okhttp|dalvik)$/i.test(client[1] ?? ''))
    return undefined;
  return { name: client[1], version: client[2] };
}
