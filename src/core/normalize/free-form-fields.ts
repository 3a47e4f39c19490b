// Free-form fields: contexts, extra, modules, fingerprint, debug_meta (docs/events.md, "Fields").
import {
  extraEntryJsonLimit,
  hugeJsonLimit,
  type JsonLimit,
  largeJsonLimit,
  limitJson,
  mediumJsonLimit,
} from '../parsing/bounded-json.ts';
import { cutText } from '../parsing/cut-text.ts';
import type { FieldReader } from '../parsing/field-reader.ts';
import {
  createJsonObject,
  getOwn,
  isAbsent,
  isEmptyList,
  isJsonObject,
  type JsonObject,
  toArray,
  toJsonObject,
  toLenientString,
} from '../parsing/unknown-values.ts';

/** Total size of `extra`, and of `contexts`. */
const recordsBytesMax = hugeJsonLimit.bytesMax;
const modulesBytesMax = 8192;

/** A list becomes an object keyed by index; an empty list is dropped. */
export function readBoundedMap(fields: FieldReader, name: string): unknown {
  const map = sentRecord(fields, name);
  return map === undefined ? undefined : fields.limitedJson(name, map, mediumJsonLimit);
}

export function readContexts(event: FieldReader, name: string): JsonObject | undefined {
  return readRecords(event, name, largeJsonLimit, contextOf);
}

/** 262,144 bytes in all, 16,384 per entry, 7 levels. */
export function readExtra(event: FieldReader, name: string): JsonObject | undefined {
  return readRecords(event, name, extraEntryJsonLimit, (value) => value);
}

/** Undefined for PHP's empty map, null if invalid. `[Filtered]` stays when a stored event is read again. */
function contextOf(value: unknown): unknown {
  if (isEmptyList(value)) return undefined;
  return value === '[Filtered]' ? value : toJsonObject(value);
}

function readRecords(
  event: FieldReader,
  name: string,
  each: JsonLimit,
  entryOf: (value: unknown) => unknown,
): JsonObject | undefined {
  const sent = sentRecord(event, name);
  if (sent === undefined) return undefined;
  const records = createJsonObject();
  let bytesLeft = recordsBytesMax - 2;
  for (const key in sent) {
    if (!Object.hasOwn(sent, key) || isAbsent(sent[key])) continue;
    const entry = entryOf(sent[key]);
    if (entry === undefined) continue;
    if (entry === null) {
      event.note('invalid_data', `${name}.${key}`, sent[key]);
      continue;
    }
    if (bytesLeft <= key.length + 16) {
      event.note('value_too_long', name);
      break;
    }
    bytesLeft -= Buffer.byteLength(key) + 4;
    const limited = limitJson(entry, {
      bytesMax: Math.min(each.bytesMax, bytesLeft),
      depthMax: each.depthMax,
    });
    bytesLeft -= limited.bytes;
    event.noteLimited(`${name}.${key}`, limited);
    records[cutText(key, 256)] = limited.value;
  }
  return records;
}

function sentRecord(event: FieldReader, name: string): JsonObject | undefined {
  const sent = event.sent(name);
  if (isAbsent(sent) || isEmptyList(sent)) return undefined;
  const map = toJsonObject(sent);
  if (map === null) event.note('invalid_data', name, sent);
  return map ?? undefined;
}

/** Never cut; invalid members are dropped. */
export function readFingerprint(event: FieldReader, name: string): string[] | undefined {
  const sent = event.sent(name);
  if (isAbsent(sent)) return undefined;
  const list = toArray(sent);
  if (list === null) {
    event.note('invalid_data', name, sent);
    return undefined;
  }
  const members: string[] = [];
  for (const [index, member] of list.entries()) {
    const text = toLenientString(member);
    if (text === null) event.note('invalid_data', `${name}.${index}`, member);
    else members.push(text);
  }
  return members.length === 0 ? undefined : members;
}

/** At most 8,192 bytes. */
export function readModules(event: FieldReader, name: string): JsonObject | undefined {
  const sent = sentRecord(event, name);
  if (sent === undefined) return undefined;
  const modules = createJsonObject();
  let bytesLeft = modulesBytesMax;
  for (const key in sent) {
    if (!Object.hasOwn(sent, key)) continue;
    const version = isAbsent(sent[key]) ? '' : toLenientString(sent[key]);
    if (version === null) {
      event.note('invalid_data', `${name}.${cutText(key, 128)}`);
      continue;
    }
    bytesLeft -= Buffer.byteLength(key) + Buffer.byteLength(version) + 6;
    if (bytesLeft < 0) {
      event.note('value_too_long', name);
      break;
    }
    modules[cutText(key, 256)] = cutText(version, 256);
  }
  return modules;
}

/** Images of unknown types are kept. */
export function readDebugMeta(event: FieldReader, name: string): JsonObject | undefined {
  const sent = event.sent(name);
  if (isAbsent(sent)) return undefined;
  const list = toArray(sent);
  const source = list === null ? sent : { images: list };
  if (!isJsonObject(source)) {
    event.note('invalid_data', name, sent);
    return undefined;
  }
  if (list?.length === 0) return undefined;
  const sentImages = getOwn(source, 'images');
  const images = toArray(sentImages);
  if (!isAbsent(sentImages) && images === null) event.note('invalid_data', `${name}.images`, sentImages);
  const meta = event.limitedJson(
    name,
    images === null ? source : { ...source, images },
    hugeJsonLimit,
  ) as JsonObject;
  if (images === null) delete meta['images'];
  else meta['images'] = (meta['images'] as unknown[] | undefined)?.filter(isJsonObject) ?? [];
  return meta;
}
