// Fields of an event that hold what a program chooses: contexts, extra, modules, fingerprint, debug_meta;
// each within its limits (docs/events.md, "Fields").
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

/** `extra` and `contexts`, each in all. */
const bagsBytesMax = massiveBag.bytesMax;
const modulesBytesMax = 8192;

/** A map within a medium bag. A list is one by the places of its entries; an empty list is none. */
export function readMediumMap(fields: Fields, name: string): unknown {
  const map = sentRecord(fields, name);
  return map === undefined ? undefined : fields.bagOf(name, map, mediumBag);
}

/** An object of maps, each within its bag; an entry of another type is set aside. */
export function readContexts(event: Fields, name: string): JsonRecord | undefined {
  return readBags(event, name, largeBag, contextOf);
}

/** Any object: 262,144 bytes in all, 16,384 an entry, 7 levels. */
export function readExtra(event: Fields, name: string): JsonRecord | undefined {
  return readBags(event, name, largerBag, (value) => value);
}

/**
 * A context as a map: undefined for PHP's empty one, null for what is none. One that was filtered as a whole
 * stays so when the event is read again.
 */
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

/** A list of lenient texts, never cut; a member of another type is dropped. */
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

/** Names and versions of what the program is built of, 8,192 bytes in all. */
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

/** `debug_meta.images` in any form; images of unknown types are kept. */
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
