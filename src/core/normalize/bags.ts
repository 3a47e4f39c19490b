// Free-form fields: contexts, extra, modules, fingerprint, debug_meta (docs/events.md, "Fields").
import {
  type BagLimit,
  boundedJson,
  largeBag,
  largerBag,
  massiveBag,
  mediumBag,
} from '../reading/bounded-json.ts';
import { cutText } from '../reading/cut-text.ts';
import type { Fields } from '../reading/fields.ts';
import {
  absent,
  emptyRecord,
  isEmptyList,
  isRecord,
  type JsonRecord,
  lenientString,
  listOf,
  mapOf,
  own,
} from '../reading/lenient.ts';

/** Total size of `extra`, and of `contexts`. */
const bagsBytesMax = massiveBag.bytesMax;
const modulesBytesMax = 8192;

/** A list becomes an object keyed by index; an empty list is dropped. */
export function readMediumMap(fields: Fields, name: string): unknown {
  const map = sentRecord(fields, name);
  return map === undefined ? undefined : fields.bagOf(name, map, mediumBag);
}

export function readContexts(event: Fields, name: string): JsonRecord | undefined {
  return readBags(event, name, largeBag, contextOf);
}

/** 262,144 bytes in all, 16,384 per entry, 7 levels. */
export function readExtra(event: Fields, name: string): JsonRecord | undefined {
  return readBags(event, name, largerBag, (value) => value);
}

/** Undefined for PHP's empty map, null if invalid. `[Filtered]` stays when a stored event is read again. */
function contextOf(value: unknown): unknown {
  if (isEmptyList(value)) return undefined;
  return value === '[Filtered]' ? value : mapOf(value);
}

function readBags(
  event: Fields,
  name: string,
  each: BagLimit,
  entryOf: (value: unknown) => unknown,
): JsonRecord | undefined {
  const sent = sentRecord(event, name);
  if (sent === undefined) return undefined;
  const bags = emptyRecord();
  let bytesLeft = bagsBytesMax - 2;
  for (const key in sent) {
    if (!Object.hasOwn(sent, key) || absent(sent[key])) continue;
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
    const bag = boundedJson(entry, {
      bytesMax: Math.min(each.bytesMax, bytesLeft),
      depthMax: each.depthMax,
    });
    bytesLeft -= bag.bytes;
    event.noteBag(`${name}.${key}`, bag);
    bags[cutText(key, 256)] = bag.value;
  }
  return bags;
}

function sentRecord(event: Fields, name: string): JsonRecord | undefined {
  const sent = event.sent(name);
  if (absent(sent) || isEmptyList(sent)) return undefined;
  const map = mapOf(sent);
  if (map === null) event.note('invalid_data', name, sent);
  return map ?? undefined;
}

/** Never cut; invalid members are dropped. */
export function readFingerprint(event: Fields, name: string): string[] | undefined {
  const sent = event.sent(name);
  if (absent(sent)) return undefined;
  const list = listOf(sent);
  if (list === null) {
    event.note('invalid_data', name, sent);
    return undefined;
  }
  const members: string[] = [];
  for (const [index, member] of list.entries()) {
    const text = lenientString(member);
    if (text === null) event.note('invalid_data', `${name}.${index}`, member);
    else members.push(text);
  }
  return members.length === 0 ? undefined : members;
}

/** At most 8,192 bytes. */
export function readModules(event: Fields, name: string): JsonRecord | undefined {
  const sent = sentRecord(event, name);
  if (sent === undefined) return undefined;
  const modules = emptyRecord();
  let bytesLeft = modulesBytesMax;
  for (const key in sent) {
    if (!Object.hasOwn(sent, key)) continue;
    const version = absent(sent[key]) ? '' : lenientString(sent[key]);
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
export function readDebugMeta(event: Fields, name: string): JsonRecord | undefined {
  const sent = event.sent(name);
  if (absent(sent)) return undefined;
  const bare = listOf(sent);
  const source = bare === null ? sent : { images: bare };
  if (!isRecord(source)) {
    event.note('invalid_data', name, sent);
    return undefined;
  }
  if (bare?.length === 0) return undefined;
  const said = own(source, 'images');
  const images = listOf(said);
  if (!absent(said) && images === null) event.note('invalid_data', `${name}.images`, said);
  const meta = event.bagOf(name, images === null ? source : { ...source, images }, massiveBag) as JsonRecord;
  if (images === null) delete meta['images'];
  else meta['images'] = (meta['images'] as unknown[] | undefined)?.filter(isRecord) ?? [];
  return meta;
}
