// Fields of an event that hold what a program chooses: contexts, extra, modules, fingerprint; each within its
// limits (docs/events.md, "Fields").
import type { EventError } from '../../../schemas/event.ts';
import {
  type BagLimit,
  boundedJson,
  largeBag,
  largerBag,
  massiveBag,
  noteBag,
} from '../reading/bounded-json.ts';
import { cutText } from '../reading/cut-text.ts';
import { absent, emptyRecord, isRecord, type JsonRecord, lenientString, note } from '../reading/lenient.ts';

/** `extra` and `contexts`, each in all. */
const bagsBytesMax = massiveBag.bytesMax;
const modulesBytesMax = 8192;

/** An object of objects, each within its bag; an entry of another type is set aside. */
export function readContexts(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  return readBags(value, name, errors, largeBag, bagsBytesMax, true);
}

/** Any object: 262,144 bytes in all, 16,384 an entry, 7 levels. */
export function readExtra(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  return readBags(value, name, errors, largerBag, bagsBytesMax, false);
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
  let bytesLeft = bytesMax - 2;
  for (const key in value) {
    if (!Object.hasOwn(value, key) || absent(value[key])) continue;
    if (objectsOnly && !isRecord(value[key]) && value[key] !== '[Filtered]') {
      note(errors, 'invalid_data', `${name}.${key}`, value[key]);
      continue;
    }
    if (bytesLeft <= key.length + 16) {
      note(errors, 'value_too_long', name);
      break;
    }
    bytesLeft -= Buffer.byteLength(key) + 4;
    const kept = boundedJson(value[key], {
      bytesMax: Math.min(each.bytesMax, bytesLeft),
      depthMax: each.depthMax,
    });
    bytesLeft -= kept.bytes;
    noteBag(kept, `${name}.${key}`, errors);
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
