// Copies of JSON within a size and depth; the cost is linear in what is kept.
import { cutBytes, cutText } from './cut-text.ts';
import {
  createJsonObject,
  isJsonObject,
  type JsonObject,
  removeNul,
  toLenientString,
} from './unknown-values.ts';

export interface JsonLimit {
  readonly bytesMax: number;
  /** Nesting levels; the outermost is one. */
  readonly depthMax: number;
}

/** docs/events.md, "Fields", lists which field has which. */
export const smallJsonLimit: JsonLimit = { bytesMax: 1024, depthMax: 3 };
export const mediumJsonLimit: JsonLimit = { bytesMax: 2048, depthMax: 5 };
export const largeJsonLimit: JsonLimit = { bytesMax: 8192, depthMax: 7 };
export const extraEntryJsonLimit: JsonLimit = { bytesMax: 16_384, depthMax: 7 };
export const hugeJsonLimit: JsonLimit = { bytesMax: 262_144, depthMax: 7 };

const keyCharsMax = 256;

interface Budget {
  bytesLeft: number;
  cut: boolean;
  endless: boolean;
}

export interface BoundedJsonResult {
  readonly value: unknown;
  readonly bytes: number;
  readonly cut: boolean;
  /** True if an infinite number (1e400) became null, because JSON cannot express it. */
  readonly endless: boolean;
}

/** Deeper objects become "[Object]", lists "[Array]"; entries beyond the size are left out. */
export function limitJson(value: unknown, limit: JsonLimit): BoundedJsonResult {
  const budget: Budget = { bytesLeft: limit.bytesMax, cut: false, endless: false };
  const copied = copy(value, limit.depthMax, budget);
  const { cut, endless } = budget;
  return { value: copied, bytes: limit.bytesMax - budget.bytesLeft, cut, endless };
}

function copy(value: unknown, levelsLeft: number, budget: Budget): unknown {
  if (typeof value === 'string') return copyText(value, budget);
  if (Array.isArray(value)) {
    return levelsLeft > 0 ? copyList(value, levelsLeft, budget) : tooDeep('[Array]', budget);
  }
  if (isJsonObject(value)) {
    return levelsLeft > 0 ? copyRecord(value, levelsLeft, budget) : tooDeep('[Object]', budget);
  }
  budget.bytesLeft -= 8;
  if (typeof value === 'number') return copyNumber(value, budget);
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'boolean' ? value : null;
}

function copyNumber(value: number, budget: Budget): number | null {
  if (Number.isFinite(value)) return value;
  budget.endless = true;
  return null;
}

function tooDeep(sign: string, budget: Budget): string {
  budget.bytesLeft -= sign.length + 2;
  budget.cut = true;
  return sign;
}

function copyText(text: string, budget: Budget): string {
  const shortened = removeNul(cutBytes(text, budget.bytesLeft - 2));
  if (shortened.length < text.length && shortened.length < removeNul(text).length) budget.cut = true;
  budget.bytesLeft -= Buffer.byteLength(shortened) + 2;
  return shortened;
}

function copyList(list: readonly unknown[], levelsLeft: number, budget: Budget): unknown[] {
  const result: unknown[] = [];
  budget.bytesLeft -= 2;
  for (const entry of list) {
    if (budget.bytesLeft < 4) {
      budget.cut = true;
      break;
    }
    budget.bytesLeft -= 1;
    result.push(copy(entry, levelsLeft - 1, budget));
  }
  return result;
}

function copyRecord(source: JsonObject, levelsLeft: number, budget: Budget): JsonObject {
  const record = createJsonObject();
  budget.bytesLeft -= 2;
  for (const rawKey in source) {
    if (!Object.hasOwn(source, rawKey)) continue;
    if (budget.bytesLeft < 8) {
      budget.cut = true;
      break;
    }
    const key = removeNul(cutText(rawKey, keyCharsMax));
    budget.bytesLeft -= Buffer.byteLength(key) + 4;
    record[key] = copy(source[rawKey], levelsLeft - 1, budget);
  }
  return record;
}

/** JSON with sorted keys as text; strings, numbers and booleans plain. At most `charsMax` characters. */
export function jsonAsText(value: unknown, charsMax: number): string {
  const plain = toLenientString(value);
  if (plain !== null) return cutText(plain, charsMax);
  const sorted = sortedKeys(value, largeJsonLimit.depthMax, { left: charsMax });
  return cutText(JSON.stringify(sorted) ?? '', charsMax);
}

function sortedKeys(value: unknown, levelsLeft: number, budget: { left: number }): unknown {
  budget.left -= 4;
  if (typeof value === 'string') {
    const shortened = removeNul(cutText(value, Math.max(0, budget.left)));
    budget.left -= shortened.length;
    return shortened;
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'bigint' ? value.toString() : value;
  }
  if (levelsLeft === 0) return Array.isArray(value) ? '[Array]' : '[Object]';
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const entry of value) {
      if (budget.left <= 0) break;
      list.push(sortedKeys(entry, levelsLeft - 1, budget));
    }
    return list;
  }
  const record = createJsonObject();
  for (const key of Object.keys(value).sort()) {
    if (budget.left <= 0) break;
    budget.left -= key.length;
    record[removeNul(key)] = sortedKeys((value as JsonObject)[key], levelsLeft - 1, budget);
  }
  return record;
}
