// Fields of an event that are text, pairs or bags: tags, message, breadcrumbs, contexts, sdk … Stacks and requests have files of their own.
import { type EventError, type Level, levels } from '../../schemas/event.ts';
import {
  type BagLimit,
  boundedJson,
  jsonAsText,
  largeBag,
  largerBag,
  massiveBag,
  mediumBag,
} from './bounded-json.ts';
import {
  absent,
  cutText,
  emptyRecord,
  isRecord,
  type JsonRecord,
  lenientString,
  note,
  own,
  readText,
  readValues,
} from './lenient.ts';
import { formatTimestamp, parseTimestamp } from './timestamps.ts';

export const messageCharsMax = 8192;
export const tagsMax = 100;
export const tagCharsMax = 200;
export const breadcrumbsMax = 100;
export const extraBytesMax = massiveBag.bytesMax;
const modulesBytesMax = 8192;
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
    if (kept.cut) note(errors, 'value_too_long', name === '' ? field : `${name}.${field}`);
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
  if (Array.isArray(params) || isRecord(params)) entry['params'] = boundedJson(params, largeBag).value;
  else if (!absent(params)) note(errors, 'invalid_data', `${name}.params`, params);
  if (entry['message'] === undefined && entry['formatted'] === undefined) {
    // An object that is no log entry still says something: kept as text.
    if (Object.keys(value).length === 0 || entry['params'] !== undefined) return undefined;
    note(errors, 'invalid_data', name);
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
    if (absent(rawValue)) continue;
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
  return text !== '' && text.length <= tagCharsMax && !/[\r\n]/.test(text) ? text : null;
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
  if (isRecord(data) || Array.isArray(data)) crumb['data'] = boundedJson(data, mediumBag).value;
  else if (!absent(data)) note(errors, 'invalid_data', `${name}.data`, data);
  keepUnknown(crumb, value, crumbFields, mediumBag, name, errors);
  return crumb;
}

/** An object of objects, each within its bag; an entry of another type is set aside. */
export function readContexts(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  return readBags(value, name, errors, largeBag, massiveBag.bytesMax, true);
}

/** Any object: 262,144 bytes in all, 16,384 an entry, 7 levels. */
export function readExtra(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  return readBags(value, name, errors, largerBag, extraBytesMax, false);
}

function readBags(
  value: unknown,
  name: string,
  errors: EventError[],
  each: BagLimit,
  bytesMax: number,
  objectsOnly: boolean,
): JsonRecord | undefined {
  if (absent(value)) return undefined;
  if (!isRecord(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const bags = emptyRecord();
  let bytesLeft = bytesMax;
  for (const key in value) {
    if (!Object.hasOwn(value, key) || absent(value[key])) continue;
    if (objectsOnly && !isRecord(value[key])) {
      note(errors, 'invalid_data', `${name}.${key}`, value[key]);
      continue;
    }
    if (bytesLeft <= key.length + 16) {
      note(errors, 'value_too_long', name);
      break;
    }
    bytesLeft -= key.length;
    const kept = boundedJson(value[key], {
      bytesMax: Math.min(each.bytesMax, bytesLeft),
      depthMax: each.depthMax,
    });
    bytesLeft -= kept.bytes;
    if (kept.cut) note(errors, 'value_too_long', `${name}.${key}`);
    bags[cutText(key, 256)] = kept.value;
  }
  return bags;
}

/** A list of lenient strings; anything but a list is ignored with a note, bad members are dropped. Never cut. */
export function readFingerprint(value: unknown, name: string, errors: EventError[]): string[] | undefined {
  if (absent(value)) return undefined;
  if (!Array.isArray(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const members: string[] = [];
  for (const [index, member] of value.entries()) {
    const text = lenientString(member);
    if (text === null) note(errors, 'invalid_data', `${name}.${index}`, member);
    else members.push(text);
  }
  return members.length === 0 ? undefined : members;
}

/** Names and versions of what the program is built of, 8,192 bytes in all. */
export function readModules(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  if (absent(value)) return undefined;
  if (!isRecord(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const modules = emptyRecord();
  let bytesLeft = modulesBytesMax;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const version = absent(value[key]) ? '' : lenientString(value[key]);
    if (version === null) note(errors, 'invalid_data', `${name}.${cutText(key, 128)}`);
    else {
      bytesLeft -= Buffer.byteLength(key) + Buffer.byteLength(version) + 6;
      if (bytesLeft < 0) {
        note(errors, 'value_too_long', name);
        break;
      }
      modules[cutText(key, 256)] = cutText(version, 256);
    }
  }
  return modules;
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
