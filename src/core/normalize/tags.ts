import { isLongerThan } from '../parsing/cut-text.ts';
import type { FieldReader } from '../parsing/field-reader.ts';
import { getOwn, isAbsent, isJsonObject, toArray, toLenientString } from '../parsing/unknown-values.ts';

const tagsMax = 100;
const tagCharsMax = 200;

/** At most 100; invalid ones are noted. */
export function readTags(event: FieldReader, name: string): Array<[string, string]> | undefined {
  const sent = event.sent(name);
  if (isAbsent(sent)) return undefined;
  const pairs = toPairs(sent);
  if (pairs === null) {
    event.note('invalid_data', name, sent);
    return undefined;
  }
  const tags = new Map<string, string>();
  for (const [rawKey, rawValue] of pairs) {
    if (rawValue === null) continue;
    const key = tagKey(rawKey);
    const text = tagValue(rawValue);
    if (tags.size >= tagsMax) {
      event.note('value_too_long', name);
      break;
    }
    if (key === null || text === null) {
      event.note('invalid_data', `${name}.${toLenientString(rawKey) ?? '?'}`, rawValue);
    } else if (!tags.has(key)) {
      tags.set(key, text);
    }
  }
  return tags.size === 0 ? undefined : [...tags];
}

/** From an object, `[[k, v], …]` or `[{key, value}, …]`, also with PHP's integer keys; null otherwise. */
export function toPairs(value: unknown): Array<[unknown, unknown]> | null {
  const list = toArray(value);
  if (isJsonObject(value) && !list?.every(isPair)) return Object.keys(value).map((key) => [key, value[key]]);
  if (list === null) return null;
  return list
    .filter((entry) => !isAbsent(entry))
    .map((entry) => {
      if (Array.isArray(entry)) return [entry[0], entry[1]];
      if (isJsonObject(entry)) return [getOwn(entry, 'key') ?? getOwn(entry, 'name'), getOwn(entry, 'value')];
      return [undefined, entry];
    });
}

function isPair(entry: unknown): boolean {
  if (Array.isArray(entry)) return entry.length === 2 && typeof entry[0] === 'string';
  return isJsonObject(entry) && Object.hasOwn(entry, 'value');
}

function tagKey(value: unknown): string | null {
  const key = (toLenientString(value) ?? '').trim().replaceAll(/\s/g, '-');
  return key.length <= tagCharsMax && /^[A-Za-z0-9_.:-]+$/.test(key) ? key : null;
}

function tagValue(value: unknown): string | null {
  const text = toLenientString(value)?.trim() ?? '';
  return text !== '' && !isLongerThan(text, tagCharsMax) && !/[\r\n]/.test(text) ? text : null;
}
